import FirnStore

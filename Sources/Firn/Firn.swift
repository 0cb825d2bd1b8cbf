import FirnQuery

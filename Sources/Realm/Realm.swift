@_exported import Firn

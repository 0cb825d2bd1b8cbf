import Glibc

/// The value of an environment variable, or nil.
func processEnvironmentValue(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    return String(cString: value)
}

/// The sides that are compared.
enum Sides {
    static let firn = "Firn"
    static var all: [any Engine.Type] { [RawEngine.self] }
}

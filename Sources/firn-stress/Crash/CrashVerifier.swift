/// The process that looks at the file after a kill. Prints how many transactions the file has, and how many objects.
struct CrashVerifier {
    static let command = "crash-verifier"

    let path: String
    let seed: UInt64

    func run() throws {
        try StressFile.check(path)
        let file = try StressRealm(path: path)
        let model = StressModel(seed: seed, sequence: file.sequence)
        try file.compare(with: model)
        print(model.sequence, model.items.count + model.owners.count + model.notes.count)
    }
}

import Firn
import FirnStore
import Foundation

final class ProbeItem: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var tag = ""
    @Persisted var payload = Data()
}

/// `ProbeItem` with further indexes.
final class IndexedProbeItem: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(wrappedValue: "", unique: true) var tag: String
    @Persisted var payload = Data()

    override class func className() -> String { "ProbeItem" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    override class var indexes: [ObjectIndex] { [ObjectIndex("payload", "tag")] }
}

/// Opens and writes a realm, and prints what comes of it.
struct Probe {
    private let url: URL

    init(_ path: String) {
        url = URL(fileURLWithPath: path)
    }

    private func makeRealm(isReadOnly: Bool = false) throws -> Realm {
        try Realm(configuration: Realm.Configuration(fileURL: url, readOnly: isReadOnly, objectTypes: [ProbeItem.self]))
    }

    /// Prints how an error looks to a user.
    private func attempt(_ name: String, _ body: () throws -> Void) {
        do {
            try body()
            say("\(name): ok")
        } catch let error as Realm.Error {
            say("\(name): \(error)")
        } catch {
            say("\(name): untyped error \(error)")
        }
    }

    func open(isReadOnly: Bool) {
        attempt("open") {
            let realm = try makeRealm(isReadOnly: isReadOnly)
            say("objects: \(realm.objects(ProbeItem.self).count)")
            if !isReadOnly {
                try realm.write { add(realm, realm.objects(ProbeItem.self).count, byteCount: 10) }
                say("wrote: \(realm.objects(ProbeItem.self).count)")
            }
        }
    }

    /// Begins a write, says so, and commits it once the input has ended.
    func holdWrite() throws {
        let realm = try makeRealm()
        realm.beginWrite()
        add(realm, 0, byteCount: 10)
        say("ready")
        while readLine() != nil {}
        try realm.commitWrite()
    }

    /// Has further indexes built; the process kills itself when a percentage of the second one's work is done.
    func index(dyingAt percentage: Int?) {
        var configuration = Realm.Configuration(fileURL: url, objectTypes: [IndexedProbeItem.self])
        configuration.indexBuildProgress = { progress in
            guard progress.propertyNames.count == 2, let percentage else { return }
            if progress.fractionCompleted * 100 >= Double(percentage) { kill(getpid(), SIGKILL) }
        }
        attempt("index") {
            let realm = try Realm(configuration: configuration)
            say("found: \(realm.objects(IndexedProbeItem.self).filter("tag == 'tag 7'").count)")
        }
    }

    // MARK: A full disk

    private func add(_ realm: Realm, _ id: Int, byteCount: Int) {
        let item = ProbeItem()
        item.id = id
        item.tag = "tag \(id)"
        item.payload = Data(repeating: UInt8(truncatingIfNeeded: id), count: byteCount)
        realm.add(item)
    }

    /// Fills the disk that `directory` is on, first with objects and then to the last byte.
    func fillDisk(directory: String) throws {
        let filler = directory + "/filler"
        try Data(count: 2 << 20).write(to: URL(fileURLWithPath: filler))
        let realm = try makeRealm()
        var count = 0
        attempt("fill") {
            while true {
                try realm.write {
                    for id in count..<(count + 20) { add(realm, id, byteCount: 8000) }
                }
                count += 20
            }
        }
        try printState("after", realm, expected: count)
        fill(directory + "/last")
        attempt("write on a full disk") {
            try realm.write {
                for id in count..<(count + 20) { add(realm, id, byteCount: 8000) }
            }
        }
        try printState("after that", realm, expected: count)
        let other = Realm.Configuration(
            fileURL: URL(fileURLWithPath: directory + "/other.firn"), objectTypes: [ProbeItem.self])
        attempt("make another") { _ = try Realm(configuration: other) }
        attempt("delete half") {
            try realm.write { realm.delete(realm.objects(ProbeItem.self).filter("id < %d", count / 2)) }
        }
        try printState("half", realm, expected: count - count / 2)
        // What a commit frees, the next but one may use: until then the last commit could be needed again.
        attempt("delete one more") {
            try realm.write { realm.delete(realm.objects(ProbeItem.self).filter("id == %d", count - 1)) }
        }
        attempt("write into what became free") {
            try realm.write { for id in 0..<10 { add(realm, id, byteCount: 8000) } }
        }
        unlink(filler)
        attempt("write when there is room again") {
            try realm.write { for id in 1000..<1100 { add(realm, id, byteCount: 8000) } }
        }
        try printState("end", realm, expected: count - count / 2 - 1 + 10 + 100)
        attempt("make another") { _ = try Realm(configuration: other) }
        say(
            "files: " + (try FileManager.default.contentsOfDirectory(atPath: directory).sorted().joined(separator: " "))
        )
    }

    private func fill(_ path: String) {
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT, 0o600)
        let block = [UInt8](repeating: 1, count: 4096)
        while write(descriptor, block, block.count) > 0 {}
        close(descriptor)
    }

    /// Prints whether the realm has as many objects as it must, each whole, and the file keeps its invariants.
    private func printState(_ name: String, _ realm: Realm, expected: Int) throws {
        let items = realm.objects(ProbeItem.self)
        let areWhole = items.allSatisfy { item in
            item.tag == "tag \(item.id)"
                && item.payload == Data(repeating: UInt8(truncatingIfNeeded: item.id), count: item.payload.count)
        }
        let connection = try Connection(store: Store.open(StoreOptions(path: url.path)))
        let problems = IntegrityChecker.check(connection)
        say("\(name): \(items.count - expected) too many, whole: \(areWhole), problems: \(problems)")
    }
}

/// One side's store of collections, open, in a file of its own.
///
/// Every read answers a sum, so that two sides can be compared; every write is one transaction, commit included.
protocol CollectionEngine: AnyObject {
    /// Adds the objects and groups that lists link to and relations lead over.
    func addObjects(_ count: Int, groups: Int) throws
    func sumObjects() throws -> Int

    /// Fills the list of numbers: at position i stands i.
    func appendNumbers(_ count: Int) throws
    /// As `appendNumbers`, in one call.
    func appendNumbersAtOnce(_ count: Int) throws
    func sumNumbers() throws -> Int
    func sumNumbers(at positions: [Int]) throws -> Int

    /// Gets hold of the objects that are about to be linked to.
    func prepareLinks() throws
    /// Lets go of them.
    func forgetLinks()
    /// Fills the list of links: at position i stands object i.
    func appendLinks(_ count: Int) throws
    /// As `appendLinks`, in one call.
    func appendLinksAtOnce(_ count: Int) throws
    func sumLinks() throws -> Int

    /// What has no counterpart in a table by position: see `CollectionWorkloads`.
    func prepareEdits(_ dataset: CollectionDataset) throws
    func insert(_ dataset: CollectionDataset) throws
    func remove(_ dataset: CollectionDataset) throws
    func move(_ dataset: CollectionDataset) throws

    func fillMap(_ dataset: CollectionDataset) throws
    func sumMap(_ dataset: CollectionDataset) throws -> Int
    func fillSet(_ dataset: CollectionDataset) throws
    func countMembers(_ dataset: CollectionDataset) throws -> Int

    /// The numbers of the groups of all objects.
    func sumGroupsOfObjects() throws -> Int
    /// The numbers of the objects of all groups.
    func sumObjectsOfGroups() throws -> Int
}

/// What collections are filled with.
struct CollectionDataset {
    static let groupCount = 250

    let count: Int
    /// Positions to read, with repeats.
    let positions: [Int]
    /// Where elements are inserted, taken out and moved to, as parts of the list's length.
    let editPositions: [Int]
    let mapKeys: [String]
    /// The same keys with a zero byte behind each.
    let mapKeyBytes: [CChar]
    let members: [Int]
    /// Keys that stand in no order, for what an insertion is compared with.
    let randomKeys: [UInt64]
    let newRandomKeys: [UInt64]

    init(count: Int) {
        self.count = count
        var random = SplitMix64(seed: 0xC011)
        let edits = min(100_000, count / 2)
        positions = (0..<count).map { _ in Int.random(in: 0..<count, using: &random) }
        editPositions = (0..<edits).map { _ in Int.random(in: 0..<count - edits, using: &random) }
        mapKeys = (0..<count).map { "key \($0)" }.shuffled(using: &random)
        mapKeyBytes = mapKeys.flatMap { $0.utf8CString }
        members = (0..<count).shuffled(using: &random)
        randomKeys = (0..<count).map { _ in random.next() }
        newRandomKeys = (0..<edits).map { _ in random.next() }
    }
}

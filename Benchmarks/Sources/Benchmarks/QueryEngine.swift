/// One side's store of the objects that queries are about, open and filled.
///
/// Every question has an answer by which the sides can be compared. Whatever can be made once for questions that are
/// asked again (predicates, statements) has been made when the store is.
protocol QueryEngine: AnyObject {
    /// The scores of the wanted objects, each found by its value of `key`, `QueryDataset.lookUpRepeats` times, all in
    /// one snapshot.
    func sumScores(by key: QueryKey) throws -> Double
    /// The same with a question in words each time, where the side has that.
    func sumScoresFromText(by key: QueryKey) throws -> Double

    /// How many objects have an age, for every age, `QueryDataset.ageRepeats` times; each number times its age. The
    /// store is asked each time what its newest version is.
    func countAges() throws -> Int
    /// The scores of the objects of an age, for every age; each sum times its age. Versions as in `countAges`.
    func sumScoresByAge() throws -> Double

    func countActive(scoreAbove bound: Double) throws -> Int
    func count(nameContaining part: String) throws -> Int
    func sumScores() throws -> Double

    /// The ages of the first objects by score, and by id within one score.
    func agesByScore(first limit: Int) throws -> [Int]
    /// The ages of the first active objects by code.
    func activeAgesByCode(first limit: Int) throws -> [Int]
}

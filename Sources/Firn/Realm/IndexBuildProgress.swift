import FirnStore

/// How far the building of an index has come, for objects that were there before it.
///
/// All that opening a realm changes in its file comes at once, when everything is built: a process that ends before leaves the
/// file as it was.
public struct IndexBuildProgress: Sendable {
    /// The class's name.
    public let className: String
    /// The properties of the index, by their Swift names.
    public let propertyNames: [String]
    /// How many objects the class has.
    public let objectCount: Int
    /// From 0 to 1.
    public let fractionCompleted: Double

    init(_ progress: IndexProgress, _ info: ClassInfo?) {
        className = progress.table
        propertyNames = progress.columns.map { info?.property($0)?.name ?? $0 }
        objectCount = progress.totalStepCount / 2
        fractionCompleted = Double(progress.stepCount) / Double(progress.totalStepCount)
    }
}

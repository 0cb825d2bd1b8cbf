import FirnStore

extension RecordBuilder {
    /// The finished record's bytes, which outlive the builder: what `finish()` lends goes with it.
    func finishedBytes() -> [UInt8] {
        withExtendedLifetime(self) { Array(finish()) }
    }
}

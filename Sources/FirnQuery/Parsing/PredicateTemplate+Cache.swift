import Synchronization

extension PredicateTemplate {
    /// The template of a text, read once: a lookup where the text came before. Safe on any thread.
    ///
    /// The 256 texts read last at least are kept; text that is no predicate is not.
    /// - Throws: `.malformed` or `.notSupported`, with the position.
    package static func cached(_ text: String) throws(QueryError) -> PredicateTemplate {
        if let template = cache.withLock({ $0.template(text) }) { return template }
        let template = try PredicateTemplate(text)
        cache.withLock { $0.insert(template) }
        return template
    }

    private static let cache = Mutex(Cache())

    /// Two generations: when the younger is full it becomes the older, and what that held is dropped unless used meanwhile.
    private struct Cache {
        private static let capacity = 256
        private var young: [String: PredicateTemplate] = [:]
        private var old: [String: PredicateTemplate] = [:]

        mutating func template(_ text: String) -> PredicateTemplate? {
            if let template = young[text] { return template }
            guard let template = old[text] else { return nil }
            insert(template)
            return template
        }

        mutating func insert(_ template: PredicateTemplate) {
            if young.count >= Self.capacity {
                old = young
                young = [:]
            }
            young[template.text] = template
        }
    }
}

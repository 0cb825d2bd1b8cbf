import Foundation
import FuzzTargets
import Testing

/// What `make fuzz` begins with and what it once found, so that no fault comes back.
@Suite struct FuzzCorpusTests {
    @Test(arguments: FuzzTarget.all.map(\.name))
    func `kept inputs have no finding`(name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let run = try target.prepare()
        let corpus = try target.corpus
        #expect(!corpus.isEmpty)
        var goodCount = 0
        for file in corpus {
            do {
                if try Data(contentsOf: file).withUnsafeBytes({ try run($0) }) { goodCount += 1 }
            } catch {
                Issue.record("\(file.lastPathComponent): \(error)")
            }
        }
        // Inputs that all are refused at once would lead nowhere.
        #expect(goodCount > corpus.count / 2, "\(goodCount) of \(corpus.count)")
    }
}

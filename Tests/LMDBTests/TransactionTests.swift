import LMDB
import TestSupport
import Testing

@Suite struct TransactionTests {
    let directory = TemporaryDirectory()

    @Test func `what is committed is read by the next transaction`() throws {
        var options = EnvironmentOptions(path: directory.path("a"), databases: [DatabaseDefinition(name: "meta")])
        options.durability = .none
        let environment = try Environment.open(options)
        let write = try environment.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
        let database = environment.databases[0]
        try write.put(database, ByteKey(1 as UInt64), ByteKey(2 as UInt64))
        try write.commit()
        let read = try environment.beginRead()
        #expect(try read.get(database, ByteKey(1 as UInt64)).map { Array($0) } == [0, 0, 0, 0, 0, 0, 0, 2])
    }
}

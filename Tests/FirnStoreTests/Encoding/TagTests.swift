import FirnStore
import Testing

@Suite struct TagTests {
    @Test func `the raw values on disk never change`() {
        #expect(
            Tag.allCases.map { "\($0) \($0.rawValue)" } == [
                "null 0", "false 1", "true 2", "int8 3", "int16 4", "int32 5", "int64 6", "float 7", "double 8",
                "decimal128 9", "date 10", "string 11", "data 12", "objectID 13", "uuid 14", "link 15", "typedLink 16",
                "collection 17", "blob 18", "coded 19",
            ])
    }

    @Test func `a code is a tag exactly when it is a raw value`() {
        for code in UInt8.min ... .max {
            #expect(Tag(code: code) == Tag(rawValue: code))
        }
    }
}

import Firn
import Testing

@Suite struct ObjectIdSequenceTests {
    @Test func `the sequence follows the clock`() {
        let sequence = ObjectId.Sequence()
        #expect(sequence.advance(to: 1000) == 1000)
        #expect(sequence.advance(to: 2000) == 2000)
    }

    @Test func `a clock that stands still or is set back gives new values all the same`() {
        let sequence = ObjectId.Sequence(1000)
        #expect(sequence.advance(to: 1000) == 1001)
        #expect(sequence.advance(to: 10) == 1002)
    }

    @Test func `a second whose counts are used up is followed by the next one`() {
        let lastOfSecond: UInt64 = 5 << 24 | 0xff_ffff
        let sequence = ObjectId.Sequence(lastOfSecond)
        #expect(sequence.advance(to: 5 << 24 | 17) == 6 << 24)
        #expect(sequence.advance(to: 6 << 24 | 17) == 6 << 24 | 17)
    }
}

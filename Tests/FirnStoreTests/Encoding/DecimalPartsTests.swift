import FirnStore
import TestSupport
import Testing

@Suite struct DecimalPartsTests {
    @Test func `the bits are those of IEEE 754's binary integer encoding`() {
        // From the decimal128 of BSON's specification, which has the same encoding.
        #expect(DecimalParts(coefficient: 0, exponent: 0).bits == 0x3040_0000_0000_0000_0000_0000_0000_0000)
        #expect(DecimalParts(coefficient: 1, exponent: 0).bits == 0x3040_0000_0000_0000_0000_0000_0000_0001)
        #expect(DecimalParts(coefficient: 1, exponent: -1).bits == 0x303E_0000_0000_0000_0000_0000_0000_0001)
        #expect(
            DecimalParts(isNegative: true, coefficient: 12345, exponent: -3).bits
                == 0xB03A_0000_0000_0000_0000_0000_0000_3039)
        #expect(
            DecimalParts(coefficient: DecimalParts.maximumCoefficient, exponent: 6111).bits
                == 0x5FFF_ED09_BEAD_87C0_378D_8E63_FFFF_FFFF)
        #expect(DecimalParts(.infinity).bits == 0x7800_0000_0000_0000_0000_0000_0000_0000)
        #expect(DecimalParts(.infinity, isNegative: true).bits == 0xF800_0000_0000_0000_0000_0000_0000_0000)
        #expect(DecimalParts(.quietNaN).bits == 0x7C00_0000_0000_0000_0000_0000_0000_0000)
        #expect(DecimalParts(.signalingNaN).bits == 0x7E00_0000_0000_0000_0000_0000_0000_0000)
    }

    @Test func `what is put together comes apart as it was`() throws {
        try RandomRuns(1...20).run { seed in
            var random = SeededGenerator(seed: seed)
            for _ in 0..<200 {
                let parts = DecimalParts(bits: random.decimal())
                try #require(DecimalParts(bits: parts.bits) == parts)
            }
        }
    }

    @Test func `encodings that are not canonical are zeros`() {
        let tooManyDigits = DecimalParts(bits: DecimalParts.zeroBits | (1 << 113 - 1))
        #expect(tooManyDigits.coefficient == 0 && tooManyDigits.kind == .finite && tooManyDigits.exponent == 0)
        let largeForm = DecimalParts(bits: 0b11 << 125 | 6176 << 111 | 12)
        #expect(largeForm.coefficient == 0 && largeForm.kind == .finite && largeForm.exponent == 0)
    }
}

import Firn
import Foundation
import Testing

@Suite struct Decimal128Tests {
    @Test func `the stored bits are those of IEEE 754 decimal128, binary integer encoding`() {
        #expect(Decimal128(0).bits == 0x3040_0000_0000_0000_0000_0000_0000_0000)
        #expect(Decimal128(1).bits == 0x3040_0000_0000_0000_0000_0000_0000_0001)
        #expect(Decimal128(-1).bits == 0xb040_0000_0000_0000_0000_0000_0000_0001)
        #expect(("0.1" as Decimal128).bits == 0x303e_0000_0000_0000_0000_0000_0000_0001)
        #expect(Decimal128.max.bits == 0x5fff_ed09_bead_87c0_378d_8e63_ffff_ffff)
        #expect(Decimal128.min.bits == 0xdfff_ed09_bead_87c0_378d_8e63_ffff_ffff)
        #expect(Decimal128.infinity.bits == 0x7800_0000_0000_0000_0000_0000_0000_0000)
        #expect(Decimal128.nan.bits == 0x7c00_0000_0000_0000_0000_0000_0000_0000)
    }

    @Test(
        arguments: [
            0x3041_ed09_bead_87c0_378d_8e64_0000_0000, 0x6c10_0000_0000_0000_0000_0000_0000_0001,
        ] as [UInt128])
    func `bits of more than 34 digits read as zero`(bits: UInt128) {
        #expect(Decimal128(bits: bits) == 0)
        #expect(Decimal128(bits: bits).stringValue == "0")
        #expect(Decimal128(bits: bits) + 1 == 1)
    }

    @Test func `NaN equals and precedes nothing, and has a place below all numbers in the order of the store`() {
        #expect(Decimal128.nan != .nan)
        #expect(!(Decimal128.nan < 1) && !(Decimal128.nan > 1) && !(Decimal128.nan <= .nan))
        #expect(Decimal128.order(.nan, .nan) == 0)
        #expect(Decimal128.order(.nan, -.infinity) < 0)
        #expect(Decimal128.order(.max, .nan) > 0)
        #expect(Decimal128.order("-0", "0.00") == 0)
    }

    @Test func `equal numbers are equal and hash alike whatever zeros they end in`() {
        let one: Decimal128 = "1.000"
        #expect(one == 1 && one.hashValue == Decimal128(1).hashValue)
        #expect(Set<Decimal128>(["1", "1.0", "10E-1", "0", "-0", "0E+9", "1E+3", "1000"]).count == 3)
    }

    @Test func `a signalling NaN is told from a quiet one, and operations quieten it`() throws {
        let signalling = try Decimal128(string: "sNaN")
        #expect(signalling.isNaN && signalling.isSignaling && signalling.isSignalingNaN)
        #expect(!Decimal128.nan.isSignaling)
        #expect((signalling + 1).isNaN && !(signalling + 1).isSignaling)
        #expect(!Decimal128.nan.isInfinite && !Decimal128.infinity.isNaN)
    }

    @Test func `magnitude and sign changes are exact`() {
        var number: Decimal128 = "-1234567890123456789012345678901234"
        #expect(number.magnitude.stringValue == "1234567890123456789012345678901234")
        #expect((-number).stringValue == "1234567890123456789012345678901234")
        number.negate()
        #expect(number == "1234567890123456789012345678901234")
        #expect((-Decimal128.zero).stringValue == "-0")
    }

    @Test func `compound assignments, distances and strides compute as the operators do`() {
        var number: Decimal128 = 10
        number += "0.5"
        number -= 1
        number *= 2
        number /= 4
        #expect(number == "4.75")
        #expect(number.distance(to: 5) == "0.25")
        #expect(number.advanced(by: 1) == "5.75")
        #expect(Array(stride(from: "0" as Decimal128, through: "0.3", by: "0.1")) == ["0", "0.1", "0.2", "0.3"])
    }

    @Test(arguments: [
        ("0", "0"), ("-0.00", "-0"), ("100", "100"), ("1.50", "1.5"), ("1E3", "1000"), ("1E33", "1" + zeros(33)),
        ("1E34", "1E+34"), ("15E33", "1.5E+34"), ("0.000001", "0.000001"), ("0.0000001", "1E-7"),
        ("0.00000123", "0.00000123"), ("0.000000123", "1.23E-7"), ("-12.5E+3", "-12500"), ("inf", "Infinity"),
        ("-INFINITY", "-Infinity"), ("nan", "NaN"), ("sNaN", "sNaN"), (".5", "0.5"), ("5.", "5"), ("+7", "7"),
        ("1234567890123456789012345678901234", "1234567890123456789012345678901234"),
        ("12345678901234567890123456789012345", "1.234567890123456789012345678901234E+34"),
    ])
    func `text is plain within 34 digits, scientific beyond, without trailing zeros`(text: String, written: String)
        throws
    {
        let number = try Decimal128(string: text)
        #expect(number.stringValue == written)
        #expect(number.description == written)
    }

    private static func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }

    @Test(arguments: [
        "", "-", ".", "e5", "1e", "1e+", "1.2.3", "1 ", " 1", "1,5", "0x10", "--1", "1_000", "infinit", "nano", "١",
        "é", "1\0",
        "1e5x", "1e5.0",
    ])
    func `text that is no decimal is a typed error that quotes it`(text: String) {
        let error = #expect(throws: ValueError.self) { try Decimal128(string: text) }
        #expect(error?.code == .invalidDecimal)
        #expect(error?.message.contains("“\(text)”") == true)
        #expect(Decimal128(text) == nil)
    }

    @Test func `an error shortens a long text`() {
        let error = #expect(throws: ValueError.self) { try Decimal128(string: String(repeating: "x", count: 100_000)) }
        #expect((error?.message.count ?? 1000) < 250)
        #expect(error?.localizedDescription == error?.message)
    }

    @Test func `exponents far out of range give infinity or zero, and many digits bring them back`() throws {
        #expect(try Decimal128(string: "1e99999999999999999999999").isInfinite)
        #expect(try Decimal128(string: "-1e-99999999999999999999999").stringValue == "-0")
        #expect(try Decimal128(string: "0." + Self.zeros(7000) + "12e7002") == 12)
        #expect(try Decimal128(string: "12" + Self.zeros(7000) + "e-7000") == 12)
    }

    @Test func `integers of any size convert, exactly or rounded`() {
        #expect(Decimal128(Int64.min).stringValue == "-9223372036854775808")
        #expect(Decimal128(UInt64.max).stringValue == "18446744073709551615")
        #expect(Decimal128(UInt128.max) == "340282366920938463463374607431768200000")
        #expect(Decimal128(exactly: UInt128.max) == nil)
        #expect(Decimal128(exactly: Int128(10) * 1_000_000_000_000_000_000_000_000_000_000_000_000) == "1E37")
        #expect(Decimal128(exactly: -5) == -5)
    }

    @Test func `floating-point numbers convert to the decimal they show as`() {
        #expect(Decimal128(0.1).stringValue == "0.1")
        #expect(Decimal128(Float(0.1)).stringValue == "0.1")
        #expect(Decimal128(4_611_686_018_427_387_904.0).stringValue == "4611686018427387904")
        #expect(Decimal128(1e22).stringValue == "10000000000000000000000")
        #expect(Decimal128(5e-324).stringValue == "5E-324")
        #expect(Decimal128(-0.0).stringValue == "-0")
        #expect(Decimal128(Double.nan).isNaN)
        #expect(Decimal128(-Double.infinity) == -.infinity)
        #expect(Decimal128(-Float.infinity) == -.infinity)
    }

    @Test func `a round trip through Decimal128 gives the same Double`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let double = Double(bitPattern: UInt64.random(in: .min ... .max, using: &generator))
            guard !double.isNaN else { continue }
            #expect(Decimal128(double).doubleValue == double)
        }
        #expect(Decimal128.max.doubleValue == .infinity)
        #expect(("1E-6176" as Decimal128).doubleValue == 0)
        #expect(("-1.5" as Decimal128).doubleValue == -1.5)
        #expect(("1.5E+300" as Decimal128).doubleValue == 1.5e300)
        #expect(Decimal128.nan.doubleValue.isNaN && (-Decimal128.infinity).doubleValue == -.infinity)
    }

    @Test func `Foundation's Decimal converts both ways as far as its exponents reach`() throws {
        let decimal = try #require(Decimal(string: "-1234567890.123456789012345678901234"))
        #expect(Decimal128(decimal).stringValue == "-1234567890.123456789012345678901234")
        #expect(Decimal128(decimal).decimalValue == decimal)
        #expect(Decimal128(Decimal.nan).isNaN)
        #expect(try Decimal128(string: "1E+130").decimalValue == #require(Decimal(string: "1000E127")))
        #expect(try Decimal128(string: "25E-129").decimalValue == #require(Decimal(string: "2E-128")))
        #expect(try Decimal128(string: "35E-129").decimalValue == #require(Decimal(string: "4E-128")))
        #expect(try Decimal128(string: "1E-200").decimalValue == 0)
        #expect(try Decimal128(string: "1E+166").decimalValue.isNaN)
        #expect(Decimal128.infinity.decimalValue.isNaN && Decimal128.nan.decimalValue.isNaN)
    }

    @Test func `a value of any kind of number, or text of one, converts`() throws {
        let values: [(Any, Decimal128)] = [
            (5, 5), (Int8(-5), -5), (UInt64.max, "18446744073709551615"), (1.5, "1.5"), (Float(0.1), "0.1"), (true, 1),
            ("2.50", "2.5"), (Decimal(3), 3), (NSNumber(value: UInt64.max), "18446744073709551615"),
            (NSNumber(value: 1.25), "1.25"), (NSNumber(value: false), 0), (NSDecimalNumber(string: "7.75"), "7.75"),
            (Decimal128.max, .max), (NSString("12"), 12), ("123".dropFirst(), 23),
        ]
        for (value, expected) in values {
            #expect(Decimal128(value: value) == expected, "\(value)")
            #expect(try Decimal128(converting: value) == expected)
        }
        #expect(Decimal128(number: 42) == 42)
        #expect(Decimal128(number: NSNumber(value: Float(0.1))) == "0.1")
    }

    @Test func `a value that is no number gives NaN, or an error where asked for`() {
        #expect(Decimal128(value: "nonsense").isNaN)
        #expect(Decimal128(value: Date()).isNaN)
        #expect(throws: ValueError.self) { try Decimal128(converting: Date()) }
        #expect(throws: ValueError.self) { try Decimal128(converting: "nonsense") }
    }

    @Test func `literals of all kinds are numbers`() {
        let numbers: [Decimal128] = [1, 0.1, "0.1000000000000000000000000000000001", -3]
        #expect(numbers.map(\.stringValue) == ["1", "0.1", "0.1000000000000000000000000000000001", "-3"])
        #expect(Decimal128() == 0 && Decimal128.zero.stringValue == "0")
    }

    @Test func `a bad literal traps and says what is wrong`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let number: Decimal128 = "12,5"
            print(number)
        }
        if let result {
            #expect(
                String(decoding: result.standardErrorContent, as: UTF8.self).contains("“12,5” is no decimal number"))
        }
    }

    @Test func `Codable writes text and reads text, integers and floating-point numbers`() throws {
        let json = try JSONEncoder().encode(["1234567890123456789012345678901234", 1.5] as [Decimal128])
        #expect(String(decoding: json, as: UTF8.self) == #"["1234567890123456789012345678901234","1.5"]"#)
        let read = try JSONDecoder().decode([Decimal128].self, from: Data(#"["0.10", 9223372036854775807, 0.25]"#.utf8))
        #expect(read == ["0.1", "9223372036854775807", "0.25"])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Decimal128].self, from: Data(#"["x"]"#.utf8)) }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Decimal128].self, from: Data("[true]".utf8)) }
    }
}

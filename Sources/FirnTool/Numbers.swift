extension BinaryInteger {
    /// The number with a comma between thousands.
    package var grouped: String {
        let digits = String(magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return self < 0 ? "-" + text : text
    }

    /// The number of bytes in the largest unit of which there is one, to a decimal place.
    package var byteText: String {
        var unit = 0
        var divisor: UInt64 = 1
        let byteCount = UInt64(clamping: self)
        while byteCount >= divisor << 10, unit < ByteUnits.names.count - 1 {
            unit += 1
            divisor <<= 10
        }
        guard unit > 0 else { return "\(byteCount) B" }
        let tenths = (byteCount / divisor * 10) + (byteCount % divisor * 10 + divisor / 2) / divisor
        return "\((tenths / 10).grouped).\(tenths % 10) \(ByteUnits.names[unit])"
    }

    /// The number and a noun, which takes an s for any number but 1.
    package func counted(_ noun: String) -> String {
        self == 1 ? "1 \(noun)" : "\(grouped) \(noun)s"
    }
}

private enum ByteUnits {
    static let names = ["B", "KiB", "MiB", "GiB", "TiB"]
}

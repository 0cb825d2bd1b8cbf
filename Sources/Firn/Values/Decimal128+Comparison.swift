import FirnStore

extension Decimal128: Comparable, Hashable {
    /// Whether these are the same number, however many zeros they end in; NaN is equal to nothing.
    public static func == (left: Decimal128, right: Decimal128) -> Bool {
        !left.isNaN && !right.isNaN && order(left, right) == 0
    }

    /// Whether `left` is the lesser number; false where one is NaN.
    public static func < (left: Decimal128, right: Decimal128) -> Bool {
        !left.isNaN && !right.isNaN && order(left, right) < 0
    }

    /// Whether `left` is not the greater number; false where one is NaN.
    public static func <= (left: Decimal128, right: Decimal128) -> Bool {
        !left.isNaN && !right.isNaN && order(left, right) <= 0
    }

    /// Whether `left` is the greater number; false where one is NaN.
    public static func > (left: Decimal128, right: Decimal128) -> Bool { right < left }

    /// Whether `left` is not the lesser number; false where one is NaN.
    public static func >= (left: Decimal128, right: Decimal128) -> Bool { right <= left }

    /// Feeds what equal numbers have in common.
    public func hash(into hasher: inout Hasher) {
        guard let parts else {
            hasher.combine(isNaN ? Self.nanBits : bits & (Self.nanBits | Self.signBit))
            return
        }
        let (coefficient, count) = PowersOfTen.strippingZeros(parts.coefficient, limit: Self.digitCount)
        hasher.combine(coefficient)
        guard coefficient > 0 else { return }
        hasher.combine(parts.exponent + count)
        hasher.combine(parts.isNegative)
    }

    /// Negative, 0 or positive as `left` comes before, with or after `right` in the order of sorting and of the store.
    ///
    /// A total order: NaN comes before every number and equals NaN; otherwise by number, so that -0 equals 0.
    package static func order(_ left: Decimal128, _ right: Decimal128) -> Int {
        guard let leftParts = left.parts, let rightParts = right.parts else {
            return rankOfSpecial(left) - rankOfSpecial(right)
        }
        guard leftParts.coefficient > 0 || rightParts.coefficient > 0 else { return 0 }
        guard leftParts.coefficient > 0 else { return rightParts.isNegative ? 1 : -1 }
        guard rightParts.coefficient > 0, leftParts.isNegative == rightParts.isNegative else {
            return leftParts.isNegative ? -1 : 1
        }
        let order = orderOfMagnitudes(leftParts, rightParts)
        return leftParts.isNegative ? -order : order
    }

    private static func rankOfSpecial(_ number: Decimal128) -> Int {
        if number.isNaN { return -2 }
        guard number.isInfinite else { return 0 }
        return number.isNegative ? -1 : 1
    }

    private static func orderOfMagnitudes(_ left: DecimalParts, _ right: DecimalParts) -> Int {
        var (leftCoefficient, rightCoefficient) = (left.coefficient, right.coefficient)
        if left.exponent != right.exponent {
            let leftEnd = left.exponent + PowersOfTen.digitCount(leftCoefficient)
            let rightEnd = right.exponent + PowersOfTen.digitCount(rightCoefficient)
            guard leftEnd == rightEnd else { return leftEnd < rightEnd ? -1 : 1 }
            // First digits of the same weight: bringing both to one exponent takes no more than 34 digits.
            if left.exponent > right.exponent {
                leftCoefficient *= PowersOfTen.power(left.exponent - right.exponent)
            } else {
                rightCoefficient *= PowersOfTen.power(right.exponent - left.exponent)
            }
        }
        if leftCoefficient == rightCoefficient { return 0 }
        return leftCoefficient < rightCoefficient ? -1 : 1
    }
}

extension Decimal128: Strideable {
    /// `other` minus this number, rounded once.
    public func distance(to other: Decimal128) -> Decimal128 { other - self }

    /// This number plus `n`, rounded once.
    public func advanced(by n: Decimal128) -> Decimal128 { self + n }
}

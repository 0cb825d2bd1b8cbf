/// A distance on the earth's surface, held as the angle that it spans at the centre.
///
/// The earth is a sphere of 6,378.1 km radius.
public struct Distance: Hashable, Sendable {
    /// The angle in radians.
    public let radians: Double

    /// The earth's radius in kilometres.
    static let earthRadiusInKilometers = 6378.1
    private static let kilometersPerMile = 1.609344

    private init?(radians: Double) {
        // Not `radians < 0`: NaN is refused too.
        guard radians >= 0 else { return nil }
        self.radians = radians
    }

    /// A distance in kilometres; nil where it is negative or NaN.
    public static func kilometers(_ kilometers: Double) -> Distance? {
        Distance(radians: kilometers / earthRadiusInKilometers)
    }

    /// A distance in miles; nil where it is negative or NaN.
    public static func miles(_ miles: Double) -> Distance? {
        kilometers(miles * kilometersPerMile)
    }

    /// A distance in degrees of an arc; nil where it is negative or NaN.
    public static func degrees(_ degrees: Double) -> Distance? {
        Distance(radians: degrees * .pi / 180)
    }

    /// A distance in radians of an arc; nil where it is negative or NaN.
    public static func radians(_ radians: Double) -> Distance? {
        Distance(radians: radians)
    }

    /// The distance in kilometres.
    public func asKilometers() -> Double { radians * Self.earthRadiusInKilometers }

    /// The distance in miles.
    public func asMiles() -> Double { asKilometers() / Self.kilometersPerMile }

    /// The distance in degrees of an arc.
    public func asDegrees() -> Double { radians * 180 / .pi }
}

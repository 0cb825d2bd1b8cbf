import FirnStore

/// Whether a place lies within an area: an object with the `type` "Point" and `coordinates` of longitude and latitude, as
/// GeoJSON (RFC 7946) has them.
struct PlaceTest: Sendable {
    let path: BoundPath
    let reach: PathTest.Reach
    let typeSlot: Int
    let coordinatesSlot: Int
    let area: BoundArea

    func matches(_ scope: Scope, _ connection: Connection) -> Bool {
        let isAll = reach == .all
        let isExhausted = path.forEachObject(scope, connection) { record, _ in
            contains(record, connection) == isAll
        }
        return isExhausted == isAll
    }

    private func contains(_ record: RecordView, _ connection: Connection) -> Bool {
        guard record.tag(typeSlot) == .string, connection.string(record, typeSlot) == "Point" else { return false }
        var numbers: [Double] = []
        _ = connection.forEachElement(of: record, coordinatesSlot) { record, slot in
            if record.tag(slot) == .double { numbers.append(record.double(slot)) }
            return numbers.count < 3
        }
        guard numbers.count >= 2, numbers.allSatisfy(\.isFinite), abs(numbers[0]) <= 180, abs(numbers[1]) <= 90 else {
            return false
        }
        return area.contains(GeoArea.Point(longitude: numbers[0], latitude: numbers[1]))
    }
}

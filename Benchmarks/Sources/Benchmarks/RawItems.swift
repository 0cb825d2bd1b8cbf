import Foundation
import RawLMDB

/// Rows as the C side takes them.
struct RawItems {
    let items: [raw_item]

    init(_ rows: [Row]) {
        items = rows.map { row in
            var item = raw_item()
            item.id = UInt64(row.id)
            item.uuid = row.uuid.uuid
            item.category = Int64(row.category)
            item.token = row.token.uuid
            item.score = row.score
            item.counter = Int64(row.counter)
            item.group = UInt64(row.group)
            item.active = row.active
            item.name_length = UInt8(row.name.utf8.count)
            withUnsafeMutableBytes(of: &item.name) { $0.copyBytes(from: row.name.utf8) }
            return item
        }
    }

    /// The row that `item` stands for.
    static func row(_ item: raw_item) -> Row {
        let name = withUnsafeBytes(of: item.name) { String(decoding: $0.prefix(Int(item.name_length)), as: UTF8.self) }
        return Row(
            id: Int(item.id), uuid: UUID(uuid: item.uuid), category: Int(item.category),
            token: UUID(uuid: item.token), name: name, score: item.score, counter: Int(item.counter),
            active: item.active, group: Int(item.group))
    }
}

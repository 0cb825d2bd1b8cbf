import Firn
import Foundation
import TestSupport
import Testing

/// Random changes of a list or a map, and of the plain collection that stands for it.
extension ElementKind {
    func change(
        _ list: List<Element>, _ model: inout [Model], _ realm: Realm, _ generator: inout SeededGenerator
    ) throws {
        if model.count > 400 {
            list.removeSubrange(50...)
            model.removeSubrange(50...)
        }
        let position = Int.random(in: 0...model.count, using: &generator)
        switch Int.random(in: 0..<13, using: &generator) {
        case 0, 1:
            let (added, element) = random(&generator, realm)
            list.append(element)
            model.append(added)
        case 2:
            let added = some(&generator, realm)
            list.append(objectsIn: added.map(\.element))
            model += added.map(\.model)
        case 3:
            let added = some(&generator, realm)
            list.insert(contentsOf: added.map(\.element), at: position)
            model.insert(contentsOf: added.map(\.model), at: position)
        case 4:
            let (added, element) = random(&generator, realm)
            list.insert(element, at: position)
            model.insert(added, at: position)
        case 5:
            let upper = Int.random(in: position...model.count, using: &generator)
            list.removeSubrange(position..<upper)
            model.removeSubrange(position..<upper)
        case 6 where generator.chance(4):
            list.removeAll()
            model = []
        case 7:
            let upper = Int.random(in: position...model.count, using: &generator)
            let added = some(&generator, realm)
            list.replaceSubrange(position..<upper, with: added.map(\.element))
            model.replaceSubrange(position..<upper, with: added.map(\.model))
        case 8:
            let removed = IndexSet(model.indices.filter { _ in generator.chance(3) })
            list.remove(atOffsets: removed)
            for index in removed.reversed() { model.remove(at: index) }
        case 9:
            let moved = IndexSet(model.indices.filter { _ in generator.chance(5) })
            list.move(fromOffsets: moved, toOffset: position)
            let before = (0..<position).filter { !moved.contains($0) }
            let behind = (position..<model.count).filter { !moved.contains($0) }
            model = (before + Array(moved) + behind).map { model[$0] }
        case _ where position < model.count: try changeOne(list, &model, position, realm, &generator)
        default: break
        }
    }

    /// Changes an element that is there.
    private func changeOne(
        _ list: List<Element>, _ model: inout [Model], _ position: Int, _ realm: Realm,
        _ generator: inout SeededGenerator
    ) throws {
        let another = Int.random(in: 0..<model.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
            list.move(from: position, to: another)
            model.insert(model.remove(at: position), at: another)
        case 1:
            list.swapAt(position, another)
            model.swapAt(position, another)
        case 2:
            let (replacement, element) = random(&generator, realm)
            list[position] = element
            model[position] = replacement
        default:
            try #require(self.model(list[position]) == model[position])
            let first = isNested(model[position]) ? position : model.firstIndex(of: model[position])
            try #require(list.index(of: list[position]) == first)
            list.remove(at: position)
            model.remove(at: position)
        }
    }

    func change(
        _ map: Map<String, Element>, _ model: inout [String: Model], _ realm: Realm,
        _ generator: inout SeededGenerator
    ) throws {
        let key = generator.chance(3) ? model.keys.sorted().randomElement(using: &generator) ?? "" : generator.key()
        switch Int.random(in: 0..<7, using: &generator) {
        case 0, 1, 2:
            let (added, value) = random(&generator, realm)
            map.updateValue(value, forKey: key)
            model.updateValue(added, forKey: key)
        case 3, 4:
            try #require(map[key].map(self.model) == model[key])
            map[key] = nil
            model[key] = nil
        case 5 where generator.chance(4):
            map.removeAll()
            model = [:]
        default:
            let added = some(&generator, realm).map { (generator.key(), $0.model, $0.element) }
            map.merge(added.map { ($0.0, $0.2) }) { $1 }
            model.merge(added.map { ($0.0, $0.1) }) { $1 }
        }
    }
}

import FirnStore

/// The links that lead to an object from one property of a class.
struct LinkingHandle {
    /// What the links lead to.
    let owner: ObjectBase
    /// The index of the property that shows them.
    let index: Int

    /// The same links in another context of the realm that the owner belongs to.
    func moved(to context: RealmContext) -> LinkingHandle {
        if owner.context === context { return self }
        return LinkingHandle(owner: context.accessor(of: owner), index: index)
    }

    /// The property that shows them.
    var link: LinkInfo { owner.binding.info.incomingLinks[index] }

    /// The class whose objects have the links.
    var origin: TableBinding { owner.binding.linkOrigins[index].binding }

    /// The slot of the property that has them.
    var slot: Int { owner.binding.linkOrigins[index].slot }

    /// The objects that have the links, each as often as it links.
    func keys(in context: RealmContext) -> [ObjectKey] {
        let slot = slot
        guard let column = origin.table.columns.first(where: { $0.slot == slot }) else { return [] }
        let row = RowID(table: owner.binding.table.id, key: owner.key)
        return context.connection.backlinks(to: row, column: column.id).flatMap { link in
            repeatElement(link.origin, count: link.count)
        }
    }
}

extension LinkingHandle: Hashable {
    /// Whether both are the links to one object of one realm by one property.
    static func == (left: LinkingHandle, right: LinkingHandle) -> Bool {
        left.index == right.index && left.owner.isSameObject(as: right.owner)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(index)
        hasher.combine(owner.key)
    }
}

// Models speak of dates, data, UUIDs and predicates; whoever imports Realm's SDK has those without a word.
@_exported import Foundation

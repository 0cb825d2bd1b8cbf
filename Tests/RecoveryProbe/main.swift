import Firn
import FirnStore
import FirnTool
import Foundation

// A process for what a test cannot do in its own: become another user, lower its limits, fill a disk of its own, hold a
// snapshot or a write. Prints what happened, a line each.

var arguments = ArgumentList(CommandLine.arguments.dropFirst())
let limits = ProcessLimits(
    user: try arguments.integer("user", in: 1 ... .max),
    addressSpace: try arguments.integer("address-space", in: 1 ... .max))
let isReadOnly = arguments.flag("read-only")
let deathPercentage = try arguments.integer("die-at", in: 0...100)
let command = try arguments.operand("a command")
let path = try arguments.operand("a path")
limits.apply()
switch command {
case "open": Probe(path).open(isReadOnly: isReadOnly)
case "fill-disk": try Probe(path + "/store.firn").fillDisk(directory: path)
case "index": Probe(path).index(dyingAt: deathPercentage)
case "write": try Probe(path).holdWrite()
case "hold":
    let connection = try Connection(store: Store.open(StoreOptions(path: path, isReadOnly: true)))
    say("ready")
    while readLine() != nil {}
    withExtendedLifetime(connection) {}
default: fatalError("unknown command \(command)")
}

#if FUZZING
import FuzzTargets

/// What a process feeds. Set before libFuzzer begins, which calls from the thread that started it.
nonisolated(unsafe) private var run: ((UnsafeRawBufferPointer) throws -> Bool)?

/// Lets libFuzzer draw inputs until its limits are reached, with the arguments that it takes behind the target's name.
func fuzz(_ target: FuzzTarget) throws -> CInt {
    run = try target.prepare()
    var arguments = CommandLine.unsafeArgv
    // The target's name is in the place of the program's, which libFuzzer passes over.
    arguments += 1
    var count = CommandLine.argc - 1
    return runFuzzer(&count, &arguments) { bytes, count in
        do {
            _ = try run?(UnsafeRawBufferPointer(start: bytes, count: count))
        } catch {
            fatalError("\(error)")
        }
        return 0
    }
}

/// libFuzzer's driver, which is a library's function.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ argumentCount: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
#endif

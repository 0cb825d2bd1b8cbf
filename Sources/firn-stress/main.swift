import Glibc

exit(StressTool.run(Array(CommandLine.arguments.dropFirst())))

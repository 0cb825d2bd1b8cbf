// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "benchmarks",
    dependencies: [.package(name: "firn", path: "..")],
    targets: [
        .target(name: "RawLMDB", linkerSettings: [.linkedLibrary("lmdb")]),
        .executableTarget(
            name: "Benchmarks", dependencies: ["RawLMDB", .product(name: "Firn", package: "firn")]),
    ],
    swiftLanguageModes: [.v6]
)

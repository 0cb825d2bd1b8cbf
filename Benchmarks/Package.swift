// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "benchmarks",
    dependencies: [.package(name: "firn", path: "..")],
    targets: [
        .systemLibrary(name: "CSQLite3", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev", "pkg-config"])]),
        .target(name: "RawLMDB", linkerSettings: [.linkedLibrary("lmdb")]),
        .executableTarget(
            name: "Benchmarks", dependencies: ["CSQLite3", "RawLMDB", .product(name: "Firn", package: "firn")]),
    ],
    swiftLanguageModes: [.v6]
)

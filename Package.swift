// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "firn",
    products: [
        .library(name: "Firn", targets: ["Firn"]),
        .library(name: "RealmSwift", targets: ["RealmSwift"]),
        .library(name: "Realm", targets: ["Realm"]),
        .executable(name: "firn", targets: ["firn"]),
        .executable(name: "firn-stress", targets: ["firn-stress"]),
    ],
    targets: [
        .systemLibrary(
            name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev", "pkg-config"])]),
        .systemLibrary(
            name: "CSQLite", path: "Tests/CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev", "pkg-config"])]),
        .target(name: "CSwiftMetadata"),
        .target(name: "CThreadIdentity"),
        .target(name: "CFirnSystem"),
        .target(name: "LMDB", dependencies: ["CLMDB", "CFirnSystem", "CThreadIdentity"]),
        .target(name: "FirnStore", dependencies: ["CFirnSystem", "LMDB"]),
        .target(name: "FirnQuery", dependencies: ["FirnStore"]),
        .target(name: "Firn", dependencies: ["FirnQuery", "CSwiftMetadata", "CThreadIdentity"]),
        .target(name: "RealmSwift", dependencies: ["Firn"]),
        .target(name: "Realm", dependencies: ["Firn"]),
        .target(name: "FirnTool", dependencies: ["CFirnSystem"]),
        .executableTarget(name: "firn", dependencies: ["FirnQuery", "FirnStore", "FirnTool", "LMDB"]),
        .executableTarget(name: "firn-stress", dependencies: ["Firn", "FirnStore", "FirnTool", "LMDB"]),
        .target(
            name: "TestSupport", dependencies: ["FirnStore", "FirnTool", "LMDB"], path: "Tests/TestSupport"),
        .executableTarget(
            name: "recovery-probe", dependencies: ["Firn", "FirnStore", "FirnTool"], path: "Tests/RecoveryProbe"),
        .target(
            name: "FuzzTargets", dependencies: ["FirnQuery", "FirnStore", "LMDB", "TestSupport"],
            path: "Tests/Fuzzing/Targets"),
        .executableTarget(name: "firn-fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzzing/Tool"),
        .testTarget(name: "TestSupportTests", dependencies: ["TestSupport"]),
        .testTarget(name: "LMDBTests", dependencies: ["LMDB", "TestSupport"]),
        .testTarget(name: "FirnStoreTests", dependencies: ["FirnStore", "TestSupport"]),
        .testTarget(name: "FirnQueryTests", dependencies: ["CSQLite", "FirnQuery", "FuzzTargets", "TestSupport"]),
        .testTarget(name: "ToolTests", dependencies: ["FirnTool", "TestSupport"]),
        .testTarget(name: "RecoveryTests", dependencies: ["Firn", "FirnStore", "FirnTool", "LMDB", "TestSupport"]),
        .testTarget(
            name: "SeedTests", dependencies: ["Realm", "RealmSwift", "TestSupport"], exclude: ["Oracle"]),
        .testTarget(
            name: "FirnTests", dependencies: ["Firn", "FirnTool", "LMDB", "TestSupport"], exclude: ["Values/Oracle"]),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "cities",
    dependencies: [.package(name: "firn", path: "../..")],
    targets: [
        .executableTarget(
            name: "Cities", dependencies: [.product(name: "Firn", package: "firn")],
            exclude: ["Data/README.md"], resources: [.copy("Data/cities.csv"), .copy("Data/countries.csv")])
    ],
    swiftLanguageModes: [.v6]
)

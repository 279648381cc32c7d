// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "PlayerTour",
  dependencies: [.package(name: "vitrine", path: "../..", traits: [])],
  targets: [
    .executableTarget(name: "PlayerTour", dependencies: [.product(name: "VitrinePlayback", package: "vitrine")])
  ],
  swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "PlayFile",
  dependencies: [.package(name: "vitrine", path: "../..", traits: [])],
  targets: [
    .executableTarget(name: "PlayFile", dependencies: [.product(name: "VitrinePlayback", package: "vitrine")])
  ],
  swiftLanguageModes: [.v6]
)

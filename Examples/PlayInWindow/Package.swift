// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "PlayInWindow",
  dependencies: [.package(name: "vitrine", path: "../..", traits: [])],
  targets: [
    .systemLibrary(name: "CGtk", pkgConfig: "gtk4-wayland"),
    .executableTarget(
      name: "PlayInWindow", dependencies: ["CGtk", .product(name: "VitrinePlayback", package: "vitrine")]),
  ],
  swiftLanguageModes: [.v6]
)

// The findings on PCs' graphics chips that decode: the packages that they need.

/// A maker of graphics chips whose drivers for VA-API are packages of their own.
struct GraphicsMaker: Hashable, Sendable {
  var name: String
  /// The VA-API drivers; one of them is enough.
  var drivers: Set<String>
  /// Debian's package for current chips.
  var package: String
  /// An addition to the remedy.
  var note: String

  /// The makers by their PCI vendor numbers. For others no helpful package is known: NVIDIA's needs firmware that
  /// Debian doesn't have.
  static let known: [Int: GraphicsMaker] = [
    0x8086: GraphicsMaker(
      name: "Intel", drivers: ["iHD", "i965"], package: "intel-media-va-driver",
      note: ", or i965-va-driver for a chip from before 2014"),
    0x1002: GraphicsMaker(name: "AMD", drivers: ["radeonsi", "r600"], package: "mesa-va-drivers", note: ""),
  ]
}

extension Checkup {
  /// Warns of a chip whose driver isn't installed: GStreamer just lacks its decoders, without an error.
  mutating func checkGraphics(_ decoding: DoctorFacts.Decoding) {
    for node in decoding.renderNodes {
      guard let maker = GraphicsMaker.known[node.vendor] else { continue }
      let found = decoding.graphicsDrivers.filter(maker.drivers.contains)
      if found.isEmpty {
        warn(
          .decoding, "graphics",
          "\(node.path) (\(maker.name)): the driver for its decoders isn't installed, and the processor decodes",
          "install \(maker.package)\(maker.note); then start the player again",
          command: "apt install \(maker.package)")
      } else {
        ok(
          .decoding, "graphics",
          "\(node.path) (\(maker.name)), with \(found.count == 1 ? "driver" : "drivers") \(found.sorted().joined(separator: ", "))"
        )
      }
    }
  }
}

extension DoctorFacts.Decoding {
  /// Tells whether hardware or the processor decoded a clip of the self-test, and how its frames reach the screen;
  /// empty where that isn't known.
  ///
  /// - Parameter decoder: the decoder that was used; empty if none was made.
  public func way(ofFramesOf decoder: String, isHardware: Bool) -> String {
    guard !decoder.isEmpty else { return "" }
    guard isHardware else { return "in software" }
    switch codecs.first(where: { $0.decoder == decoder })?.framePath {
    case "untouched": return "in hardware; frames go to the plane untouched"
    case "processed": return "in hardware; the graphics chip writes frames once more"
    case "copied", "converted": return "in hardware; the processor reads frames back"
    default: return "in hardware"
    }
  }
}

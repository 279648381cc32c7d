import PlaybackCore

/// HDR on one connector: its abilities, and the changes that switch it on and off. Not yet proven on hardware.
struct HDRScreen: Hashable, Sendable {
  private let connector: ConnectorSnapshot
  /// The transfer curves that frames may have.
  let transfers: Set<HDRTransfer>
  private var properties: ObjectProperties { connector.properties }

  /// - Parameter plane: the plane that shows the video.
  init(_ connector: ConnectorSnapshot, plane: PlaneSnapshot?) {
    self.connector = connector
    // Eight bits are too few for PQ, and a plane that doesn't know BT.2020 shows false colours.
    let canShow =
      connector.properties["HDR_OUTPUT_METADATA"].map { !$0.isImmutable } ?? false
      && plane?.formats.contains(.p010) ?? false
      && plane?.properties["COLOR_ENCODING"]?.choices["ITU-R BT.2020 YCbCr"] != nil
    transfers = canShow ? connector.hdr.transfers : []
  }

  /// Whether the screen needs other metadata for frames of this colour than for those before.
  ///
  /// - Parameter before: nil after an earlier process's frames; the connector's properties, as they were read, decide
  ///   then.
  func isToBeTold(_ colour: VideoColour, after before: VideoColour?) -> Bool {
    let metadata = metadata(for: colour)
    guard let before else {
      return metadata != nil || properties["HDR_OUTPUT_METADATA"].map { $0.value != 0 } ?? false
    }
    return metadata != self.metadata(for: before)
  }

  /// The metadata for frames of that colour; nil for SDR, and for a curve that the screen can't show.
  func metadata(for colour: VideoColour) -> HDRMetadata? {
    colour.hdr.flatMap { transfers.contains($0) ? HDRMetadata($0, colour.light) : nil }
  }

  /// - Parameter blob: the metadata's blob; nil for SDR.
  func change(blob: UInt32?) -> AtomicChange {
    var change = AtomicChange()
    guard let blob else {
      change.putBackHDR(connector)
      return change
    }
    change.setIfPresent("HDR_OUTPUT_METADATA", of: properties, to: UInt64(blob))
    let screen = connector.hdr
    // The driver chooses between RGB and Y'CbCr on the cable; most choose RGB.
    let spaces = properties["Colorspace"]?.choices
    let space = screen.takesRGB2020 ? spaces?["BT2020_RGB"] : screen.takesYCC2020 ? spaces?["BT2020_YCC"] : nil
    change.setIfPresent("Colorspace", of: properties, to: space)
    // Ten bits, or the nearest that the connector has: more would load the cable without a visible gain.
    let depth = properties["max bpc"]?.range.map { min($0.upperBound, max($0.lowerBound, 10)) }
    change.setIfPresent("max bpc", of: properties, to: depth)
    return change
  }
}

extension ConnectorSnapshot {
  /// Whether the connector was set to HDR when it was read. Properties outlive the process that set them.
  var isToldHDR: Bool {
    let space = properties["Colorspace"]
    return (properties["HDR_OUTPUT_METADATA"]?.value ?? 0) != 0
      || (space?.value ?? 0) != (space?.choices["Default"] ?? 0)
  }

  /// The connector without HDR. Eight bits are the drivers' default; the earlier depth is unknown.
  var withoutHDR: ConnectorSnapshot {
    guard isToldHDR else { return self }
    var connector = self
    connector.properties.entries["HDR_OUTPUT_METADATA"]?.value = 0
    connector.properties.entries["Colorspace"]?.value = properties["Colorspace"]?.choices["Default"] ?? 0
    if let depths = properties["max bpc"]?.range {
      connector.properties.entries["max bpc"]?.value = min(depths.upperBound, max(depths.lowerBound, 8))
    }
    return connector
  }
}

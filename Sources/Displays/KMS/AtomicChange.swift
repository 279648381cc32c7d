import PlaybackCore

/// Property values to be set together or not at all.
struct AtomicChange: Hashable, Sendable {
  struct Assignment: Hashable, Sendable {
    var object: UInt32
    var property: UInt32
    var value: UInt64
  }

  private(set) var assignments: [Assignment] = []
  /// Required properties that the object doesn't have; a change with one is never committed.
  private(set) var missing: [String] = []

  mutating func set(_ name: String, of object: ObjectProperties, to value: UInt64) {
    guard let property = object[name] else {
      missing.append(name)
      return
    }
    assignments.append(Assignment(object: object.objectID, property: property.id, value: value))
  }

  /// For properties that not every driver has, and whose default would be right.
  mutating func setIfPresent(_ name: String, of object: ObjectProperties, to value: UInt64?) {
    guard let value, let property = object[name], !property.isImmutable else { return }
    assignments.append(Assignment(object: object.objectID, property: property.id, value: value))
  }

  /// Leaves out properties that already have their value.
  mutating func leaveOut(valuesOf object: ObjectProperties) {
    assignments.removeAll { item in
      item.object == object.objectID
        && object.entries.values.contains { $0.id == item.property && $0.value == item.value }
    }
  }

  mutating func disable(_ plane: PlaneSnapshot) {
    set("FB_ID", of: plane.properties, to: 0)
    set("CRTC_ID", of: plane.properties, to: 0)
  }

  /// Shows on a plane the framebuffer that it had when the card was read.
  mutating func relight(_ plane: PlaneSnapshot) {
    let before = plane.properties
    set("FB_ID", of: before, to: UInt64(plane.framebufferID))
    for name in ["CRTC_ID", "SRC_X", "SRC_Y", "SRC_W", "SRC_H", "CRTC_X", "CRTC_Y", "CRTC_W", "CRTC_H"] {
      set(name, of: before, to: before[name]?.value ?? 0)
    }
  }

  mutating func turnOff(_ crtc: CRTCSnapshot) {
    set("MODE_ID", of: crtc.properties, to: 0)
    set("ACTIVE", of: crtc.properties, to: 0)
  }

  /// Shows a whole framebuffer on a plane.
  mutating func light(
    _ plane: PlaneSnapshot, crtc: UInt32, framebuffer: UInt32, source: PixelSize, on rect: PixelRect, zpos: UInt64?
  ) {
    let object = plane.properties
    set("FB_ID", of: object, to: UInt64(framebuffer))
    set("CRTC_ID", of: object, to: UInt64(crtc))
    set("SRC_X", of: object, to: 0)
    set("SRC_Y", of: object, to: 0)
    // Sizes in the source are 16.16 fixed point.
    set("SRC_W", of: object, to: UInt64(max(0, source.width)) << 16)
    set("SRC_H", of: object, to: UInt64(max(0, source.height)) << 16)
    set("CRTC_X", of: object, to: UInt64(bitPattern: Int64(rect.x)))
    set("CRTC_Y", of: object, to: UInt64(bitPattern: Int64(rect.y)))
    set("CRTC_W", of: object, to: UInt64(max(0, rect.width)))
    set("CRTC_H", of: object, to: UInt64(max(0, rect.height)))
    prepare(plane, zpos: zpos)
  }

  /// Switches off a connector's HDR mode.
  mutating func putBackHDR(_ connector: ConnectorSnapshot) {
    let object = connector.properties
    // Not to the old value: its blob may have gone with the program that made it.
    setIfPresent("HDR_OUTPUT_METADATA", of: object, to: 0)
    for name in ["Colorspace", "max bpc"] { setIfPresent(name, of: object, to: object[name]?.value) }
  }

  /// Switches off the HDR mode that an earlier program left on the connector: frames are SDR until one says otherwise.
  mutating func forgetHDR(_ connector: ConnectorSnapshot) {
    if connector.isToldHDR { putBackHDR(connector.withoutHDR) }
  }

  /// Restores the properties of an object that the player may have changed and that outlive its being off.
  mutating func putBack(_ object: ObjectProperties) {
    for name in Self.kept { setIfPresent(name, of: object, to: object[name]?.value) }
  }

  private static let kept = [
    "zpos", "rotation", "alpha", "pixel blend mode", "COLOR_ENCODING", "COLOR_RANGE", "BACKGROUND_COLOR",
  ]

  /// Resets the properties that a plane keeps while it is off: an earlier program may have changed them.
  mutating func prepare(_ plane: PlaneSnapshot, zpos: UInt64?) {
    let object = plane.properties
    setIfPresent("zpos", of: object, to: zpos)
    setIfPresent("rotation", of: object, to: 1)
    setIfPresent("alpha", of: object, to: object["alpha"]?.range?.upperBound)
    setIfPresent("pixel blend mode", of: object, to: object["pixel blend mode"]?.choices["Pre-multiplied"])
  }

  /// Makes a plane read YUV as `colour`. The video sink doesn't set this, and drivers differ in their defaults.
  mutating func prepareColour(_ plane: PlaneSnapshot, _ colour: VideoColour) {
    let object = plane.properties
    let encoding =
      switch colour.matrix {
      case .bt601: "ITU-R BT.601 YCbCr"
      case .bt709: "ITU-R BT.709 YCbCr"
      case .bt2020: "ITU-R BT.2020 YCbCr"
      }
    let range = colour.isFullRange ? "YCbCr full range" : "YCbCr limited range"
    setIfPresent("COLOR_ENCODING", of: object, to: object["COLOR_ENCODING"]?.choices[encoding])
    setIfPresent("COLOR_RANGE", of: object, to: object["COLOR_RANGE"]?.choices[range])
  }
}

extension DisplayPlan {
  var screen: PixelRect { PixelRect(x: 0, y: 0, width: mode.size.width, height: mode.size.height) }

  /// The commit that shows the background on this plan's screen and takes everything else off it.
  ///
  /// - Parameters:
  ///   - card: the snapshot from which the plan was made.
  ///   - modeBlob: the blob that holds the mode.
  ///   - background: a framebuffer of the mode's size.
  ///   - colour: of the screen outside all planes: 0xRRGGBB.
  func modeset(on card: CardSnapshot, modeBlob: UInt32, background: UInt32, colour: UInt32 = 0) -> AtomicChange {
    var change = AtomicChange()
    change.set("CRTC_ID", of: connector.properties, to: UInt64(crtcID))
    change.setIfPresent(
      "link-status", of: connector.properties, to: connector.properties["link-status"]?.choices["Good"])
    change.forgetHDR(card.connectors.first { $0.id == connector.id } ?? connector)
    // A console may mirror its picture on several connectors; the others may not have this mode.
    for other in card.connectors where other.id != connector.id && other.crtcID == crtcID {
      change.set("CRTC_ID", of: other.properties, to: 0)
    }
    // A CRTC that loses its only connector has to be switched off: the kernel refuses one that drives nothing.
    let left = abandonedCRTC(on: card)
    if let left { change.turnOff(left) }
    if let crtc = card.crtc(crtcID) {
      change.set("MODE_ID", of: crtc.properties, to: UInt64(modeBlob))
      change.set("ACTIVE", of: crtc.properties, to: 1)
      change.setIfPresent("BACKGROUND_COLOR", of: crtc.properties, to: Self.wideColour(colour))
    }
    for plane in card.planes {
      if plane.id == planes.primary {
        change.light(
          plane, crtc: crtcID, framebuffer: background, source: mode.size, on: screen, zpos: planes.stacking[plane.id])
        if plane.id == planes.video { change.prepareColour(plane, .highDefinition) }
      } else if plane.isLit, plane.crtcID == crtcID || plane.crtcID == left?.id {
        change.disable(plane)
      }
      // The video sink lights its plane with its place and nothing else.
      if plane.id == planes.video, plane.id != planes.primary {
        change.prepare(plane, zpos: planes.stacking[plane.id])
        change.prepareColour(plane, .highDefinition)
      }
    }
    return change
  }

  /// The commit that restores the picture from before this process, to be tried at the end.
  ///
  /// - Parameter modeBlob: a blob with the CRTC's old mode; nil if the CRTC was off or the mode can't be restored:
  ///   everything is then switched off.
  func restore(_ card: CardSnapshot, modeBlob: UInt32?) -> AtomicChange {
    var change = AtomicChange()
    for case let id? in [planes.overlay, planes.video] where id != planes.primary {
      guard let plane = card.plane(id) else { continue }
      change.disable(plane)
      change.putBack(plane.properties)
    }
    change.putBackHDR(connector)
    guard let crtc = card.crtc(crtcID), let primary = card.plane(planes.primary) else { return change }
    change.putBack(primary.properties)
    change.putBack(crtc.properties)
    guard let modeBlob, primary.crtcID == crtcID, primary.framebufferID != 0 else {
      change.disable(primary)
      change.set("CRTC_ID", of: connector.properties, to: 0)
      change.turnOff(crtc)
      return change
    }
    for other in card.connectors where other.crtcID == crtcID {
      change.set("CRTC_ID", of: other.properties, to: UInt64(crtcID))
    }
    if connector.crtcID != crtcID { change.set("CRTC_ID", of: connector.properties, to: 0) }
    change.set("MODE_ID", of: crtc.properties, to: UInt64(modeBlob))
    change.set("ACTIVE", of: crtc.properties, to: 1)
    change.relight(primary)
    return change
  }

  /// Like `restore`, with everything else that `modeset` took off the screen: other planes, and the connector's old
  /// CRTC. Fails as a whole if a framebuffer has gone with its program meanwhile.
  ///
  /// - Parameter otherBlob: a blob with the mode of `abandonedCRTC`.
  func restoreAll(_ card: CardSnapshot, modeBlob: UInt32?, otherBlob: UInt32?) -> AtomicChange {
    // Of two values for one property libdrm sends the later.
    var change = restore(card, modeBlob: modeBlob)
    let other = otherBlob == nil ? nil : abandonedCRTC(on: card)
    if let other, let otherBlob {
      change.set("CRTC_ID", of: connector.properties, to: UInt64(other.id))
      change.set("MODE_ID", of: other.properties, to: UInt64(otherBlob))
      change.set("ACTIVE", of: other.properties, to: 1)
    }
    for plane in card.planes where plane.id != planes.primary && plane.isLit {
      let wasOnOurs = modeBlob != nil && plane.crtcID == crtcID
      if wasOnOurs || plane.crtcID == other?.id { change.relight(plane) }
    }
    return change
  }

  /// 16 bits a channel, alpha first, as the kernel has the colour behind all planes.
  static func wideColour(_ colour: UInt32) -> UInt64 {
    [16, 8, 0].reduce(UInt64(0xFFFF)) { $0 << 16 | UInt64(colour >> UInt32($1) & 0xFF) * 0x101 }
  }

  /// The commit that takes the overlay and the video off the screen, and leaves the picture on the primary plane.
  func leave(_ card: CardSnapshot) -> AtomicChange {
    var change = AtomicChange()
    for case let id? in [planes.overlay, planes.video] where id != planes.primary {
      guard let plane = card.plane(id) else { continue }
      change.disable(plane)
      change.putBack(plane.properties)
    }
    return change
  }

  /// The CRTC that drove this connector alone before the player chose another for it.
  func abandonedCRTC(on card: CardSnapshot) -> CRTCSnapshot? {
    guard connector.crtcID != 0, connector.crtcID != crtcID else { return nil }
    let isShared = card.connectors.contains { $0.id != connector.id && $0.crtcID == connector.crtcID }
    return isShared ? nil : card.crtc(connector.crtcID)
  }
}

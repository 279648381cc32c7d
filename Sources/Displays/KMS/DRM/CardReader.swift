import CDRM
import Glibc
import PlaybackCore

extension Card {
  /// Reads everything that a plan needs. Probes the connectors for their screens, which can take tens of milliseconds
  /// each.
  func snapshot() throws(DRMFailure) -> CardSnapshot {
    guard let resources = drmModeGetResources(descriptor) else {
      throw DRMFailure(call: "drmModeGetResources", code: errno)
    }
    defer { drmModeFreeResources(resources) }
    guard let planes = drmModeGetPlaneResources(descriptor) else {
      throw DRMFailure(call: "drmModeGetPlaneResources", code: errno)
    }
    defer { drmModeFreePlaneResources(planes) }

    var reader = PropertyReader(descriptor: descriptor)
    var snapshot = CardSnapshot(path: path, driver: driver, device: CardDevice.name(ofCard: path))
    let all = resources.pointee
    snapshot.crtcs = buffer(all.crtcs, all.count_crtcs).compactMap { crtc($0, &reader) }
    snapshot.connectors = buffer(all.connectors, all.count_connectors).compactMap { connector($0, &reader) }
    snapshot.planes = buffer(planes.pointee.planes, planes.pointee.count_planes).compactMap { plane($0, &reader) }
    return snapshot
  }

  /// Probes one connector for its screen, which can take tens of milliseconds; nil if the connector is gone.
  func connectorNow(_ id: UInt32) -> ConnectorSnapshot? {
    var reader = PropertyReader(descriptor: descriptor)
    return connector(id, &reader)
  }

  private func crtc(_ id: UInt32, _ reader: inout PropertyReader) -> CRTCSnapshot? {
    guard let crtc = drmModeGetCrtc(descriptor, id) else { return nil }
    defer { drmModeFreeCrtc(crtc) }
    return CRTCSnapshot(
      id: id, mode: crtc.pointee.mode_valid != 0 ? ModeSnapshot(crtc.pointee.mode) : nil,
      properties: reader.read(id, type: DRM_MODE_OBJECT_CRTC))
  }

  private func connector(_ id: UInt32, _ reader: inout PropertyReader) -> ConnectorSnapshot? {
    guard let connector = drmModeGetConnector(descriptor, id) else { return nil }
    defer { drmModeFreeConnector(connector) }
    let read = connector.pointee
    // A writeback connector writes to memory and has no screen.
    guard read.connector_type != DRM_MODE_CONNECTOR_WRITEBACK else { return nil }
    let type = drmModeGetConnectorTypeName(read.connector_type).map { String(cString: $0) } ?? "Unknown"
    let properties = reader.read(id, type: DRM_MODE_OBJECT_CONNECTOR)
    var possible: UInt32 = 0
    for id in buffer(read.encoders, read.count_encoders) {
      guard let encoder = drmModeGetEncoder(descriptor, id) else { continue }
      possible |= encoder.pointee.possible_crtcs
      drmModeFreeEncoder(encoder)
    }
    let status: ConnectorSnapshot.Status =
      switch read.connection {
      case DRM_MODE_CONNECTED: .connected
      case DRM_MODE_DISCONNECTED: .disconnected
      default: .unknown
      }
    let edid = (properties["EDID"]?.value).flatMap { blob(UInt32(truncatingIfNeeded: $0)) } ?? []
    return ConnectorSnapshot(
      id: id, name: "\(type)-\(read.connector_type_id)", status: status,
      modes: buffer(read.modes, read.count_modes).map { ModeSnapshot($0) }, possibleCRTCs: possible,
      crtcID: UInt32(truncatingIfNeeded: properties["CRTC_ID"]?.value ?? 0),
      screenName: EDID.name(edid), hdr: ScreenHDR(edid: edid),
      millimetres: read.mmWidth > 0 && read.mmHeight > 0
        ? PixelSize(width: Int(read.mmWidth), height: Int(read.mmHeight)) : nil,
      properties: properties)
  }

  /// The driver's name, such as `vc4`; empty if unknown.
  private var driver: String {
    guard let version = drmGetVersion(descriptor) else { return "" }
    defer { drmFreeVersion(version) }
    let name = UnsafeRawBufferPointer(start: version.pointee.name, count: Int(max(0, version.pointee.name_len)))
    return String(decoding: name, as: UTF8.self)
  }

  private func blob(_ id: UInt32) -> [UInt8]? {
    guard id != 0, let blob = drmModeGetPropertyBlob(descriptor, id) else { return nil }
    defer { drmModeFreePropertyBlob(blob) }
    return Array(UnsafeRawBufferPointer(start: blob.pointee.data, count: Int(blob.pointee.length)))
  }

  private func plane(_ id: UInt32, _ reader: inout PropertyReader) -> PlaneSnapshot? {
    guard let plane = drmModeGetPlane(descriptor, id) else { return nil }
    defer { drmModeFreePlane(plane) }
    let properties = reader.read(id, type: DRM_MODE_OBJECT_PLANE)
    guard let kind = (properties["type"]?.value).flatMap({ PlaneSnapshot.Kind(rawValue: $0) }) else { return nil }
    let read = plane.pointee
    let layouts = (properties["IN_FORMATS"]?.value).flatMap { blob(UInt32(truncatingIfNeeded: $0)) } ?? []
    return PlaneSnapshot(
      id: id, kind: kind, possibleCRTCs: read.possible_crtcs,
      formats: buffer(read.formats, read.count_formats).map { FourCC(rawValue: $0) },
      modifiers: PlaneFormats.modifiers(layouts), crtcID: read.crtc_id,
      framebufferID: read.fb_id, properties: properties)
  }
}

/// Reads the properties of objects. A property means the same for all of its objects, so the reader asks the kernel for
/// each only once.
private struct PropertyReader {
  let descriptor: Int32
  private var known: [UInt32: (name: String, property: ObjectProperties.Property)] = [:]

  init(descriptor: Int32) { self.descriptor = descriptor }

  mutating func read(_ object: UInt32, type: UInt32) -> ObjectProperties {
    var result = ObjectProperties(objectID: object)
    guard let list = drmModeObjectGetProperties(descriptor, object, type) else { return result }
    defer { drmModeFreeObjectProperties(list) }
    let ids = buffer(list.pointee.props, list.pointee.count_props)
    let values = buffer(list.pointee.prop_values, list.pointee.count_props)
    for (id, value) in zip(ids, values) {
      guard let (name, meaning) = describe(id) else { continue }
      var property = meaning
      property.value = value
      result.entries[name] = property
    }
    return result
  }

  private mutating func describe(_ id: UInt32) -> (name: String, property: ObjectProperties.Property)? {
    if let found = known[id] { return found }
    guard let read = drmModeGetProperty(descriptor, id) else { return nil }
    defer { drmModeFreeProperty(read) }
    let flags = read.pointee.flags
    var property = ObjectProperties.Property(
      id: id, value: 0, isImmutable: flags & UInt32(DRM_MODE_PROP_IMMUTABLE) != 0)
    let values = buffer(read.pointee.values, read.pointee.count_values)
    if flags & UInt32(DRM_MODE_PROP_RANGE) != 0, values.count == 2, values[0] <= values[1] {
      property.range = values[0]...values[1]
    }
    let isBits = flags & UInt32(DRM_MODE_PROP_BITMASK) != 0
    if isBits || flags & UInt32(DRM_MODE_PROP_ENUM) != 0 {
      for choice in buffer(read.pointee.enums, read.pointee.count_enums) where !isBits || choice.value < 64 {
        property.choices[string(choice.name)] = isBits ? 1 << choice.value : choice.value
      }
    }
    let described = (name: string(read.pointee.name), property: property)
    known[id] = described
    return described
  }
}

extension ModeSnapshot {
  fileprivate init(_ mode: drmModeModeInfo) {
    let isInterlaced = mode.flags & UInt32(DRM_MODE_FLAG_INTERLACE) != 0
    // The clock is in kHz. An interlaced mode shows two fields a frame; double scan shows each line twice.
    let numerator = Int(mode.clock) * 1_000_000 * (isInterlaced ? 2 : 1)
    let doubled = mode.flags & UInt32(DRM_MODE_FLAG_DBLSCAN) != 0 ? 2 : 1
    let denominator = Int(mode.htotal) * Int(mode.vtotal) * doubled * max(1, Int(mode.vscan))
    self.init(
      size: PixelSize(width: Int(mode.hdisplay), height: Int(mode.vdisplay)),
      refreshMillihertz: denominator > 0 ? (numerator + denominator / 2) / denominator : Int(mode.vrefresh) * 1000,
      isPreferred: mode.type & UInt32(DRM_MODE_TYPE_PREFERRED) != 0, isInterlaced: isInterlaced,
      timings: withUnsafeBytes(of: mode) { Array($0) })
  }
}

private func buffer<T>(_ start: UnsafeMutablePointer<T>?, _ count: some BinaryInteger) -> UnsafeBufferPointer<T> {
  UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(count))
}

/// A C array of characters, which Swift sees as a tuple.
private func string<T>(_ characters: T) -> String {
  withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}

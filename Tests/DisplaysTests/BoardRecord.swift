import Foundation
import PlaybackCore

@testable import Displays

/// A record of a board's card from Tests/BoardRecords: the form of `drm_info -j`, with its origin in `_record`.
struct BoardRecord {
  struct Facts: Decodable {
    struct Decoder: Decodable {
      var name: String
      var kind: String
      var takes: [String]
      var source: String
    }

    var board: String
    /// The share of the record that was measured on the board itself.
    var kind: String
    var sources: [String]
    /// Values that the sources lack and that had to be added.
    var completed: String
    /// The device tree's `compatible` entries.
    var compatible: [String]
    var sound_cards: [String]
    var decoders: [Decoder]

    /// Layouts of a driver of VA-API, as caps have them.
    struct VA: Decodable {
      var decodes: [String]
      var writes: [String]
    }
    var va: VA?
  }

  var facts: Facts
  var card: CardSnapshot

  struct Unreadable: Error {}

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "BoardRecords")

  static func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
      .map { String($0.dropLast(5)) }.sorted()
  }

  init(_ name: String) throws {
    let data = try Data(contentsOf: Self.folder.appending(path: "\(name).json"))
    guard let root = try JSONSerialization.jsonObject(with: data) as? [String: Any],
      let (path, node) = root.first(where: { $0.key.hasPrefix("/dev/") }), let node = node as? [String: Any],
      let record = root["_record"]
    else { throw Unreadable() }
    facts = try JSONDecoder().decode(Facts.self, from: JSONSerialization.data(withJSONObject: record))
    func list(_ name: String) -> [[String: Any]] { node[name] as? [[String: Any]] ?? [] }
    let masks = Dictionary(
      list("encoders").map { (Self.number($0["id"]), Self.number($0["possible_crtcs"])) }, uniquingKeysWith: { $1 })
    card = CardSnapshot(path: path)
    card.driver = (node["driver"] as? [String: Any])?["name"] as? String ?? ""
    card.device = node["device"] as? String ?? ""
    card.crtcs = list("crtcs").map { CRTCSnapshot(id: UInt32(Self.number($0["id"]))) }
    var counts: [UInt64: Int] = [:]
    card.connectors = list("connectors").map { connector in
      let type = Self.number(connector["type"])
      counts[type, default: 0] += 1
      return Self.connector(connector, "\(Self.types[type] ?? "Unknown")-\(counts[type, default: 0])", masks)
    }
    card.planes = list("planes").compactMap(Self.plane)
  }

  /// DRM_MODE_CONNECTOR_* of drm_mode.h.
  private static let types: [UInt64: String] = [10: "DP", 11: "HDMI-A", 14: "eDP", 16: "DSI"]

  private static func number(_ value: Any?) -> UInt64 { (value as? NSNumber)?.uint64Value ?? 0 }

  private static func connector(_ read: [String: Any], _ name: String, _ masks: [UInt64: UInt64]) -> ConnectorSnapshot {
    let encoders = (read["encoders"] as? [Any] ?? []).map { number($0) }
    let status: ConnectorSnapshot.Status =
      switch number(read["status"]) {
      case 1: .connected
      case 2: .disconnected
      default: .unknown
      }
    let size = PixelSize(width: Int(number(read["phy_width"])), height: Int(number(read["phy_height"])))
    let properties = properties(read)
    return ConnectorSnapshot(
      id: UInt32(number(read["id"])), name: name, status: status,
      modes: (read["modes"] as? [[String: Any]] ?? []).map(mode),
      possibleCRTCs: UInt32(encoders.reduce(0) { $0 | (masks[$1] ?? 0) }),
      crtcID: UInt32(properties["CRTC_ID"]?.value ?? 0), millimetres: size.width > 0 ? size : nil,
      properties: properties)
  }

  private static func mode(_ read: [String: Any]) -> ModeSnapshot {
    let isInterlaced = number(read["flags"]) & 0x10 != 0
    let pixels = Int(number(read["htotal"]) * number(read["vtotal"]))
    let clock = Int(number(read["clock"])) * 1_000_000 * (isInterlaced ? 2 : 1)
    return ModeSnapshot(
      size: PixelSize(width: Int(number(read["hdisplay"])), height: Int(number(read["vdisplay"]))),
      refreshMillihertz: (clock + pixels / 2) / pixels, isPreferred: number(read["type"]) & 0x08 != 0,
      isInterlaced: isInterlaced)
  }

  private static func plane(_ read: [String: Any]) -> PlaneSnapshot? {
    let properties = properties(read)
    guard let kind = (properties["type"]?.value).flatMap({ PlaneSnapshot.Kind(rawValue: $0) }) else { return nil }
    let layouts = (read["properties"] as? [String: Any])?["IN_FORMATS"] as? [String: Any]
    var modifiers: [FourCC: Set<UInt64>] = [:]
    if let blob = layouts?["_blob"] as? String {
      // In modetest's output: the kernel's own bytes.
      let digits = Array(blob.utf8)
      modifiers = PlaneFormats.modifiers(
        stride(from: 0, to: digits.count, by: 2).compactMap {
          UInt8(String(decoding: digits[$0..<min($0 + 2, digits.count)], as: UTF8.self), radix: 16)
        })
    }
    for entry in layouts?["data"] as? [[String: Any]] ?? [] {
      for format in entry["formats"] as? [Any] ?? [] {
        modifiers[FourCC(rawValue: UInt32(number(format))), default: []].insert(number(entry["modifier"]))
      }
    }
    return PlaneSnapshot(
      id: UInt32(number(read["id"])), kind: kind, possibleCRTCs: UInt32(number(read["possible_crtcs"])),
      formats: (read["formats"] as? [Any] ?? []).map { FourCC(rawValue: UInt32(number($0))) }, modifiers: modifiers,
      crtcID: UInt32(properties["CRTC_ID"]?.value ?? 0), properties: properties)
  }

  private static func properties(_ read: [String: Any]) -> ObjectProperties {
    var result = ObjectProperties(objectID: UInt32(number(read["id"])))
    for (name, property) in read["properties"] as? [String: [String: Any]] ?? [:] {
      var entry = ObjectProperties.Property(
        id: UInt32(number(property["id"])), value: number(property["value"]),
        isImmutable: property["immutable"] as? Bool ?? false)
      if let range = property["spec"] as? [String: Any] { entry.range = number(range["min"])...number(range["max"]) }
      // 32 is DRM_MODE_PROP_BITMASK.
      let isBits = number(property["type"]) == 32
      for choice in property["spec"] as? [[String: Any]] ?? [] {
        let value = number(choice["value"])
        entry.choices[choice["name"] as? String ?? ""] = isBits ? 1 << value : value
      }
      result.entries[name] = entry
    }
    return result
  }
}

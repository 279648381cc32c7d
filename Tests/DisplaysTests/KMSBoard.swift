import PlaybackCore

@testable import Displays

/// A made-up card with one CRTC (80), one connected HDMI connector (90) and planes 35, 40, 45 and on, and a request.
struct Board {
  var card: CardSnapshot
  var request = KMSRequest()

  static let modes = [
    mode(1280, 720, 60_000, isPreferred: true), mode(1920, 1080, 60_000), mode(1920, 1080, 50_000),
    ModeSnapshot(size: PixelSize(width: 1920, height: 1080), refreshMillihertz: 60_000, isInterlaced: true),
    mode(640, 480, 59_940),
  ]

  init(overlays: Int) {
    card = CardSnapshot(path: "/dev/dri/card0", crtcs: [CRTCSnapshot(id: 80, properties: Self.properties(80))])
    addConnector("HDMI-A-1")
    for index in 0...overlays {
      let id = UInt32(35 + index * 5)
      card.planes.append(
        PlaneSnapshot(
          id: id, kind: index == 0 ? .primary : .overlay, possibleCRTCs: 1, formats: [.argb8888, .xrgb8888, .nv12],
          properties: Self.properties(id)))
    }
  }

  mutating func addConnector(_ name: String, status: ConnectorSnapshot.Status = .connected) {
    let id = UInt32(90 + card.connectors.count)
    card.connectors.append(
      ConnectorSnapshot(
        id: id, name: name, status: status, modes: Self.modes, possibleCRTCs: 1, properties: Self.properties(id)))
  }

  private static func mode(_ width: Int, _ height: Int, _ rate: Int, isPreferred: Bool = false) -> ModeSnapshot {
    ModeSnapshot(size: PixelSize(width: width, height: height), refreshMillihertz: rate, isPreferred: isPreferred)
  }

  static let propertyNames = [
    "CRTC_ID", "MODE_ID", "ACTIVE", "FB_ID", "SRC_X", "SRC_Y", "SRC_W", "SRC_H", "CRTC_X", "CRTC_Y", "CRTC_W", "CRTC_H",
  ]

  /// Every property on every object, numbered from 1 in the order of `propertyNames`.
  private static func properties(_ object: UInt32) -> ObjectProperties {
    var properties = ObjectProperties(objectID: object)
    for (index, name) in propertyNames.enumerated() {
      properties.entries[name] = .init(id: UInt32(index + 1), value: 0)
    }
    return properties
  }
}

extension AtomicChange {
  /// `object.NAME=value` for each assignment, in order.
  var lines: [String] {
    assignments.map { item in
      let index = Int(item.property) - 1
      let name = Board.propertyNames.indices.contains(index) ? Board.propertyNames[index] : "#\(item.property)"
      return "\(item.object).\(name)=\(Int64(bitPattern: item.value))"
    }
  }
}

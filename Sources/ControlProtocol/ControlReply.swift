public import JSONText
public import PlaybackCore

/// The answer to one request.
public enum ControlReply: Hashable, Sendable {
  /// With what was asked for; an empty object where that is only that it be done.
  case done(JSONValue)
  case failed(VitrineError, reason: String? = nil)
  case picture(ControlPicture)

  public static let done = ControlReply.done(.object([]))

  /// `{"id":1,"ok":true,"result":{}}`, or `{"id":1,"ok":false,"error":{"number":7603,...}}`.
  ///
  /// - Returns: a line without its end.
  public func line(id: JSONValue) -> [UInt8] {
    guard case .picture(let picture) = self else { return Array(json(id: id).compact.utf8) }
    // The picture's characters as they are: what looks at each of them takes too long for the loop.
    let start = "{\"id\":\(id.compact),\"ok\":true,\"result\":{\"type\":\"image/\(picture.format.rawValue)\","
    let origin = "\"source\":\"\(picture.source.rawValue)\","
    let sizes = "\"width\":\(picture.width),\"height\":\(picture.height),\"base64\":\""
    return Array((start + origin + sizes).utf8) + picture.base64 + Array("\"}}".utf8)
  }

  private func json(id: JSONValue) -> JSONValue {
    var members = [JSONValue.Member("id", id)]
    switch self {
    case .done(let result): members += [.init("ok", .boolean(true)), .init("result", result)]
    case .failed(let error, let reason):
      members += [.init("ok", .boolean(false)), .init("error", Self.json(error, reason: reason))]
    case .picture: break
    }
    return .object(members)
  }

  /// Without what only a log should have.
  public static func json(_ error: VitrineError, reason: String? = nil) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("number", .integer(Int64(error.number))), .init("subject", .string(PlainText.clipped(error.subject))),
      .init("message", .string(PlainText.clipped(error.message))),
      .init("remedy", .string(PlainText.clipped(error.remedy))),
    ]
    if let reason { members.append(.init("reason", .string(reason))) }
    return .object(members)
  }
}

/// What kind of picture of a screen is asked for.
public struct ControlPictureWish: Hashable, Sendable {
  public enum Format: String, Hashable, Sendable, CaseIterable {
    case png, jpeg
  }

  public enum Source: String, Hashable, Sendable, CaseIterable {
    /// Of the frame that is shown and of what is above it, by the player.
    case composed
    /// By the card, of what it really shows.
    case writeback
  }

  /// Pixels; nil is as wide as the screen.
  public var width: Int?
  public var format = Format.png
  /// Nil: by the card where that can't be seen, else composed.
  public var source: Source?

  /// Whether some screens go dark for a moment for it: who only looks may not ask for that.
  public var darkensScreen: Bool { source == .writeback }

  public init(width: Int? = nil) { self.width = width }
}

/// A picture of a screen.
public struct ControlPicture: Hashable, Sendable {
  public var format = ControlPictureWish.Format.png
  public var source = ControlPictureWish.Source.composed
  public var width: Int
  public var height: Int
  public var base64: [UInt8]

  public init(width: Int, height: Int, base64: [UInt8]) {
    self.width = width
    self.height = height
    self.base64 = base64
  }
}

public import JSONText
public import PlaybackCore

/// The answer to one request.
public enum ControlReply: Hashable, Sendable {
  /// The result; an empty object where the request has none.
  case done(JSONValue)
  case failed(VitrineError, reason: String? = nil)
  case picture(ControlPicture)

  public static let done = ControlReply.done(.object([]))

  /// The reply as a line without its end, in the request's spelling. In JSON: `{"id":1,"ok":true,"result":{}}`, or
  /// `{"id":1,"ok":false,"error":{"number":7603,...}}`.
  public func line(to request: ControlRequest) -> [UInt8] {
    request.form == .words ? words(to: request.verb) : line(id: request.id)
  }

  /// The reply to a line that is no request.
  func line(id: JSONValue, form: ControlForm) -> [UInt8] { form == .words ? words(to: nil) : line(id: id) }

  /// The reply in JSON.
  public func line(id: JSONValue) -> [UInt8] {
    guard case .picture(let picture) = self else { return Array(json(id: id).compact.utf8) }
    // The picture's characters are copied unescaped: examining each of them would hold up the loop for too long.
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

  /// The error without its detail, which is for the log only.
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

/// The screenshot that a client asks for.
public struct ControlPictureWish: Hashable, Sendable {
  public enum Format: String, Hashable, Sendable, CaseIterable {
    case png, jpeg
  }

  public enum Source: String, Hashable, Sendable, CaseIterable {
    /// The player composes it of the shown frame and the overlay above it.
    case composed
    /// The graphics card writes back what it really shows.
    case writeback
  }

  /// In pixels; nil for the screen's width.
  public var width: Int?
  public var format = Format.png
  /// Nil for writeback where that isn't visible on a screen, else composed.
  public var source: Source?

  /// Whether some screens go dark for a moment: clients with the right to look only may not ask for that.
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

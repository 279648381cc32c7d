import Foundation

/// The requests of a program to a graphics card, as board/virtual/tools/scaling-card.c logs them.
public struct CardLog: Sendable {
  public struct Call: Codable, Sendable {
    public var call: String
    public var number: Int?
    public var plane: Int?
    public var fb: Int
    public var size: [Int]?
    public var format: String?
    /// x, y, width, height: of the source in the frame, and of the place on the screen.
    public var source: [Double]?
    public var place: [Int]?
    public var how: String?
    public var errno: Int?
    /// The number of a framebuffer's layout, 0 for rows.
    public var layout: String?
    /// Whether a framebuffer was made of a dmabuf.
    public var imported: Bool?
    /// The number of framebuffers so far.
    public var added: Int?
    public var removed: Int?
  }

  public var calls: [Call]

  public init(_ text: String) throws {
    calls = try text.split(separator: "\n").map { try JSONDecoder().decode(Call.self, from: Data($0.utf8)) }
  }

  /// The calls that showed a picture, in order.
  public var shown: [Call] { calls.filter { $0.call == "setplane" } }

  /// The number of framebuffers that were made.
  public var added: Int { calls.filter { $0.call == "addfb2" }.count }

  /// The number of framebuffers that were removed while something was shown: before the last picture. GStreamer 1.26: a
  /// decoder's pool is freed when the decoder has given its last picture, and the output still holds two.
  public var removedWhilePlaying: Int {
    let pictures = calls.indices.filter { calls[$0].call == "setplane" }
    let last = pictures.dropLast(GStreamerHere.isNewer ? 2 : 0).last ?? calls.startIndex
    return calls[..<last].filter { $0.call == "rmfb" }.count
  }

  /// The source and place of shown frames, without repetitions in a row, in their order.
  public var ways: [String] {
    var found: [String] = []
    for call in shown {
      let source = (call.source ?? []).map { "\(Int($0))" }.joined(separator: ",")
      let place = (call.place ?? []).map(String.init).joined(separator: ",")
      let way = "\(source) to \(place)" + (call.errno == 0 ? "" : ": errno \(call.errno ?? -1)")
      if found.last != way { found.append(way) }
    }
    return found
  }
}

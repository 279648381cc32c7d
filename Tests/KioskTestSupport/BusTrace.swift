import Foundation
public import PlaybackCore

/// The facts and actions of a playback machine in a real run, as a text file.
///
///     # what was done
///     start {"items":[...],"loops":false}
///     193484182733 {"outputReady":{}}
///       {"buildDeck":{...}}
///
/// A line that begins with a number is a fact with its time in nanoseconds; those that are set in are the actions that
/// followed. Each value is JSON, as Codable writes it, with sorted keys.
public struct BusTrace: Hashable, Sendable {
  /// The values that the machine was made with.
  public struct Start: Hashable, Sendable, Codable {
    public var items: [MediaItem]
    public var loops: Bool

    public init(items: [MediaItem], loops: Bool) {
      self.items = items
      self.loops = loops
    }
  }

  public struct Step: Hashable, Sendable {
    public var at: Instant
    public var event: PlaybackEvent
    public var actions: [PlaybackAction]

    public init(at: Instant, event: PlaybackEvent, actions: [PlaybackAction]) {
      self.at = at
      self.event = event
      self.actions = actions
    }
  }

  /// Remarks for people, a line each.
  public var remarks: [String]
  public var start: Start
  public var steps: [Step]

  public init(remarks: [String] = [], start: Start, steps: [Step] = []) {
    self.remarks = remarks
    self.start = start
    self.steps = steps
  }

  // MARK: Text

  public struct SyntaxError: Error, CustomStringConvertible {
    public var line: Int
    public var problem: String
    public var description: String { "line \(line): \(problem)" }
  }

  /// - Parameter replacing: texts to replace by others, such as the path of a local folder.
  public func text(replacing: [String: String] = [:]) throws -> String {
    var lines = remarks.map { "# \($0)" }
    lines.append("start \(try Self.json(start))")
    for step in steps {
      lines.append("\(step.at.nanoseconds) \(try Self.json(step.event))")
      for action in step.actions { lines.append("  \(try Self.json(action))") }
    }
    var text = lines.joined(separator: "\n") + "\n"
    for (old, new) in replacing { text = text.replacingOccurrences(of: old, with: new) }
    return text
  }

  /// - Throws: `SyntaxError` for what isn't a trace.
  public init(parsing text: String) throws {
    var remarks: [String] = []
    var start: Start?
    var steps: [Step] = []
    for (index, line) in text.split(separator: "\n").enumerated() {
      func fail(_ problem: String) -> SyntaxError { SyntaxError(line: index + 1, problem: problem) }
      func value<T: Decodable>(_ text: some StringProtocol) throws -> T {
        do {
          return try JSONDecoder().decode(T.self, from: Self.completed(Data(text.utf8)))
        } catch {
          throw fail("\(error)")
        }
      }
      if line.hasPrefix("# ") {
        remarks.append(String(line.dropFirst(2)))
      } else if line.hasPrefix("start ") {
        start = try value(line.dropFirst(6))
      } else if line.hasPrefix("  ") {
        guard !steps.isEmpty else { throw fail("an action before any fact") }
        steps[steps.count - 1].actions.append(try value(line.dropFirst(2)))
      } else {
        guard let blank = line.firstIndex(of: " "), let time = Int64(line[..<blank]) else {
          throw fail("neither a remark nor a fact nor an action")
        }
        steps.append(
          Step(
            at: Instant(nanoseconds: time), event: try value(line[line.index(after: blank)...]), actions: []))
      }
    }
    guard let start else { throw SyntaxError(line: 0, problem: "there is no start") }
    self.init(remarks: remarks, start: start, steps: steps)
  }

  /// Adds default values for properties that a recorded type has got since: the traces are real runs, and shouldn't be
  /// lost to a new property.
  private static func completed(_ data: Data) throws -> Data {
    let templates = try [
      ("uri", JSONSerialization.jsonObject(with: JSONEncoder().encode(MediaItem(uri: "", kind: .file)))),
      ("firstRunningTime", JSONSerialization.jsonObject(with: JSONEncoder().encode(DeckReadiness()))),
    ]
    func complete(_ value: Any) -> Any {
      if let list = value as? [Any] { return list.map(complete) }
      guard var object = value as? [String: Any] else { return value }
      object = object.mapValues(complete)
      for (key, template) in templates where object[key] != nil {
        object.merge(template as? [String: Any] ?? [:]) { recorded, _ in recorded }
      }
      return object
    }
    return try JSONSerialization.data(
      withJSONObject: complete(JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)))
  }

  private static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  // MARK: Files

  /// The folder of recorded traces.
  static let folder = Tool.root.appending(path: "Tests/PlaybackCoreTests/Traces")

  /// The names of all recorded traces.
  public static var names: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".trace") }.map { String($0.dropLast(6)) }.sorted()
  }

  public init(named name: String) throws {
    try self.init(parsing: try String(contentsOf: Self.folder.appending(path: "\(name).trace"), encoding: .utf8))
  }

  public func save(as name: String, replacing: [String: String] = [:]) throws {
    try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
    try text(replacing: replacing).write(
      to: Self.folder.appending(path: "\(name).trace"), atomically: true, encoding: .utf8)
  }
}

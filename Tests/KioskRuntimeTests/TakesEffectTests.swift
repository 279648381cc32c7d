import Foundation
import PlaybackCore
import Testing

@testable import KioskRuntime
@testable import PlaylistConfig

/// A reload confirms the configuration: a confirmed key without an effect would be a lie. Each key is changed here, and
/// its effect is compared with the one in the reference.
@Suite("When a change of a key takes effect")
struct TakesEffectTests {
  @Test("Every key has a description of when it takes effect")
  func total() {
    #expect(TakesEffect.keys.count > 100)
    for key in TakesEffect.keys { #expect(key.effect != nil, "\(key.path)") }
  }

  @Test("The reference lists all keys")
  func documented() {
    let text = ConfigurationDocuments.markdown
    for key in TakesEffect.keys { #expect(text.contains("`\(key.path)`"), "\(key.path)") }
  }

  /// Keys that two tables have: network and item, network.server and telemetry, input.gpio and cue.
  private static let shared = ["rtsp_latency", "rtsp_transport", "token_file", "active_low"]

  /// A single word may mean something else in a source; a key of two words belongs to the configuration alone.
  @Test("A key's name is written in one source only, the one that describes it")
  func spelt() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources")
    let files =
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
    let texts = try files.filter { $0.pathExtension == "swift" }.map { try String(contentsOf: $0, encoding: .utf8) }
    #expect(texts.count > 500)
    let names = Set(TakesEffect.keys.compactMap { $0.path.split(separator: ".").last.map(String.init) })
      .filter { $0.contains("_") }
    #expect(names.count > 40)
    for name in names {
      let count = texts.count { $0.contains("\"\(name)\"") }
      // Key names of gestures are made from the gestures.
      #expect(count <= (Self.shared.contains(name) ? 2 : 1), "\(name) in \(count) sources")
    }
  }

  /// The number of displays that a screen has opened when it changes from one configuration to the other.
  private func displays(_ old: Configuration, _ new: Configuration) async throws -> Int {
    let bench = try ScreenBench([]) { $0.follow(old) }
    try await bench.run { bench in
      await bench.begin()
      var options = bench.session.options
      options.follow(new)
      bench.session.apply(options)
      await bench.settle()
    }
    return await bench.opened
  }

  /// Whether a table gives other options, for parts that don't get the table itself.
  private func isOther(_ table: String, _ old: Configuration, _ new: Configuration) -> Bool {
    func options(_ configuration: Configuration) -> KioskOptions {
      var options = KioskOptions(queue: [], processStart: Instant(nanoseconds: 0))
      options.memory = 1 << 30
      options.follow(configuration)
      return options
    }
    switch table {
    case "network":
      return options(old).policy != options(new).policy || old.network.access != new.network.access
    case "input": return options(old).interaction != options(new).interaction
    case "store": return StoreOptions(old, directory: "/store") != StoreOptions(new, directory: "/store")
    case "telemetry":
      return TelemetryOptions(old.telemetry) != TelemetryOptions(new.telemetry)
        || (old.telemetry.playLog, old.telemetry.playLogDirectory)
          != (new.telemetry.playLog, new.telemetry.playLogDirectory)
    default: return true
    }
  }

  private func load(_ lines: String) -> Configuration? {
    let source = ConfigurationSource(path: "/etc/v.toml", text: Array(lines.utf8))
    return Configuration.check([source]).configuration
  }

  /// Values in the form of the file.
  private static func values(_ key: KeyDescription, _ shape: ValueShape) -> [String] {
    var values: [String] =
      switch shape {
      case .boolean: ["true", "false"]
      case .localText: ["\"a\"", "{ en = \"a\", de = \"b\" }"]
      case .integer(let range): ["\(range.lowerBound)", "\(range.upperBound)", "\(range.lowerBound + 1)"]
      case .number(let range): ["\(range.lowerBound)", "\(range.upperBound)"]
      case .words(let words): words.map { "\"\($0)\"" }
      case .list(of: let inner, count: _): Self.values(key, inner).map { "[\($0)]" }
      case .text, .scalar, .date, .time, .moment: []
      }
    values += [key.example, key.defaultText].compactMap(\.self)
    return values
  }

  /// Other values for keys whose example is the default.
  private static let others = [
    "display.background": "\"#102030\"", "store.capacity": "\"9 GB\"", "store.free_space": "\"600 MB\"",
    "overlay.accent": "\"#102030\"",
  ]

  /// The text that a key needs beside it to have a meaning.
  private static let beside = [
    "playback.transition_duration": "[playback]\ntransition = \"dip\"\n",
    "network.proxy": "", "schedule.default": "", "attract.playlist": "", "attract.visitors": "",
  ]

  /// The addresses that a server's keys need to have a meaning.
  private static func addresses(besides key: String, in table: String) -> String {
    guard table == "telemetry" else { return "" }
    let all = [
      "http": "\"127.0.0.1:1\"", "mqtt": "\"mqtt://a\"", "post": "\"https://a/\"", "play_log": "true",
      "certificate_file": "\"/a\"", "key_file": "\"/b\"",
    ]
    return "[telemetry]\n" + all.filter { $0.key != key }.map { "\($0.key) = \($0.value)\n" }.joined()
  }

  @Test("A change of each key is noticed, and the screen is reopened for exactly the keys that say so")
  func each() async throws {
    let lists = "[[playlist.main.item]]\nuri = \"/a.mp4\"\n[[playlist.other.item]]\nuri = \"/b.mp4\"\n"
    var tried = 0
    for table in Schema.root.keys {
      guard case .table(let keys) = table.form else { continue }
      for key in keys {
        guard case .value(let shape) = key.form else { continue }
        let path = "\(table.name).\(key.name)"
        let context = Self.beside[path] ?? Self.addresses(besides: key.name, in: table.name)
        let header = context.isEmpty ? "[\(table.name)]\n" : context
        // Of two keys that belong together, one is invalid without the other.
        let pair = ["certificate_file", "key_file"].contains(key.name) ? "\(key.name) = \"/c\"\n" : ""
        // Below the unchanged part: a list in another line counts as another one.
        let base = load("version = 1\n\(lists)\(header)\(pair)")
        let effect = TakesEffect.keys.first { $0.path == path }?.effect
        var found: Set<TakesEffect> = []
        var opened: Set<Int> = []
        var isHandedOn = false
        var texts = Self.values(key, shape) + [Self.others[path]].compactMap(\.self)
        if key.name == "playlist" || key.name == "visitors" || key.name == "default" { texts = ["\"other\""] }
        for value in texts {
          guard let base, let new = load("version = 1\n\(lists)\(header)\(key.name) = \(value)\n") else { continue }
          let changes = new.changes(from: base)
          guard !changes.isEmpty else { continue }
          found.formUnion(changes)
          opened.insert(try await displays(base, new))
          isHandedOn = isHandedOn || isOther(table.name, base, new)
        }
        tried += 1
        #expect(found == Set([effect].compactMap(\.self)), "\(path) \(found) by \(texts)")
        #expect(isHandedOn, "\(path) changes nothing by \(texts)")
        #expect(opened == [effect == .newOutput ? 2 : 1], "\(path) opened \(opened)")
      }
    }
    #expect(tried > 50)
  }
}

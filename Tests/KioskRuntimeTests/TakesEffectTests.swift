import PlaybackCore
import Testing

@testable import KioskRuntime
@testable import PlaylistConfig

/// A reload confirms what it has put in place: a key that is confirmed and has no effect would be a lie. Each key is changed here, and
/// what becomes of that is compared with what the reference says of it.
@Suite("When a change of a key takes effect")
struct TakesEffectTests {
  @Test("Of every key somebody has said when it holds")
  func total() {
    #expect(TakesEffect.keys.count > 100)
    for key in TakesEffect.keys { #expect(key.effect != nil, "\(key.path)") }
  }

  @Test("The reference says it of all of them")
  func documented() {
    let text = ConfigurationDocuments.markdown
    for key in TakesEffect.keys { #expect(text.contains("`\(key.path)`"), "\(key.path)") }
  }

  /// What a change is good for in a running player.
  private func effects(_ old: Configuration, _ new: Configuration) -> Set<TakesEffect> {
    func options(_ configuration: Configuration) -> KioskOptions {
      var options = KioskOptions(queue: [], processStart: Instant(nanoseconds: 0))
      configuration.apply(to: &options, memory: 1 << 30)
      options.store = StoreOptions(configuration, directory: "/var/lib/store")
      return options
    }
    let change = SettingsChange(from: options(old), to: options(new))
    var effects: Set<TakesEffect> = []
    if change.contains(.output) { effects.insert(.newOutput) }
    if !change.isDisjoint(with: [.policy, .access]) { effects.insert(.nextOpening) }
    if !change.isDisjoint(with: [.soundDevice]) { effects.insert(.nextItem) }
    if change.contains(.nextStart) { effects.insert(.nextStart) }
    let atOnce: SettingsChange = [.volume, .look, .interaction, .whenNeeded, .store, .lists, .control, .telemetry]
    if !change.isDisjoint(with: atOnce) { effects.insert(.atOnce) }
    // Followed by the schedule's machine and by the sticks' session with each revision.
    if old.schedule != new.schedule || old.usb != new.usb || old.attract != new.attract { effects.insert(.atOnce) }
    return effects
  }

  private func load(_ lines: String) -> Configuration? {
    let source = ConfigurationSource(path: "/etc/v.toml", text: Array(lines.utf8))
    return Configuration.check([source]).configuration
  }

  /// As they would be written in a file.
  private static func values(_ key: KeyDescription, _ shape: ValueShape) -> [String] {
    var values: [String] =
      switch shape {
      case .boolean: ["true", "false"]
      case .integer(let range): ["\(range.lowerBound)", "\(range.upperBound)", "\(range.lowerBound + 1)"]
      case .number(let range): ["\(range.lowerBound)", "\(range.upperBound)"]
      case .words(let words): words.map { "\"\($0)\"" }
      case .list(of: let inner, count: _): Self.values(key, inner).map { "[\($0)]" }
      case .text, .date, .time: []
      }
    values += [key.example, key.defaultText].compactMap(\.self)
    return values
  }

  /// Of texts whose example is the default.
  private static let others = [
    "display.background": "\"#102030\"", "store.capacity": "\"9 GB\"", "store.free_space": "\"600 MB\"",
    "overlay.accent": "\"#102030\"",
  ]

  /// What has to be there beside a key for it to mean something.
  private static let beside = [
    "playback.transition_duration": "[playback]\ntransition = \"dip\"\n",
    "network.proxy": "", "schedule.default": "", "attract.playlist": "", "attract.visitors": "",
  ]

  /// Keys of a server mean something where there is one.
  private static func addresses(besides key: String, in table: String) -> String {
    guard table == "telemetry" else { return "" }
    let all = [
      "http": "\"127.0.0.1:1\"", "mqtt": "\"mqtt://a\"", "post": "\"https://a/\"", "play_log": "true",
      "certificate_file": "\"/a\"", "key_file": "\"/b\"",
    ]
    return "[telemetry]\n" + all.filter { $0.key != key }.map { "\($0.key) = \($0.value)\n" }.joined()
  }

  @Test("Each key of a table does what is said of it, and none has no effect at all")
  func each() {
    let lists = "[[playlist.main.item]]\nuri = \"/a.mp4\"\n[[playlist.other.item]]\nuri = \"/b.mp4\"\n"
    var tried = 0
    for table in Schema.root.keys {
      guard case .table(let keys) = table.form, !table.isPlanned else { continue }
      for key in keys where !key.isPlanned {
        guard case .value(let shape) = key.form else { continue }
        let path = "\(table.name).\(key.name)"
        let context = Self.beside[path] ?? Self.addresses(besides: key.name, in: table.name)
        let header = context.isEmpty ? "[\(table.name)]\n" : context
        // Of two that go together the one has no base without the other.
        let pair = ["certificate_file", "key_file"].contains(key.name) ? "\(key.name) = \"/c\"\n" : ""
        let base = load("version = 1\n\(header)\(pair)\(lists)")
        var found: Set<TakesEffect> = []
        var texts = Self.values(key, shape) + [Self.others[path]].compactMap(\.self)
        if key.name == "playlist" || key.name == "visitors" || key.name == "default" { texts = ["\"other\""] }
        for value in texts {
          guard let base, let new = load("version = 1\n\(header)\(key.name) = \(value)\n\(lists)") else { continue }
          found.formUnion(effects(base, new))
        }
        tried += 1
        #expect(TakesEffect.of(path).map { found.contains($0) } == true, "\(path) \(found) by \(texts)")
      }
    }
    #expect(tried > 50)
  }
}

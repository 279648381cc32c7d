import InteractionCore
import PlaybackCore
import Testing

@testable import KioskRuntime

@Suite("What is another thing in other settings")
struct SettingsChangeTests {
  private func change(_ edit: (inout KioskOptions) -> Void) -> SettingsChange {
    let old = KioskOptions(queue: [], processStart: Instant(nanoseconds: 0))
    var new = old
    edit(&new)
    return SettingsChange(from: old, to: new)
  }

  @Test("Nothing is, where nothing was changed")
  func nothing() { #expect(change { _ in } == []) }

  @Test("Each setting has its place")
  func places() {
    #expect(change { $0.connector = "HDMI-A-2" } == .output)
    #expect(change { $0.rotation = .clockwise } == .output)
    #expect(change { $0.sound.isEnabled = false } == .output)
    #expect(change { $0.queue = [MediaItem(uri: "file:///a.mp4", kind: .file)] } == .lists)
    #expect(change { $0.loops = true } == .lists)
    #expect(change { $0.policy.rtsp.latency = .seconds(1) } == .policy)
    #expect(change { $0.policy.source.timeout = .seconds(1) } == .policy)
    #expect(change { $0.access.redirects = RedirectPolicy() } == [])
    #expect(change { $0.sound.volume = 0.5 } == .volume)
    #expect(change { $0.sound.isMuted = true } == .volume)
    #expect(change { $0.sound.device = .alsa(pcm: "hw:1") } == .soundDevice)
    #expect(change { $0.look.accent = 1 } == .look)
    #expect(change { $0.interaction.actions.lock = .all } == .interaction)
    #expect(change { $0.overlay = .always } == .whenNeeded)
    #expect(change { $0.dip = SeamDip(length: .seconds(1)) } == .whenNeeded)
    #expect(change { $0.keepsLastFrame = true } == .whenNeeded)
    #expect(change { $0.splashPath = "/a.png" } == .nextStart)
  }

  @Test("Another list for visitors is heard by whoever hears their touches")
  func visitors() {
    let item = MediaItem(uri: "file:///a.mp4", kind: .file)
    #expect(change { $0.visitorsQueue = [item] } == [.lists, .interaction])
    #expect(change { $0.shufflesQueue = true } == .lists && change { $0.shufflesVisitors = true } == .lists)
  }

  @Test("The loop and the visitors' list are shuffled each by its own key")
  func shuffled() {
    var options = KioskOptions(queue: [], processStart: Instant(nanoseconds: 0))
    options.take(PlayedLists(name: nil, loop: [], visitors: [], shufflesVisitors: true))
    #expect(options.shuffle(forVisitors: true) == options.seed && options.shuffle(forVisitors: false) == nil)
    options.take(PlayedLists(name: nil, loop: [], visitors: [], shufflesLoop: true))
    #expect(options.shuffle(forVisitors: true) == nil && options.makeMachine().queue.shuffle == options.seed)
  }
}

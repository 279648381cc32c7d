import CClockThief
import CGStreamer
import KioskTestSupport
import MainLoop
import PlaybackCore
import ScreenModel
import Testing

@testable import MediaPipeline

/// The thief stays what it is: it is made once and then only called, and its calls are GStreamer's own.
private struct Thief: @unchecked Sendable {
  let element: UnsafeMutablePointer<GstElement>

  /// Joins a pipeline that then chooses its clock by itself, which ours don't.
  init(in pipeline: Element) {
    element = clock_thief_new()
    gst_bin_add(UnsafeMutableRawPointer(pipeline.pointer).assumingMemoryBound(to: GstBin.self), element)
    gst_pipeline_auto_clock(UnsafeMutableRawPointer(pipeline.pointer).assumingMemoryBound(to: GstPipeline.self))
  }

  func take() { clock_thief_take(element) }
  /// Only on its way up from READY, or when its clock is lost, a pipeline chooses one.
  func serve(_ pipeline: Element) {
    _ = pipeline.setState(GST_STATE_READY)
    _ = pipeline.setState(GST_STATE_PLAYING)
  }
  func give() { clock_thief_give(element) }
  func isUsed(by pipeline: Element) -> Bool { clock_thief_is_used(element, pipeline.pointer) != 0 }
}

@Suite("A clock that is really taken away (0140)", .serialized)
struct ClockLossTests {
  @Test("A deck that plays by an element's clock stands still without it; PAUSED and PLAYING have it go on by another")
  func deck() async throws {
    let rig = try await Rig()
    let deck = try await rig.deck(1, "h264-60s-640x360-30.mp4")
    _ = try await rig.ready()
    let thief = Thief(in: deck.parts.pipeline)
    // Into the state of the others.
    gst_element_sync_state_with_parent(thief.element)
    let base = rig.now + .milliseconds(20)
    deck.play(base: base)
    for _ in 0..<5 { _ = try await rig.frame(of: 1) }
    #expect(thief.isUsed(by: deck.parts.pipeline))
    thief.take()
    try await rig.next { if case .deck(_, .clockLost) = $0 { () } else { nil } }
    // What was on its way comes still, however much a busy machine let gather; then nothing does. On a slow machine
    // nothing comes either: this can't fail by that.
    try await Task.sleep(for: .seconds(1))
    let settled = try await rig.framesSoFar(of: 1).last ?? 4
    try await Task.sleep(for: .seconds(1))
    let last = try await rig.framesSoFar(of: 1).last ?? settled
    #expect(last < settled + 8, "\(settled) to \(last)")
    // As `PlaybackMachine` answers.
    deck.pause()
    deck.play(base: base)
    var newest: UInt32 = 0
    while newest < last + 20 { newest = try await rig.frame(of: 1).index }
    #expect(!thief.isUsed(by: deck.parts.pipeline))
    deck.drop()
    rig.output.close()
  }

  @Test("Decks and outputs as they are have no clock that an element could take")
  func fixed() async throws {
    let rig = try await Rig()
    let deck = try await rig.deck(1, "h264-640x360-30-2s.mp4")
    _ = try await rig.ready()
    let thief = clock_thief_new()
    gst_bin_add(UnsafeMutableRawPointer(deck.parts.pipeline.pointer).assumingMemoryBound(to: GstBin.self), thief)
    gst_element_sync_state_with_parent(thief)
    deck.play(base: rig.now + .milliseconds(20))
    _ = try await rig.frame(of: 1)
    #expect(clock_thief_is_used(thief, deck.parts.pipeline.pointer) == 0)
    clock_thief_take(thief)
    var newest: UInt32 = 0
    while newest < 40 { newest = try await rig.frame(of: 1).index }
    deck.drop()
    rig.output.close()
  }

  @Test(
    "An output goes to PAUSED and back by itself, shows what comes then, and says that it has failed the fourth time")
  func output() async throws {
    let rig = try await Rig()
    let pipeline = try #require(rig.output.running.withLock { $0?.pipeline })
    let thief = Thief(in: pipeline)
    gst_element_sync_state_with_parent(thief.element)
    thief.serve(pipeline)
    #expect(thief.isUsed(by: pipeline))
    let deck = try await rig.deck(1, "h264-60s-640x360-30.mp4")
    _ = try await rig.ready()
    deck.play(base: rig.now + .milliseconds(20))
    var newest = try await rig.frame(of: 1).index
    for loss in 1...4 {
      thief.take()
      try await rig.next { if case .output(.clockLost) = $0 { () } else { nil } }
      guard loss < 4 else { break }
      let wanted = newest + 10
      while newest < wanted { newest = try await rig.frame(of: 1).index }
      thief.give()
      thief.serve(pipeline)
      // Only a pipeline that has come to PLAYING is told of a loss.
      _ = try await rig.framesSoFar(of: 1)
      newest = try await rig.frame(of: 1).index
    }
    let failure = try await rig.next { if case .output(.failed(let error)) = $0 { error } else { nil } }
    #expect(failure.number == 5401 && failure.detail.contains("clock"))
    deck.drop()
    rig.output.close()
  }
}

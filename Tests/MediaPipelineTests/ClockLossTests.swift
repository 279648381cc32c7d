import CClockThief
import CGStreamer
import KioskTestSupport
import MainLoop
import PlaybackCore
import ScreenModel
import Testing

@testable import MediaPipeline

/// An element that provides a clock and takes it away. `@unchecked Sendable` holds because the pointer never changes,
/// and the calls are GStreamer's own.
private struct Thief: @unchecked Sendable {
  let element: UnsafeMutablePointer<GstElement>

  /// Joins a pipeline, which is then set to choose its clock itself, unlike the player's pipelines.
  init(in pipeline: Element) {
    element = clock_thief_new()
    gst_bin_add(UnsafeMutableRawPointer(pipeline.pointer).assumingMemoryBound(to: GstBin.self), element)
    gst_pipeline_auto_clock(UnsafeMutableRawPointer(pipeline.pointer).assumingMemoryBound(to: GstPipeline.self))
  }

  /// Takes the clock away from a pipeline that has reached PLAYING. Before that, a pipeline isn't told of a loss, although
  /// its first frame may have been shown.
  func trigger(_ pipeline: Element) {
    #expect(
      gst_element_get_state(pipeline.pointer, nil, nil, GstClockTime(patience.wholeNanoseconds))
        == GST_STATE_CHANGE_SUCCESS)
    clock_thief_take(element)
  }
  /// A pipeline chooses a clock only on its way up from READY, or when its clock is lost.
  func serve(_ pipeline: Element) {
    _ = pipeline.setState(GST_STATE_READY)
    _ = pipeline.setState(GST_STATE_PLAYING)
  }
  func give() { clock_thief_give(element) }
  /// The address of the clock that a pipeline uses, to compare.
  static func clock(of pipeline: Element) -> UInt {
    let clock = gst_element_get_clock(pipeline.pointer)
    defer { if let clock { gst_object_unref(clock) } }
    return UInt(bitPattern: clock)
  }
  func isUsed(by pipeline: Element) -> Bool { clock_thief_is_used(element, pipeline.pointer) != 0 }
}

@Suite("A clock that is really taken away (0140)", .serialized)
struct ClockLossTests {
  @Test("A deck that plays by an element's clock stops without it; after PAUSED and PLAYING it uses another clock")
  func deck() async throws {
    let rig = try await Rig()
    let deck = try await rig.deck(1, "h264-60s-640x360-30.mp4")
    _ = try await rig.ready()
    let thief = Thief(in: deck.parts.pipeline)
    // Brings the element to the state of the others.
    gst_element_sync_state_with_parent(thief.element)
    let base = rig.now + .milliseconds(20)
    deck.play(base: base)
    for _ in 0..<5 { _ = try await rig.frame(of: 1) }
    #expect(thief.isUsed(by: deck.parts.pipeline))
    thief.trigger(deck.parts.pipeline)
    try await rig.next { if case .deck(_, .clockLost) = $0 { () } else { nil } }
    // Frames on their way still come, however many a busy machine let pile up; then they stop. On a slow machine frames
    // stop too, so the test can't fail for that.
    try await Task.sleep(for: .seconds(1))
    let settled = try await rig.framesSoFar(of: 1).last ?? 4
    try await Task.sleep(for: .seconds(1))
    let last = try await rig.framesSoFar(of: 1).last ?? settled
    #expect(last < settled + 8, "\(settled) to \(last)")
    // The commands with which `PlaybackMachine` reacts.
    deck.pause()
    deck.play(base: base)
    var newest: UInt32 = 0
    while newest < last + 20 { newest = try await rig.frame(of: 1).index }
    #expect(!thief.isUsed(by: deck.parts.pipeline))
    deck.drop()
    rig.output.close()
  }

  @Test("The player's own decks and outputs use no clock that an element could take away")
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
    "An output goes to PAUSED and back by itself, shows further frames, and reports its failure after the fourth loss")
  func output() async throws {
    let rig = try await Rig()
    let pipeline = try #require(rig.output.running.withLock { $0?.pipeline })
    let thief = Thief(in: pipeline)
    gst_element_sync_state_with_parent(thief.element)
    thief.serve(pipeline)
    #expect(thief.isUsed(by: pipeline))
    // However long a busy machine takes for the four losses.
    rig.output.clockLosses.withLock { $0 = ClockLosses(window: .seconds(3600)) }
    let deck = try await rig.deck(1, "h264-60s-640x360-30.mp4")
    _ = try await rig.ready()
    deck.play(base: rig.now + .milliseconds(20))
    _ = try await rig.frame(of: 1)
    for loss in 1...4 {
      let lost = Thief.clock(of: pipeline)
      thief.trigger(pipeline)
      try await rig.next { if case .output(.clockLost) = $0 { () } else { nil } }
      guard loss < 4 else { break }
      // The output restarts its pipeline by another clock. Until then frames may still be on their way, and a pipeline
      // that isn't in PLAYING isn't told of its next loss.
      try await eventually("another clock") { Thief.clock(of: pipeline) != lost }
      _ = try await rig.framesSoFar(of: 1)
      var newest = try await rig.frame(of: 1).index
      let wanted = newest + 10
      while newest < wanted { newest = try await rig.frame(of: 1).index }
      thief.give()
      thief.serve(pipeline)
      _ = try await rig.framesSoFar(of: 1)
      _ = try await rig.frame(of: 1)
    }
    let failure = try await rig.next { if case .output(.failed(let error)) = $0 { error } else { nil } }
    #expect(failure.number == 5401 && failure.detail.contains("clock"))
    deck.drop()
    rig.output.close()
  }
}

import CGStreamer
import CGStreamerShims
import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

@testable import MediaPipeline

/// A message that is posted in the name of a deck's pipeline.
private struct Posted: Sendable, CustomTestStringConvertible {
  var name: String
  var make: @Sendable (UnsafeMutablePointer<GstObject>) -> UnsafeMutablePointer<GstMessage>?
  var testDescription: String { name }

  init(
    _ name: String, _ make: @escaping @Sendable (UnsafeMutablePointer<GstObject>) -> UnsafeMutablePointer<GstMessage>?
  ) {
    self.name = name
    self.make = make
  }

  static let clockLost = Posted("CLOCK_LOST") { source in
    guard let clock = gst_system_clock_obtain() else { return nil }
    defer { gst_object_unref(clock) }
    return gst_message_new_clock_lost(source, clock)
  }
  static let latency = Posted("LATENCY") { gst_message_new_latency($0) }
  static let durationChanged = Posted("DURATION_CHANGED") { gst_message_new_duration_changed($0) }
  static let stateChanged = Posted("STATE_CHANGED") {
    gst_message_new_state_changed($0, GST_STATE_PLAYING, GST_STATE_READY, GST_STATE_VOID_PENDING)
  }
  static let streamCollection = Posted("STREAM_COLLECTION") { source in
    guard let collection = gst_stream_collection_new(nil) else { return nil }
    defer { gst_object_unref(collection) }
    return gst_message_new_stream_collection(source, collection)
  }
  static let element = Posted("ELEMENT") { gst_message_new_element($0, gst_structure_new_empty("missing-plugin")) }
  static let requestState = Posted("REQUEST_STATE") { gst_message_new_request_state($0, GST_STATE_PAUSED) }
  static let endOfStream = Posted("EOS") { gst_message_new_eos($0) }
  static let segmentDone = Posted("SEGMENT_DONE") { gst_message_new_segment_done($0, GST_FORMAT_TIME, 0) }
  static func buffering(_ percent: Int32) -> Posted { Posted("BUFFERING") { gst_message_new_buffering($0, percent) } }
  static func tag(_ title: String) -> Posted {
    Posted("TAG") { source in
      guard let tags = gst_tag_list_new_from_string("taglist, title=(string)\(title);") else { return nil }
      return gst_message_new_tag(source, tags)
    }
  }
  static func quality(dropped: UInt64) -> Posted {
    Posted("QOS") { source in
      guard let message = gst_message_new_qos(source, 0, 0, 0, 0, 0) else { return nil }
      gst_message_set_qos_stats(message, GST_FORMAT_BUFFERS, 100, guint64(dropped))
      return message
    }
  }
}

extension Deck {
  fileprivate func post(_ posted: Posted) {
    let pipeline = parts.pipeline.pointer
    guard let message = posted.make(UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstObject.self)) else {
      Issue.record("no such message: \(posted.name)")
      return
    }
    gst_element_post_message(pipeline, message)
  }
}

@Suite("A deck's reaction to the messages on its bus", .serialized)
struct BusMessageTests {
  /// A deck that has prerolled and has posted all its events.
  private func readyDeck() async throws -> WitnessedDeck {
    let uri = URL(filePath: try await Media.path("h264-60s-640x360-30.mp4")).absoluteString
    let witnessed = try WitnessedDeck(MediaItem(uri: uri, kind: .file))
    _ = try await witnessed.ready()
    return witnessed
  }

  /// The events that a message causes, up to a marker message that is posted after it: sync handlers run in the order
  /// of posting.
  ///
  /// - Parameter mark: the marker's percentage; a new one in each call.
  private func told(_ witnessed: WitnessedDeck, _ messages: Posted..., mark: Int = 91) async throws -> [DeckEvent] {
    for message in messages + [.buffering(Int32(mark))] { witnessed.deck.post(message) }
    var events: [DeckEvent] = []
    while true {
      let event = try await witnessed.next { $0 }
      if event == .buffering(percent: mark) { return events }
      switch event {
      case .buffering(percent: 0): break  // every buffer begins empty
      case .tracks, .ranges, .streamEnded, .mediaSize: break  // in their own time, from other threads
      default: events.append(event)
      }
    }
  }

  @Test("CLOCK_LOST is reported; the deck's clock is the system's, and it plays on")
  func clockLost() async throws {
    let witnessed = try await readyDeck()
    #expect(try await told(witnessed, .clockLost) == [.clockLost])
    try await expectToPlay(witnessed)
  }

  @Test("TAG becomes metadata, reported once for each new value")
  func tag() async throws {
    let witnessed = try await readyDeck()
    let events = try await told(witnessed, .tag("Harbour"), .tag("Harbour"))
    #expect(events.count { if case .metadata(let new) = $0 { new.title == "Harbour" } else { false } } == 1)
    witnessed.deck.drop()
  }

  @Test("BUFFERING is reported when the percentage changes")
  func buffering() async throws {
    let witnessed = try await readyDeck()
    #expect(
      try await told(witnessed, .buffering(40), .buffering(40), .buffering(60))
        == [.buffering(percent: 40), .buffering(percent: 60)])
    witnessed.deck.drop()
  }

  @Test("DURATION_CHANGED makes the deck query the duration again")
  func durationChanged() async throws {
    let witnessed = try await readyDeck()
    witnessed.deck.post(.durationChanged)
    let duration = try await witnessed.next { if case .durationChanged(let new) = $0 { new } else { nil } }
    #expect(duration == .seconds(60))
    witnessed.deck.drop()
  }

  @Test("QOS counts the frames that are dropped during playback, each once")
  func quality() async throws {
    let witnessed = try await readyDeck()
    #expect(try await told(witnessed, .quality(dropped: 3)) == [], "header packets before it plays")
    witnessed.deck.play(base: Instant.monotonicNow)
    let skipped = try await told(witnessed, .quality(dropped: 5), .quality(dropped: 5), .quality(dropped: 6), mark: 92)
      .compactMap { if case .framesSkipped(let count) = $0 { count } else { nil } }
    #expect(skipped == [2, 1])
    witnessed.deck.drop()
  }

  @Test(
    "LATENCY is handled and the other messages are ignored: no event follows, and the deck plays",
    arguments: [
      Posted.latency, .stateChanged, .streamCollection, .element, .requestState, .endOfStream, .segmentDone,
    ])
  private func leftAlone(_ posted: Posted) async throws {
    let witnessed = try await readyDeck()
    #expect(try await told(witnessed, posted) == [])
    try await expectToPlay(witnessed)
  }

  @Test("REQUEST_STATE of a pause in the middle of playback doesn't pause")
  func requestState() async throws {
    let witnessed = try await readyDeck()
    witnessed.deck.play(base: Instant.monotonicNow)
    try await witnessed.frames(5)
    witnessed.deck.post(.requestState)
    try await witnessed.frames(10)
    witnessed.deck.drop()
  }

  @Test(
    "Each message type that GStreamer knows is listed in docs/decisions/0004, with its handling or the reason for none")
  func closedList() throws {
    try GStreamerLibrary.start()
    let page = try String(
      contentsOf: Tool.root.appending(path: "docs/decisions/0004-bus-messages.md"), encoding: .utf8)
    // One bit each, then the extended types, which are numbered.
    let types = (0..<31).map { UInt32(1) << $0 } + (1...8).map { 1 << 31 | UInt32($0) }
    let names = types.compactMap { gst_message_type_get_name(GstMessageType(rawValue: Int32(bitPattern: $0))) }
      .map { String(cString: $0).uppercased().split(separator: "-").joined(separator: "_") }
      .filter { $0 != "UNKNOWN" }
    #expect(names.count > 30)
    for name in names {
      let isListed = page.contains(name) || (name.hasPrefix("DEVICE_") && page.contains("DEVICE_*"))
      #expect(isListed, "\(name) is neither handled nor left out knowingly")
    }
  }

  private func expectToPlay(_ witnessed: WitnessedDeck) async throws {
    witnessed.deck.play(base: Instant.monotonicNow)
    try await witnessed.frames(3)
    witnessed.deck.drop()
  }
}

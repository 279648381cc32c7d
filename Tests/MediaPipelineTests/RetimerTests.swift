import CGStreamer
import CGStreamerShims
import MainLoop
import PlaybackCore
import Testing

@testable import MediaPipeline

@Suite("Another speed without a flush: the stream that reports it, and the moment from which it holds")
struct RetimerTests {
  private struct Told: Hashable, Sendable {
    var rate: Double
    var running: Duration
    var position: Duration
  }

  /// A retimer, and the changes that it has reported.
  private final class Deck: Sendable {
    private let told = Locked<[Told]>([])
    let retimer: Retimer

    init() {
      let told = told
      retimer = Retimer { rate, running, stream in
        told.withLock { $0.append(Told(rate: rate, running: running, position: stream)) }
      }
    }

    var changes: [Told] { told.withLock { $0 } }
  }

  /// A stream that the test pushes by hand.
  private final class Stream {
    private let element: Element
    let pad: Pad
    private let isToFlush = Locked(false)

    init(_ retimer: Retimer, isPicture: Bool) throws {
      try GStreamerLibrary.start()
      element = try Element.make("identity")
      pad = try #require(element.staticPad("sink"))
      let (isToFlush, address) = (isToFlush, UInt(bitPattern: pad.pointer))
      // Added before the retimer's own probe, so it runs first.
      pad.probe(GST_PAD_PROBE_TYPE_BUFFER) { _, _ in
        let isNow = isToFlush.withLock { isNow in
          defer { isNow = false }
          return isNow
        }
        if isNow { gst_pad_send_event(UnsafeMutablePointer(bitPattern: address), gst_event_new_flush_start()) }
      }
      retimer.attach(to: pad, isPicture: isPicture)
      _ = element.setState(GST_STATE_PLAYING)
      gst_pad_send_event(pad.pointer, gst_event_new_stream_start("a"))
    }

    deinit { _ = element.setState(GST_STATE_NULL) }

    func begin() { gst_pad_send_event(pad.pointer, StreamSegment().event()) }

    func push(_ start: Duration, _ length: Duration) throws {
      let buffer = try #require(gst_buffer_new())
      buffer.pointee.pts = GstClockTime(start.wholeNanoseconds)
      buffer.pointee.duration = GstClockTime(length.wholeNanoseconds)
      _ = gst_pad_chain(pad.pointer, buffer)
    }

    /// Begins a flush while the next buffer is on its way.
    func flushWithNext() { isToFlush.withLock { $0 = true } }
    func endFlush() { gst_pad_send_event(pad.pointer, gst_event_new_flush_stop(1)) }
  }

  @Test("The first stream to change its speed reports it, once; also in a song, whose picture never comes")
  func telling() throws {
    let film = Deck()
    let picture = try Stream(film.retimer, isPicture: true)
    let sound = try Stream(film.retimer, isPicture: false)
    for stream in [picture, sound] {
      stream.begin()
      try stream.push(.zero, .milliseconds(40))
    }
    #expect(film.retimer.change(to: 2))
    try sound.push(.milliseconds(40), .milliseconds(40))
    try picture.push(.milliseconds(40), .milliseconds(40))
    #expect(film.changes == [Told(rate: 2, running: .milliseconds(40), position: .milliseconds(40))])

    let song = Deck()
    let silent = try Stream(song.retimer, isPicture: true)
    let alone = try Stream(song.retimer, isPicture: false)
    alone.begin()
    try alone.push(.zero, .milliseconds(40))
    #expect(song.retimer.change(to: 2))
    try alone.push(.milliseconds(40), .milliseconds(40))
    try alone.push(.milliseconds(80), .milliseconds(40))
    #expect(song.changes == [Told(rate: 2, running: .milliseconds(40), position: .milliseconds(40))])
    withExtendedLifetime(silent) {}
  }

  @Test("In a slide show the change comes with the next slide, and not with the one after it; sound has no such rule")
  func slides() throws {
    let show = Deck()
    let slides = try Stream(show.retimer, isPicture: true)
    slides.begin()
    // The first slide is on the screen, the second one waits for its time.
    try slides.push(.zero, .seconds(10))
    try slides.push(.seconds(10), .seconds(10))
    #expect(show.retimer.change(to: 2))
    try slides.push(.seconds(20), .seconds(10))
    #expect(show.changes == [Told(rate: 2, running: .seconds(10), position: .seconds(10))])

    let song = Deck()
    let sound = try Stream(song.retimer, isPicture: false)
    sound.begin()
    try sound.push(.zero, .seconds(1))
    #expect(song.retimer.change(to: 2))
    try sound.push(.seconds(1), .seconds(1))
    #expect(song.changes == [Told(rate: 2, running: .seconds(1), position: .seconds(1))])
  }

  @Test("Muted sound of an adaptive stream changes its speed too")
  func unheard() async throws {
    let rig = try await Rig()
    let deck = try rig.deck(1, MediaItem(uri: "http://127.0.0.1:9/list.m3u8", kind: .adaptive))
    defer { deck.drop() }
    let muted = try #require(deck.parts.mutedSound?.staticPad("sink"))
    #expect(deck.parts.speedPads.contains { $0.pad.pointer == muted.pointer && !$0.isPicture })
  }

  @Test("A flush that begins just when a change is due undoes it; after it the speed can be changed again")
  func flushAtTheChange() throws {
    let film = Deck()
    let picture = try Stream(film.retimer, isPicture: true)
    picture.begin()
    try picture.push(.zero, .milliseconds(40))
    #expect(film.retimer.change(to: 2))
    picture.flushWithNext()
    try picture.push(.milliseconds(40), .milliseconds(40))
    film.retimer.forget()
    picture.endFlush()
    picture.begin()
    try picture.push(.zero, .milliseconds(40))
    #expect(film.retimer.change(to: 4))
    try picture.push(.milliseconds(40), .milliseconds(40))
    #expect(film.changes.last == Told(rate: 4, running: .milliseconds(40), position: .milliseconds(40)))
  }
}

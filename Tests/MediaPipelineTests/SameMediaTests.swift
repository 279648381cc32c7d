import CGStreamer
import Foundation
import KioskTestSupport
import MainLoop
import PlaybackCore
import Testing

@testable import MediaPipeline

@Suite("The same media twice, real files", .serialized)
struct SameMediaTests {
  @Test("Two decks play the same clip at once, each with its own sound and subtitle tracks (S21)")
  func twoDecks() async throws {
    let uri = URL(filePath: try await Media.path("tracks-320x240-25.mkv")).absoluteString
    let item = MediaItem(uri: uri, kind: .file)
    let english = try WitnessedDeck(
      item, tracks: TrackPreferences(audioLanguages: ["en"], subtitleLanguages: ["en"], subtitles: .always))
    let german = try WitnessedDeck(item, tracks: TrackPreferences(audioLanguages: ["de"], subtitles: .off))
    for witnessed in [english, german] { #expect(try await witnessed.ready().hasSound) }
    let now = Instant(nanoseconds: Int64(DispatchTime.now().uptimeNanoseconds))
    for witnessed in [english, german] { witnessed.deck.play(base: now) }
    for witnessed in [english, german] {
      _ = try await witnessed.next { if case .streamEnded(.sound, _, _, _) = $0 { true } else { nil } }
    }
    // 440 Hz is the English sound, 880 Hz the German one.
    #expect(abs(english.ear.pitch - 440) < 10, "\(english.ear.pitch) Hz in \(english.ear.seconds) s")
    #expect(abs(german.ear.pitch - 880) < 20, "\(german.ear.pitch) Hz in \(german.ear.seconds) s")
    // All of the sound, except what a queue still held of the track that was on before the choice.
    for witnessed in [english, german] {
      #expect(witnessed.ear.seconds > 2)
      #expect(witnessed.eye.count > 60)
      witnessed.deck.drop()
    }
  }

  @Test("A track that is switched in one deck isn't switched in the other")
  func independent() async throws {
    let uri = URL(filePath: try await Media.path("tracks-320x240-25.mkv")).absoluteString
    let decks = try (0..<2).map { _ in
      try WitnessedDeck(MediaItem(uri: uri, kind: .file), tracks: TrackPreferences(audioLanguages: ["en"]))
    }
    for witnessed in decks { _ = try await witnessed.ready() }
    decks[0].deck.setTrack("audio-1", isEnabled: true)
    let switched = try await decks[0].next { event -> [String]? in
      guard case .tracks(let tracks) = event else { return nil }
      let on = tracks.filter { $0.isEnabled && $0.kind == .audio }.map(\.id)
      return on == ["audio-1"] ? on : nil
    }
    #expect(switched == ["audio-1"])
    // The other deck's next report is about its own tracks.
    decks[1].deck.setTrack("video-0", isEnabled: false)
    let other = try await decks[1].next { event -> [MediaTrack]? in
      guard case .tracks(let tracks) = event, tracks.contains(where: { $0.kind == .video && !$0.isEnabled }) else {
        return nil
      }
      return tracks
    }
    #expect(other.filter(\.isEnabled).map(\.id) == ["audio-0"])
    for witnessed in decks { witnessed.deck.drop() }
  }

  @Test("A track that is switched while the streams still begin doesn't keep the others from beginning")
  func beginning() async throws {
    let uri = URL(filePath: try await Media.path("tracks-320x240-25.mkv")).absoluteString
    let (isSwitched, audioBegan) = (DispatchSemaphore(value: 0), AsyncStream<Void>.makeStream())
    let witnessed = try WitnessedDeck(MediaItem(uri: uri, kind: .file)) { pipeline in
      let synchronizer = try #require(pipeline.part(factory: "streamsynchronizer"))
      synchronizer.observePads { pad in
        let stream = Locked("")
        pad.observeEvents { event in
          if let id = event.beginningStream { stream.withLock { $0 = id } }
          // The synchronizer has taken the beginning of a stream when the next event of that stream comes.
          switch (event.pointee.type, stream.withLock { $0 }) {
          case (GST_EVENT_STREAM_START, let id) where id.contains("/001:"):
            isSwitched.wait()
            isSwitched.signal()
          case (GST_EVENT_CAPS, let id) where id.contains("/002:"): audioBegan.continuation.yield()
          default: break
          }
        }
      }
    }
    defer { witnessed.deck.drop() }
    _ = try await first(of: audioBegan.stream) { $0 }
    witnessed.deck.setTrack("audio-1", isEnabled: true)
    _ = try await witnessed.next { event -> Bool? in
      if case .tracks(let tracks) = event, tracks.contains(where: { $0.id == "audio-1" && $0.isEnabled }) {
        true
      } else {
        nil
      }
    }
    isSwitched.signal()
    #expect(try await witnessed.ready().hasSound)
    #expect(try #require(witnessed.deck.parts.tracks).list().contains { $0.id == "audio-1" && $0.isEnabled })
  }
}

extension Element {
  /// The first part of a bin, at any depth, that was made by this factory.
  fileprivate func part(factory: String) -> Element? {
    let bin = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstBin.self)
    guard let parts = gst_bin_iterate_all_by_element_factory_name(bin, factory) else { return nil }
    defer { gst_iterator_free(parts) }
    var value = GValue()
    guard gst_iterator_next(parts, &value) == GST_ITERATOR_OK, let found = g_value_get_object(&value) else {
      return nil
    }
    defer { g_value_unset(&value) }
    return Element(sinking: UnsafeMutableRawPointer(found).assumingMemoryBound(to: GstElement.self))
  }
}

extension UnsafeMutablePointer<GstEvent> {
  /// The id of the stream that begins with this event; nil for other events.
  fileprivate var beginningStream: String? {
    guard pointee.type == GST_EVENT_STREAM_START else { return nil }
    var id: UnsafePointer<CChar>?
    gst_event_parse_stream_start(self, &id)
    return id.map { String(cString: $0) }
  }
}

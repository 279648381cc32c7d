import CGStreamer
import KioskTestSupport
import PlaybackCore
import Testing

@testable import MediaPipeline

@Suite("Decks release their memory", .serialized)
struct DeckMemoryTests {
  /// The media that are played, and where they come from.
  enum Source: String, CaseIterable, Sendable {
    case file, picture, tracks, served, servedWebM, hls, dash, nobody, missing
  }

  private func item(_ source: Source) async throws -> (item: MediaItem, server: DripServer?) {
    func local(_ clip: String, _ kind: MediaKind) async throws -> (MediaItem, DripServer?) {
      (MediaItem(uri: "file://" + (try await Media.path(clip)), kind: kind), nil)
    }
    func served(_ server: DripServer, _ name: String, _ kind: MediaKind) -> (MediaItem, DripServer?) {
      (MediaItem(uri: server.uri(name), kind: kind), server)
    }
    return switch source {
    case .file: try await local("h264-640x360-30-2s.mp4", .file)
    case .picture: try await local("picture-640x480.jpg", .picture)
    case .tracks: try await local("tracks-320x240-25.mkv", .file)
    case .served: served(try await .ofMedia(), "h264-640x360-30-2s.mp4", .progressive)
    case .servedWebM: served(try await .ofMedia(), "vp8-vorbis-320x240-25.webm", .progressive)
    case .hls: served(try await .ofAdaptiveMedia(), "hls-fmp4/clip.m3u8", .adaptive)
    case .dash: served(try await .ofAdaptiveMedia(), "dash-number/clip.mpd", .adaptive)
    case .nobody: (MediaItem(uri: "http://127.0.0.1:9/none.mp4", kind: .progressive), nil)
    case .missing: served(try await .ofMedia(), "none.mp4", .progressive)
    }
  }

  @Test(
    "A pipeline and all its elements are freed with their deck, whatever it played and however that ended",
    arguments: Source.allCases)
  func pipelineGoes(source: Source) async throws {
    let rig = try await Rig()
    let (item, server) = try await item(source)
    let left = Remains()
    func play() async throws {
      let deck = try rig.deck(1, item)
      left.watch(deck.parts.pipeline)
      let isReady = try await rig.next { event -> Bool? in
        switch event {
        case .deck(_, .ready): true
        case .deck(_, .failed): false
        default: nil
        }
      }
      #expect(isReady == ![.nobody, .missing].contains(source))
      if isReady {
        deck.play(base: rig.now)
        _ = try await rig.frame(of: 1)
      }
      left.watchChildren(of: deck.parts.pipeline)
      deck.drop()
      _ = try await rig.next { if case .deck(_, .gone) = $0 { true } else { nil } }
    }
    try await play()
    // Reported from the deck's own thread, which may not have returned yet.
    try await eventually("nothing is left") { left.names.isEmpty }
    withExtendedLifetime(server) {}
  }
}

/// The watched elements that are still alive.
private final class Remains {
  private var watched: [(name: String, weak: WeakPointer)] = []

  var names: [String] { watched.filter { !$0.weak.isGone }.map(\.name) }

  func watch(_ element: Element) { watch(element.name, element.pointer) }

  private func watch(_ name: String, _ pointer: UnsafeMutablePointer<GstElement>) {
    let weak = WeakPointer()
    weak.watch(pointer)
    watched.append((name, weak))
  }

  /// Watches all elements inside, at any depth.
  func watchChildren(of pipeline: Element) {
    let bin = UnsafeMutableRawPointer(pipeline.pointer).assumingMemoryBound(to: GstBin.self)
    guard let iterator = gst_bin_iterate_recurse(bin) else { return }
    defer { gst_iterator_free(iterator) }
    let box = Unmanaged.passUnretained(self).toOpaque()
    _ = gst_iterator_foreach(
      iterator,
      { value, data in
        guard let value, let data, let object = g_value_get_object(value) else { return }
        let element = object.assumingMemoryBound(to: GstElement.self)
        let name = gst_object_get_name(object.assumingMemoryBound(to: GstObject.self))
        defer { g_free(name) }
        Unmanaged<Remains>.fromOpaque(data).takeUnretainedValue()
          .watch(name.map { String(cString: $0) } ?? "element", element)
      }, box)
  }
}

/// A weak pointer to a GStreamer object. GObject sets it to nil when the object is freed, under a lock of its own.
private final class WeakPointer: @unchecked Sendable {
  private let pointer = UnsafeMutablePointer<gpointer?>.allocate(capacity: 1)

  init() { pointer.initialize(to: nil) }

  func watch(_ element: UnsafeMutablePointer<GstElement>) {
    pointer.pointee = UnsafeMutableRawPointer(element)
    g_object_add_weak_pointer(UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self), pointer)
  }

  var isGone: Bool { pointer.pointee == nil }

  deinit { if isGone { pointer.deallocate() } }
}

internal import CGStreamer
internal import CGStreamerShims
package import PlaybackCore

/// Examines a film in a file, and makes a small picture of it.
package enum PosterProbe {
  /// The findings in a film.
  package struct Found: Sendable {
    package var facts: FilmFacts
    /// Nil for sound, and where no frame came.
    package var image: PosterImage?
    /// Whether the decoder has hung: it is still there, and the process should end.
    package var isLate = false
  }

  /// Opens a film in a file, or a picture. Blocks: for up to `limit` until it is open, and as long for its frames.
  ///
  /// - Parameters:
  ///   - item: what may be opened for it is opened; manifests aren't.
  ///   - box: the size in pixels that the picture fits in.
  /// - Throws: the errors of `MediaProbe.open`.
  package static func open(_ item: MediaItem, in box: PixelSize, limit: Duration) throws(VitrineError) -> Found {
    if let image = try PictureProbe.poster(of: item, in: box) { return Found(facts: FilmFacts(), image: image) }
    let facts = try MediaProbe.open(item, limit: limit)
    let file = FilmFile.read(item)
    let duration = file.length ?? facts.duration
    var found = Found(facts: FilmFacts(facts, of: item, duration: duration, descriptions: file.descriptions))
    guard item.kind == .file, !facts.isLive, facts.streams.contains(where: { $0.kind == .video }) else { return found }
    let direction = file.orientation.map(VideoStages.direction) ?? "auto"
    (found.image, found.isLate) = frame(
      of: item, played: item.playedRange(duration: duration), in: box, direction, limit: limit)
    return found
  }

  /// The best frame among some places of what is played.
  private static func frame(
    of item: MediaItem, played: Range<Duration>?, in box: PixelSize, _ direction: String, limit: Duration
  ) -> (image: PosterImage?, isLate: Bool) {
    let end = Instant.monotonicNow + limit
    func left() -> UInt64 { UInt64(max(0, (end - .monotonicNow).wholeNanoseconds)) }
    guard let (poster, first) = open(item, in: box, direction, timeout: left()) else { return (nil, false) }
    defer { vit_poster_close(poster) }
    guard first == VIT_POSTER_FRAME || first == VIT_POSTER_NONE else { return (nil, first == VIT_POSTER_LATE) }
    var choice = PosterChoice()
    var seen: Set<UInt64> = []
    if let played, !played.isEmpty {
      for place in PosterPolicy.places {
        let position = played.lowerBound + (played.upperBound - played.lowerBound) * place
        var outcome = seek(poster, to: position, isExact: false, timeout: left())
        // The key frame may be one that was tried, or lie before what is played.
        if outcome == VIT_POSTER_FRAME, let frame = take(poster, in: box),
          seen.contains(frame.time) || frame.time < UInt64(max(0, played.lowerBound.wholeNanoseconds))
        {
          outcome = seek(poster, to: position, isExact: true, timeout: left())
        }
        guard outcome != VIT_POSTER_LATE else { return (choice.best, true) }
        guard outcome == VIT_POSTER_FRAME, let frame = take(poster, in: box) else { continue }
        seen.insert(frame.time)
        choice.offer(frame.image)
        if choice.isGood { break }
      }
      if choice.best != nil { return (choice.best, false) }
      // What can't be sought has its first frame at least; one that failed meanwhile has none.
      _ = seek(poster, to: played.lowerBound, isExact: false, timeout: left())
    }
    return (take(poster, in: box)?.image, false)
  }

  private static func open(
    _ item: MediaItem, in box: PixelSize, _ direction: String, timeout: UInt64
  ) -> (OpaquePointer, vit_poster_outcome)? {
    let context = ServerSetup.usual.makeContext()
    defer { vit_context_unref(context) }
    var outcome = VIT_POSTER_FAILED
    let poster = item.uri.withCString { uri in
      direction.withCString { direction in
        var opened = vit_probe_item(
          uri: uri, is_alone: 1, parts: VIT_PARTS_NONE, named_from: guint(item.namedFrom?.rawValue ?? 0))
        return withUnsafePointer(to: &opened) { opened in
          var wish = vit_poster_wish(
            item: opened, width: guint(box.width), height: guint(box.height), direction: direction)
          return vit_poster_open(&wish, timeout, context, &outcome)
        }
      }
    }
    return poster.map { ($0, outcome) }
  }

  private static func seek(
    _ poster: OpaquePointer, to position: Duration, isExact: Bool, timeout: UInt64
  ) -> vit_poster_outcome {
    vit_poster_seek(poster, UInt64(max(0, position.wholeNanoseconds)), isExact ? 1 : 0, timeout)
  }

  private static func take(_ poster: OpaquePointer, in box: PixelSize) -> (image: PosterImage, time: UInt64)? {
    var frame = vit_poster_frame()
    var planes = [UInt8](repeating: 0, count: PosterImage.byteCount(of: box))
    guard vit_poster_take(poster, &planes, gsize(planes.count), &frame) != 0 else { return nil }
    let size = PixelSize(width: Int(frame.width), height: Int(frame.height))
    return PosterImage(size: size, planes: Array(planes.prefix(PosterImage.byteCount(of: size)))).map {
      ($0, frame.time)
    }
  }
}

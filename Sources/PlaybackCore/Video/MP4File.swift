/// The boxes of an MP4 or QuickTime file, read from outside: any number may stand in them.
struct MP4File {
  /// A box, or the part of it that lies within its parent.
  struct Box {
    var kind: String
    /// The first byte after the box's own head.
    var content: UInt64
    var end: UInt64
  }

  struct Track {
    var box: Box
    /// The handler's type, such as `vide` or `soun`.
    var kind: String
    var handler: Box
  }

  /// Most boxes that are read: real films have fewer, and a broken file must not be read for ever.
  private static let longestWalk = 4096
  /// Kinds of the first box of such files.
  private static let starts: Set<String> = ["ftyp", "moov", "mdat", "free", "skip", "wide", "pnot", "styp"]

  private let read: (UInt64, Int) -> [UInt8]?
  private var budget = longestWalk
  private var movie: Box?
  /// The start of the search for the next track.
  private var place: UInt64 = 0

  /// - Parameter read: returns `count` bytes of the file from `place` on; nil where there are fewer.
  init(_ read: @escaping (_ place: UInt64, _ count: Int) -> [UInt8]?) {
    self.read = read
    guard let start = box(at: 0, before: .max), Self.starts.contains(start.kind) else { return }
    movie = first("moov", from: 0, before: .max)
    place = movie?.content ?? 0
  }

  /// The next track of the film; nil after the last one, and in other files.
  mutating func nextTrack() -> Track? {
    guard let movie else { return nil }
    while let track = first("trak", from: place, before: movie.end) {
      place = track.end
      guard let media = first("mdia", in: track), let handler = first("hdlr", in: media),
        let kind = bytes(of: handler, from: 8, atMost: 4)
      else { continue }
      return Track(box: track, kind: String(decoding: kind, as: UTF8.self), handler: handler)
    }
    return nil
  }

  mutating func first(_ kind: String, in parent: Box) -> Box? {
    first(kind, from: parent.content, before: parent.end)
  }

  /// The boxes directly in `parent`.
  mutating func boxes(in parent: Box) -> [Box] {
    var (found, place) = ([Box](), parent.content)
    while let box = box(at: place, before: parent.end) {
      found.append(box)
      place = box.end
    }
    return found
  }

  /// The content of a box from `offset` on, cut after `count` bytes; nil where the box ends before.
  func bytes(of box: Box, from offset: UInt64 = 0, atMost count: Int) -> [UInt8]? {
    let (place, isTooFar) = box.content.addingReportingOverflow(offset)
    guard !isTooFar, place < box.end else { return nil }
    return read(place, Int(min(UInt64(count), box.end - place)))
  }

  static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

  /// The box that begins at `place`, cut at `limit`.
  private mutating func box(at place: UInt64, before limit: UInt64) -> Box? {
    guard budget > 0, place < limit, place < .max - 16, let head = read(place, 8) else { return nil }
    budget -= 1
    var size = Self.number(head[0..<4])
    var header: UInt64 = 8
    if size == 1 {
      guard let long = read(place + 8, 8) else { return nil }
      (size, header) = (Self.number(long[...]), 16)
    }
    guard size == 0 || size >= header else { return nil }
    let (end, isTooLong) = place.addingReportingOverflow(size)
    // Size zero: the last box, which goes to the end of the file.
    return Box(
      kind: String(decoding: head[4..<8], as: UTF8.self), content: place + header,
      end: size == 0 || isTooLong ? limit : min(end, limit))
  }

  private mutating func first(_ kind: String, from place: UInt64, before limit: UInt64) -> Box? {
    var place = place
    while let box = box(at: place, before: limit) {
      if box.kind == kind { return box }
      place = box.end
    }
    return nil
  }
}

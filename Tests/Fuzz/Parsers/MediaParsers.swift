import PictureFiles
import PlaybackCore
import ScreenModel

func readSubtitles(_ bytes: [UInt8]) {
  guard let cues = try? SubtitleParser.parse(bytes) else { return }
  precondition(zip(cues, cues.dropFirst()).allSatisfy { $0.start <= $1.start }, "cues out of their order")
  let timeline = SubtitleTimeline(cues)
  for cue in cues.prefix(10) {
    precondition(timeline.cues(at: cue.start).count <= SubtitleTimeline.maximumAtOnce, "too many at once")
  }
}

func readManifest(_ bytes: [UInt8]) {
  guard let mended = DASHManifest.mended(bytes) else { return }
  // Mending a mended manifest must not make it grow without end.
  precondition(mended.count < bytes.count * 20 + 1000, "a manifest that grows")
}

func readServed(_ bytes: [UInt8]) {
  let type = bytes.prefix { $0 != 0x0A }
  let start = Array(bytes.dropFirst(type.count + 1))
  let medium = ServedMedium(contentType: String(decoding: type, as: UTF8.self), start: start)
  for kind: MediaKind in [.progressive, .picture, .adaptive] { _ = medium?.kind(insteadOf: kind) }
  _ = PictureFormat(start: start)
  _ = MediaSignature.isFilm(start)
}

func readPicture(_ bytes: [UInt8]) {
  if let animated = AnimatedPNG(bytes) {
    for index in animated.frames.indices.prefix(4) { _ = animated.file(of: index) }
  }
  guard let header = try? PictureHeader.read(bytes) else { return }
  precondition(header.size.map { !$0.isEmpty } ?? true, "a picture of no pixels")
  let screen = PixelSize(width: 1920, height: 1080)
  if let size = header.size { _ = PictureLimits.allow(size) }
  _ = PictureScale.decodedSize(of: header, wanted: screen)
  _ = PictureScale.heldSize(of: header, wanted: screen)
  let timeline = PictureTimeline(header.animation, plays: nil, duration: nil, pictureDuration: .seconds(10))
  _ = timeline
}

func readStreamLength(_ bytes: [UInt8]) {
  let read: (Int, Int) -> [UInt8]? = { place, count in
    place >= 0 && count >= 0 && place <= bytes.count - count ? Array(bytes[place..<(place + count)]) : nil
  }
  let length = StreamLength.find(size: bytes.count, read)
  if let joined = StreamClock.find(size: bytes.count, read) {
    let other = joined.bytes(at: 0, count: bytes.count, of: bytes.count, read)
    precondition(other?.count == bytes.count, "a file that has another size")
  }
  // The clock wraps around after 26.5 hours.
  precondition(length.map { $0 > .zero && $0 < .seconds(60 * 3600) } ?? true, "a length that no clock tells")
}

func readMP4(_ bytes: [UInt8]) {
  var reads = 0
  func read(_ place: UInt64, _ count: Int) -> [UInt8]? {
    reads += 1
    precondition(count <= 4096 && reads < 100_000, "a walk without an end")
    guard place < bytes.count, count <= bytes.count - Int(place) else { return nil }
    return Array(bytes[Int(place)..<(Int(place) + count)])
  }
  _ = MP4Orientation.find { read($0, $1) }
  reads = 0
  precondition(AudioDescription.find { read($0, $1) }.count <= bytes.count, "more tracks than bytes")
  reads = 0
  let marks = TrackMarks.find { place, count in
    reads += 1
    precondition(count <= 1 << 20 && reads < 100_000, "a walk without an end")
    guard place < bytes.count, count <= bytes.count - Int(place) else { return nil }
    return Array(bytes[Int(place)..<(Int(place) + count)])
  }
  precondition(marks.values.allSatisfy { $0.count <= bytes.count }, "more tracks than bytes")
}

func readEDID(_ bytes: [UInt8]) {
  let name = EDID.name(bytes)
  precondition(name?.utf8.allSatisfy { (0x20...0x7E).contains($0) } ?? true, "a name that steers a terminal")
  _ = ScreenHDR(edid: bytes).names
}

func readH264(_ bytes: [UInt8]) {
  // The first byte chooses the framing of units.
  guard let kind = bytes.first.map({ Int($0 % 6) }) else { return }
  let units = Array(bytes.dropFirst())
  let isDisposable = H264Picture.isDisposable(units.span.bytes, kind == 0 ? .startCodes : .lengths(kind))
  precondition(
    !isDisposable || units.contains { (1...5).contains($0 & 0x1F) && $0 & 0x60 == 0 }, "gone without a slice")
}

import Testing

@testable import PlaybackCore

@Suite("Marks of tracks in a film's file")
struct TrackMarksTests {
  /// An element with its size in one byte, or in eight where it is longer.
  private func element(_ id: [UInt8], _ content: [UInt8]...) -> [UInt8] {
    let content = Array(content.joined())
    let size: [UInt8] =
      content.count < 127
      ? [0x80 | UInt8(content.count)]
      : [1] + [48, 40, 32, 24, 16, 8, 0].map { UInt8(truncatingIfNeeded: content.count >> $0) }
    return id + size + content
  }
  private func track(_ kind: UInt8, _ facts: [UInt8]...) -> [UInt8] {
    element([0xAE], element([0xD7], [1]), element([0x83], [kind]), Array(facts.joined()))
  }
  private let forced: [UInt8] = [0x55, 0xAA]
  private let hardOfHearing: [UInt8] = [0x55, 0xAB]
  private let impaired: [UInt8] = [0x55, 0xAC]
  private let header: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]
  private let segment: [UInt8] = [0x18, 0x53, 0x80, 0x67]
  private let tracks: [UInt8] = [0x16, 0x54, 0xAE, 0x6B]

  private func find(_ bytes: [UInt8]) -> [MediaTrack.Kind: [TrackMarks]] {
    TrackMarks.find { place, count in
      guard let start = Int(exactly: place), start <= bytes.count, count <= bytes.count - start else { return nil }
      return Array(bytes[start..<(start + count)])
    }
  }

  private var film: [UInt8] {
    let marked = element(
      tracks, element([0xEC], [0, 0]), track(1), track(2), track(2, element(impaired, [1]), element(forced, [0])),
      track(0x11, element(forced, [1])), track(0x11, element(hardOfHearing, [0, 1])), track(0x11),
      track(0x21, element(forced, [1])))
    return element(header, element([0x42, 0x82], Array("matroska".utf8)))
      + element(segment, element([0xEC], [UInt8](repeating: 0, count: 200)), marked)
  }

  private let expected: [MediaTrack.Kind: [TrackMarks]] = [
    .video: [TrackMarks()], .audio: [TrackMarks(), TrackMarks(isDescription: true)],
    .text: [TrackMarks(isForced: true), TrackMarks(isForHardOfHearing: true), TrackMarks()],
  ]

  @Test("Matroska's flags are read, in the order of the tracks of each kind")
  func flags() {
    #expect(find(film) == expected)
    // A segment of a length that wasn't known when it was written.
    let live = film.prefix(element(header, element([0x42, 0x82], Array("matroska".utf8))).count)
    let content = film.dropFirst(live.count + 4 + 8)
    #expect(find(Array(live) + segment + [0x01] + [UInt8](repeating: 0xFF, count: 7) + content) == expected)
  }

  @Test("Files that are cut anywhere, that lie about lengths, and others give what can be read, and end")
  func broken() {
    for count in 0..<film.count { _ = find(Array(film.prefix(count))) }
    for place in film.indices {
      for value: UInt8 in [0, 0x01, 0x7F, 0x80, 0xFF] {
        var bytes = film
        bytes[place] = value
        #expect(find(bytes).values.allSatisfy { $0.count <= film.count })
      }
    }
    #expect(find([]).isEmpty && find(Array("not a film at all, but some text".utf8)).isEmpty)
    // The tracks behind the pictures aren't looked for.
    let late = element(segment, element([0x1F, 0x43, 0xB6, 0x75], [0]), element(tracks, track(2)))
    #expect(find(element(header) + late).isEmpty)
    let empty = [UInt8](repeating: 0xEC, count: 1) + [0x80]
    #expect(
      find(
        element(header) + element(segment, Array(repeatElement(empty, count: 100).joined()), element(tracks, track(2)))
      ).isEmpty)
  }

  @Test("An MP4's sound tracks are marked by its boxes")
  func mp4() {
    #expect(find([0, 0, 0, 8] + Array("ftyp".utf8)).isEmpty)
  }

  @Test(
    "A title says that its text is for people who don't hear",
    arguments: [
      ("English SDH", true), ("English (CC)", true), ("Deutsch für Gehörlose", true),
      ("Sous-titres malentendants", true),
      ("Español para sordos", true), ("English, hearing impaired", true), ("English", false), ("Accents", false),
      ("", false),
    ])
  func titles(title: String, isMeant: Bool) {
    #expect(TrackMarks.isForHardOfHearing(named: title) == isMeant)
  }
}

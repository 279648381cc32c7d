/// Finds the sound tracks that describe the picture for people who don't see it.
///
/// GStreamer reports no flag for them, of any container. A track's title says it as a rule, because players show it; an
/// MP4's title isn't reported either, so that its file is read here.
public enum AudioDescription {
  /// Parts of titles, in lower case: English, the Romance languages and Dutch, German, Scandinavian ones, Finnish,
  /// Polish, Arabic, Japanese.
  private static let words = [
    "audio desc", "audio-desc", "audiodesc", "descriptive", "described", "visually impaired", "audiodeskr",
    "sehbehindert", "hörfilm", "synstolk", "syntolk", "kuvailutulk", "audiodeskryp", "وصف صوتي", "解説放送", "音声解説",
  ]

  /// Whether a track's title says that it is an audio description: in words, or by AD as a word of its own.
  public static func isNamed(in title: String) -> Bool {
    let title = title.lowercased()
    return words.contains { title.contains($0) }
      || title.split { !$0.isLetter && !$0.isNumber }.contains("ad")
  }

  /// Finds the descriptions of an MP4 or QuickTime file.
  ///
  /// A track is one if its name says so (of the handler or in `udta`), or its characteristics (Apple's `tagc`), or its
  /// role (`kind`, as DASH and TV-Anytime number it).
  ///
  /// - Parameter read: returns `count` bytes of the file from `place` on; nil where there are fewer.
  /// - Returns: for each sound track, in the file's order, whether it is a description; empty for other files.
  public static func find(_ read: @escaping (_ place: UInt64, _ count: Int) -> [UInt8]?) -> [Bool] {
    var (file, found) = (MP4File(read), [Bool]())
    while let track = file.nextTrack() {
      guard track.kind == "soun" else { continue }
      var isDescription = isNamed(in: file.text(of: track.handler, from: handlerName))
      let facts = file.first("udta", in: track.box).map { file.boxes(in: $0) } ?? []
      for fact in facts where !isDescription {
        switch fact.kind {
        case "name": isDescription = isNamed(in: file.text(of: fact))
        case "tagc": isDescription = file.text(of: fact).contains("describes-video")
        case "kind":
          // Version and flags, then the scheme and the value, each with a zero at its end.
          let parts = file.text(of: fact, from: 4).split(separator: "\0")
          isDescription = parts.count == 2 && roles[String(parts[0])] == parts[1]
        default: break
        }
      }
      found.append(isDescription)
    }
    return found
  }

  /// The name in a `hdlr` box follows version, type and reserved fields.
  private static let handlerName: UInt64 = 24
  private static let roles: [String: Substring] = [
    "urn:mpeg:dash:role:2011": "description", "urn:tva:metadata:cs:AudioPurposeCS:2007": "1",
  ]
}

extension MP4File {
  /// Names and roles are shorter; what follows isn't read.
  private static let longestText = 256

  fileprivate func text(of box: Box, from offset: UInt64 = 0) -> String {
    String(decoding: bytes(of: box, from: offset, atMost: Self.longestText) ?? [], as: UTF8.self)
  }
}

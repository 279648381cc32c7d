internal import PlaybackCore

/// Reads the captions of one track: a file, or the many files of an HLS playlist. Blocks.
struct CaptionReader {
  enum Outcome {
    /// With a remark where a part is missing.
    case whole(remark: VitrineError?)
    /// Nobody wants the captions any more.
    case cutShort
  }

  /// How web servers are reached.
  let servers: ServerSetup
  /// The reach of the farthest server that named the track; nil where only the configuration did.
  var namedFrom: NetworkReach?
  /// Asked while it reads; false ends the reading.
  var isWanted: () -> Bool = { true }

  /// - Parameters:
  ///   - position: of the item; of a playlist, what is shown from there on is read first.
  ///   - tell: gets all cues so far; of a playlist more than once.
  /// - Throws: 3201...3205.
  func read(_ uri: String, from position: Duration, tell: ([SubtitleCue]) -> Void) throws(VitrineError) -> Outcome {
    let text = try file(uri, namedFrom)
    guard isWanted() else { return .cutShort }
    if let parts = HLSPlaylist.parts(in: text.bytes) {
      return try read(CaptionParts(parts, from: position), of: text, tell)
    }
    guard ServedMedium(contentType: nil, start: text.bytes) != .hls else {
      throw VitrineError(
        3205, subject: uri, message: "these are the subtitles of a stream that is on air, or a list of streams",
        remedy: "the film plays without them; of HLS, subtitles of complete films are shown")
    }
    do throws(SubtitleError) {
      tell(try SubtitleParser.parse(text.bytes))
    } catch {
      throw error.error(subject: uri)
    }
    return .whole(remark: nil)
  }

  private func read(
    _ parts: CaptionParts, of list: ServedText, _ tell: ([SubtitleCue]) -> Void
  ) throws(VitrineError) -> Outcome {
    var parts = parts
    var fault: VitrineError?
    while let part = parts.next {
      do throws(VitrineError) {
        let uri = try address(of: part, in: list)
        let text = try file(uri, list.reach)
        guard isWanted() else { return .cutShort }
        do throws(SubtitleError) {
          try parts.take(text.bytes)
        } catch {
          fault = error.error(subject: uri)
          if error != .noCues { throw error.error(subject: list.address) }
        }
      } catch {
        guard error.number == Self.unreadable else { throw error }
        fault = error
        parts.fail()
      }
      if parts.isTimeToTell() { tell(parts.cues) }
    }
    guard var fault else { return .whole(remark: nil) }
    guard parts.readCount > 0 else { throw fault }
    fault.message = "\(parts.missingCount) of the subtitles' files are missing; of this one: \(fault.message)"
    return .whole(remark: fault)
  }

  private static let unreadable = 3204

  private func address(of part: HLSPlaylist.Part, in list: ServedText) throws(VitrineError) -> String {
    guard let uri = list.resolve(part.address) else {
      throw TextFile.failure(part.address, "it isn't an address of the web, as those in a playlist have to be")
    }
    return uri
  }

  private func file(_ uri: String, _ namedFrom: NetworkReach?) throws(VitrineError) -> ServedText {
    try TextFile.read(
      uri, limit: SubtitleParser.maximumLength, servers: servers, namedFrom: namedFrom, while: isWanted)
  }
}

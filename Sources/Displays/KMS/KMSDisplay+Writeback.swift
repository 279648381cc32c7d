public import PlaybackCore

extension KMSDisplay {
  public var writeback: ScreenWriteback? {
    guard let session else { return nil }
    let (card, crtc, size) = (session.card, session.plan.crtcID, session.plan.mode.size)
    let (rotation, summary) = (rotation, summary)
    return { mayBlink in
      do throws(DRMFailure) {
        guard let writeback = Writeback(card, crtc: crtc, size: size) else {
          return .failure(VitrineError.noWriteback(summary, "the card can't write back what this screen shows"))
        }
        return .success(rotation.inverse.turn(try writeback.pixels(mayBlink: mayBlink), size: size))
      } catch {
        return .failure(VitrineError.noWriteback(summary, error.description))
      }
    }
  }
}

extension VitrineError {
  /// The error of a screen whose picture can't be read back.
  public static func noWriteback(_ subject: String, _ reason: String) -> VitrineError {
    VitrineError(
      5052, subject: subject, message: "there is no picture by writeback: \(reason)",
      remedy: "ask for a composed picture, which is the default")
  }
}

public import InteractionCore
public import PlaybackCore

extension TrackWish {
  /// Carries out a command for captions, language, audio description or sign language.
  ///
  /// - Parameter shown: the tracks of the item that is shown.
  /// - Returns: the words that tell the visitor what is on now; nil for other commands.
  public mutating func change(by command: Command, of shown: [MediaTrack]) -> VisitorText? {
    func name(_ sentence: VisitorSentence, _ track: MediaTrack) -> VisitorText {
      VisitorText(sentence, ["track": .name(track.shownName)])
    }
    switch command {
    case .captions(let request):
      let track = changeCaptions(request, of: shown)
      return track.map { name(.captionsOn, $0) }
        ?? VisitorText(shown.contains(where: \.isCaption) ? .captionsOff : .noCaptions)
    case .language(let request):
      let track = changeLanguage(request, of: shown)
      return track.map { name(.spokenLanguage, $0) } ?? VisitorText(.noLanguage)
    case .description(let isOn):
      let track = changeDescription(isOn, of: shown)
      return track.map { name(.descriptionOn, $0) }
        ?? VisitorText(shown.contains(where: \.isDescription) ? .descriptionOff : .noDescription)
    case .signed(let isOn):
      return VisitorText(
        changeSigned(isOn, of: shown) != nil ? .signedOn : shown.contains(where: \.isSigned) ? .signedOff : .noSigned)
    default: return nil
    }
  }
}

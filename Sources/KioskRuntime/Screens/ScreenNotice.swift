internal import ControlProtocol
internal import JSONText
internal import PlaybackCore

/// A notice of a screen to the kiosk, in the past tense.
enum ScreenNotice: Sendable {
  /// The screen that the settings in use ask for can't be opened: they are to be rolled back.
  case settingsFailed(VitrineError)
  /// There is no screen, and the run doesn't wait for one.
  case failed(VitrineError)
  /// The screen was switched on or off, has come or has gone.
  case presenceChanged
  /// An error that belongs to no item.
  case problem(VitrineError)
  case firstFrame
  case itemStarted(MediaItem)
  case itemFailed(MediaItem, VitrineError)
  case reconnecting(VitrineError)
  /// The engine has settled: the decks may have other files open than before.
  case settled
  case decoderIsSilent(String)
  /// A pipeline doesn't answer and was given up; or the output shows nothing in spite of all remedies of this process.
  case pipelinesHang(isOutput: Bool)
  /// The status card has opened: the machine's facts have to be read again.
  case statusCardOpened
  /// The playlist has come to its end, and a snapshot that was due is written.
  case playlistEnded
  /// A cue for the broker: a topic, and what is published there.
  case publish(String, String)
  /// Something that programs are told of, and that no part of the kiosk acts on.
  case event(ControlEventKind, [JSONValue.Member] = [])
}

extension ScreenNotice {
  /// The problem that it tells; nil for other notices. An item that is opened again isn't one yet.
  var problem: VitrineError? {
    switch self {
    case .settingsFailed(let error), .failed(let error), .problem(let error), .itemFailed(_, let error): error
    default: nil
    }
  }

  /// The event that the control socket and MQTT send; nil where programs learn of it by the status alone.
  ///
  /// - Parameter screen: name of the screen that tells it; nil where it has none.
  func event(of screen: String?) -> ControlEvent? {
    switch self {
    case .itemFailed(let item, let error): ControlEvent.itemFailed(item, error, on: screen)
    case .event(let kind, let members): ControlEvent(kind, screen: screen, members)
    default: problem.map { ControlEvent.problem($0, on: screen) }
    }
  }
}

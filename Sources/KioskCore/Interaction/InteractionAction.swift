public import InteractionCore
public import PlaybackCore

/// The machine's actions, for the session to carry out.
public enum InteractionAction: Hashable, Sendable {
  case perform(Command)
  /// Holds playback until `letGo`, whatever is wanted. The two alternate.
  case hold
  case letGo
  /// Seeks to the place of the drag.
  case scrub(to: Duration, SeekTolerance)
  /// Starts the visitors' list, at the item of that number or else at its first one.
  case startVisitorsList(number: Int? = nil)
  case returnToLoop
  /// Plays the loop again, behind the tiles: the visit goes on.
  case playLoopBehindTiles
  case followDetour(ClipDetour.Action)
  case setSound(volume: Double, isMuted: Bool)
  /// Chooses the tracks of all items by this from now on.
  case setTracks(TrackWish)
  /// The status card has opened: the machine's facts have to be read again.
  case statusCardOpened
  case hidePointer
  case tellGesture(String)
}

/// What a client may take of the player, in one place. All clients together stay below 1 MB (`total`), pictures apart.
public enum ControlLimits {
  /// A request. The longest is a message of `CommandLimits.messageCharacters`, each of them escaped.
  public static let lineBytes = 4 * 1024
  /// What one client may leave unread: some hundred events, or a status of eight screens four times.
  public static let outputBytes = 40 * 1024
  /// A board has a few programs that steer and watch it: a button box, a scheduler, a dashboard, a person.
  public static let clients = 16
  /// Per client and turn of the loop: a flood of requests waits, touches and frames don't.
  public static let requestsPerTurn = 4
  /// One read of a client in a turn of the loop.
  public static let readBytes = 4 * 1024
  /// A client that takes nothing for so long, though something is there for it, isn't there any more.
  public static let stallSeconds = 30
  /// For a client that is closed to take its last line.
  public static let lingerSeconds = 2
  /// Where all places are taken, one that neither asks nor listens for so long makes room.
  public static let idleSeconds = 10
  public static let screenNameCharacters = 64
  /// Of a text that is to be told back with the answer.
  public static let idCharacters = 64
  /// A PNG; one of a 4K film takes some 12 MB. There is one at a time for all clients.
  public static let pictureBytes = 32 * 1024 * 1024
  /// The longest side that a picture may be asked for.
  public static let pictureSide = 8192

  /// What all clients together can have the player keep.
  public static var total: Int { clients * (lineBytes + readBytes + outputBytes) }
}

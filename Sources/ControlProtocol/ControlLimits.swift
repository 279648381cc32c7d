/// The limits of the resources that clients use, in one place. All clients together stay below 1 MB (`total`), pictures
/// apart.
public enum ControlLimits {
  /// Bytes of a request. The longest is a message of `CommandLimits.messageCharacters`, each of them escaped.
  public static let lineBytes = 4 * 1024
  /// Bytes of output that a client may leave unread: some hundred events, or four statuses of eight screens.
  public static let outputBytes = 40 * 1024
  /// A board has few programs that control and monitor it: a button box, a scheduler, a dashboard, a person.
  public static let clients = 16
  /// Of those, connections of other machines: a network can't take the places of programs on the board.
  public static let networkClients = 8
  /// Requests a second from the network, and at once after a pause, from all machines together; and as many from each
  /// serial line. A fader sends up to 100 a second.
  public static let (networkRate, networkBurst) = (200.0, 200.0)
  /// Requests of a client in a turn of the loop: a flood of requests waits, so that touches and frames don't.
  public static let requestsPerTurn = 4
  /// Bytes that are read from a client in a turn of the loop.
  public static let readBytes = 4 * 1024
  /// A client that has unread output and reads none of it for this long counts as gone.
  public static let stallSeconds = 30
  /// How long a closing client has to read its last line.
  public static let lingerSeconds = 2
  /// A client that has neither requested nor subscribed for this long makes room where all places are taken.
  public static let idleSeconds = 10
  public static let screenNameCharacters = 64
  /// The longest text as an id, which is sent back with the answer.
  public static let idCharacters = 64
  /// The largest screenshot; a PNG of a 4K film has some 12 MB. Only one is made at a time for all clients.
  public static let pictureBytes = 32 * 1024 * 1024
  /// The longest side that a screenshot may be asked for.
  public static let pictureSide = 8192

  /// The most bytes that the player keeps for all clients together.
  public static var total: Int { clients * (lineBytes + readBytes + outputBytes) }
}

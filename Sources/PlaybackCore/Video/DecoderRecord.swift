/// Decoders of the board that gave no picture, kept in a file from one process to the next: each start would lose four
/// seconds in trying one of them again.
public struct DecoderRecord: Hashable, Sendable {
  /// Time for which a decoder is avoided. A fault of its firmware may be gone after the board was restarted, or has
  /// cooled down.
  public static let stay: Duration = .seconds(7 * 24 * 3600)

  /// The system on which a decoder failed: on any other it is tried again.
  public struct System: Hashable, Sendable {
    /// `raspberrypi,4-model-b`; for a PC its processor.
    public var board: String
    /// The output of `uname -r`.
    public var kernel: String
    public var gstreamer: String
    /// Version of this program.
    public var version: String

    public init(board: String, kernel: String, gstreamer: String, version: String) {
      self.board = board
      self.kernel = kernel
      self.gstreamer = gstreamer
      self.version = version
    }

    fileprivate var fields: [String] { [board, kernel, gstreamer, version].map(Self.plain) }

    /// A field without control characters, whatever the board's name contains.
    private static func plain(_ text: String) -> String {
      String(text.unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) })
    }
  }

  private struct Entry: Hashable, Sendable {
    var decoder: String
    /// Seconds since 1970 at which the failure was recorded.
    var time: Int64
    var system: [String]
  }

  private var entries: [Entry] = []
  /// Most entries: a file with more wasn't written by this program.
  private static let most = 32

  /// - Parameter text: the form that `text` writes. An unreadable line is skipped: its decoder is tried again.
  public init(text: String = "") {
    for line in text.split(whereSeparator: \.isNewline).prefix(Self.most) {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 6, !fields[0].isEmpty, let time = Int64(fields[1]) else { continue }
      entries.append(Entry(decoder: fields[0], time: time, system: Array(fields[2...])))
    }
  }

  /// One line for each entry: decoder, seconds since 1970, board, kernel, GStreamer, version, separated by tabs.
  public var text: String {
    entries.map { ([$0.decoder, String($0.time)] + $0.system).joined(separator: "\t") + "\n" }.joined()
  }

  /// Notes that the decoder has failed for good in this process.
  ///
  /// - Parameter now: seconds since 1970.
  public mutating func failed(_ decoder: String, with system: System, at now: Int64) {
    entries.removeAll { $0.decoder == decoder }
    entries.append(Entry(decoder: decoder, time: now, system: system.fields))
    entries = Array(entries.suffix(Self.most))
  }

  /// Notes that the decoder works: its failure is forgotten.
  public mutating func passed(_ decoder: String) { entries.removeAll { $0.decoder == decoder } }

  /// The decoders to avoid. An entry with a time in the future was written by a wrong clock, and is ignored.
  public func avoided(with system: System, at now: Int64) -> [String] {
    entries.filter { entry in
      entry.system == system.fields && entry.time <= now
        && now.clampedSubtracting(entry.time) < Self.stay.components.seconds
    }.map(\.decoder).sorted()
  }
}

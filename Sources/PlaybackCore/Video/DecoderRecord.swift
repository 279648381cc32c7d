/// Decoders of the board that gave no picture, as a file keeps them from one process to the next: trying each of them again costs
/// every start its four seconds.
public struct DecoderRecord: Hashable, Sendable {
  /// So long is a decoder left alone. A fault of its firmware may be gone after the board was started anew, or cooler.
  public static let stay: Duration = .seconds(7 * 24 * 3600)

  /// What a decoder failed with: with anything else it is tried again.
  public struct System: Hashable, Sendable {
    /// `raspberrypi,4-model-b`; of a PC its processor.
    public var board: String
    /// As `uname -r` has it.
    public var kernel: String
    public var gstreamer: String
    /// Of this program.
    public var version: String

    public init(board: String, kernel: String, gstreamer: String, version: String) {
      self.board = board
      self.kernel = kernel
      self.gstreamer = gstreamer
      self.version = version
    }

    fileprivate var fields: [String] { [board, kernel, gstreamer, version].map(Self.plain) }

    /// A field of a line, whatever a board calls itself.
    private static func plain(_ text: String) -> String {
      String(text.unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) })
    }
  }

  private struct Entry: Hashable, Sendable {
    var decoder: String
    /// Seconds since 1970.
    var time: Int64
    var system: [String]
  }

  private var entries: [Entry] = []
  /// More are only there where the file isn't ours.
  private static let most = 32

  /// - Parameter text: as `text` writes it. A line that can't be read is left out: the decoder is tried again.
  public init(text: String = "") {
    for line in text.split(whereSeparator: \.isNewline).prefix(Self.most) {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 6, !fields[0].isEmpty, let time = Int64(fields[1]) else { continue }
      entries.append(Entry(decoder: fields[0], time: time, system: Array(fields[2...])))
    }
  }

  /// A line each: decoder, seconds since 1970, board, kernel, GStreamer, version, with tabs between.
  public var text: String {
    entries.map { ([$0.decoder, String($0.time)] + $0.system).joined(separator: "\t") + "\n" }.joined()
  }

  /// The decoder has failed for good, for this process.
  ///
  /// - Parameter now: seconds since 1970.
  public mutating func failed(_ decoder: String, with system: System, at now: Int64) {
    entries.removeAll { $0.decoder == decoder }
    entries.append(Entry(decoder: decoder, time: now, system: system.fields))
    entries = Array(entries.suffix(Self.most))
  }

  /// The decoder works: whatever it failed with is over.
  public mutating func passed(_ decoder: String) { entries.removeAll { $0.decoder == decoder } }

  /// Which decoders are left alone. A time in the future was written by a clock that was wrong, and counts for nothing.
  public func avoided(with system: System, at now: Int64) -> [String] {
    entries.filter { entry in
      entry.system == system.fields && entry.time <= now
        && now.clampedSubtracting(entry.time) < Self.stay.components.seconds
    }.map(\.decoder).sorted()
  }
}

/// Corrects the clock of an MPEG transport or program stream in a file.
///
/// A file that was joined from several, as VOBs of a DVD and cut recordings are, has a clock that starts anywhere in
/// each part. GStreamer plays such a file, but can't tell its duration, and can't seek behind the first join. GStreamer
/// also ignores times before the first clock, such as those of sound with encoder delay.
public struct StreamClock: Hashable, Sendable {
  /// The bytes from one join to the next.
  struct Part: Hashable, Sendable {
    /// The first byte's offset in the file.
    var place: Int
    /// Correction of the part's times, in ticks.
    var shift: Int64
  }

  let container: StreamLength.Container
  let parts: [Part]
  /// Ticks by which the clock is moved back; presentation times stay.
  let lead: Int64

  /// A clock before all presentation times, written over a dispensable packet.
  struct Beginning: Hashable, Sendable {
    /// The offset of that packet in the file.
    var place: Int
    /// The packet identifier (PID) that carries the clock.
    var stream: UInt16
    var time: Int64
  }
  let beginning: Beginning?

  /// Places at which the clock is sampled, all over the file. Parts of a hundredth of the file are found, and a slow
  /// disk reads the samples in a second.
  private static let looks = 64
  /// Least distance of two samples, in bytes.
  private static let nearest = 128 << 10
  /// Bytes that are searched for a clock: clocks come at least ten times a second, so there is one within this many.
  private static let patience = 512 << 10
  /// Bytes read at once while searching for a clock.
  private static let piece = 16 << 10
  /// Bisection ends at this many bytes, which are then read as a whole.
  private static let window = 512 << 10
  /// Bytes before and after a join that are read for the times at which sound and pictures end and begin.
  private static let span = 512 << 10
  /// Most joins: more would mean a broken clock, and would take long to read.
  private static let most = 32
  /// Least jump back that counts as a join, in ticks: one second, as for GStreamer's demultiplexers. Less is jitter.
  private static let jumpBack: Int64 = 90_000
  /// Least jump ahead that counts as a join, in ticks: one minute. Slide shows have shorter gaps.
  private static let jumpAhead: Int64 = 60 * 90_000
  /// A step between samples that is this many times the usual one may contain a jump.
  private static let unusual: Int64 = 8

  /// - Parameters:
  ///   - size: of the file, in bytes.
  ///   - read: returns `count` bytes from `place` on; nil where that fails.
  /// - Returns: nil for other files, and for those with a correct clock.
  public static func find(size: Int, _ read: (_ place: Int, _ count: Int) -> [UInt8]?) -> StreamClock? {
    guard size > 0, let head = read(0, min(StreamLength.sniffed, size)),
      let container = StreamLength.Container(head)
    else { return nil }
    var finder = Finder(container: container, size: size)
    let parts = finder.find(read)
    guard !parts.isEmpty || finder.lead > 0 || finder.beginning != nil else { return nil }
    return StreamClock(container: container, parts: parts, lead: finder.lead, beginning: finder.beginning)
  }

  /// The file's bytes with corrected times.
  ///
  /// - Returns: nil where the file can't be read.
  public func bytes(at place: Int, count: Int, of size: Int, _ read: (_ place: Int, _ count: Int) -> [UInt8]?)
    -> [UInt8]?
  {
    guard place >= 0, count > 0, count <= size - place else { return nil }
    guard isChanged(from: place, count: count) else { return read(place, count) }
    // A stamp may begin before these bytes, or end after them.
    let reach = max(StreamLength.Container.stampReach, container.grid)
    let begin = max(0, place - reach) / container.grid * container.grid
    let end = min(size, place + count + reach)
    guard var all = read(begin, end - begin) else { return nil }
    for stamp in container.stamps(in: all) {
      let shift = parts.last { $0.place <= begin + stamp.packet }?.shift ?? 0
      stamp.write(stamp.time(in: all) + shift - (stamp.isClock ? lead : 0), to: &all)
    }
    if let beginning { begun(by: beginning, &all, at: begin) }
    return Array(all[(place - begin)..<(place - begin + count)])
  }

  /// Whether any of these bytes may be changed by the correction.
  public func isChanged(from place: Int, count: Int) -> Bool {
    lead != 0 || (beginning.map { place <= $0.place + container.grid } ?? false)
      || parts.first.map { place + count > $0.place } ?? false
  }

  /// Replaces a packet by one that contains only a clock.
  private func begun(by beginning: Beginning, _ bytes: inout [UInt8], at begin: Int) {
    guard case .transport(_, let prefix) = container else { return }
    let place = beginning.place + prefix - begin
    guard place >= 0, place + 188 <= bytes.count else { return }
    let stream = beginning.stream
    let head: [UInt8] = [0x47, UInt8(stream >> 8), UInt8(stream & 0xFF), 0x20, 183, 0x10, 0, 0, 0, 0, 0x7E, 0]
    bytes.replaceSubrange(place..<(place + 188), with: head + [UInt8](repeating: 0xFF, count: 188 - head.count))
    StreamStamp(packet: place, place: place + 6, form: .reference, isClock: true).write(beginning.time, to: &bytes)
  }

  private struct Mark: Hashable {
    var place: Int
    var time: Int64
  }

  private struct Finder {
    let container: StreamLength.Container
    let size: Int
    private(set) var lead: Int64 = 0
    private(set) var beginning: Beginning?

    typealias Reader = (_ place: Int, _ count: Int) -> [UInt8]?

    init(container: StreamLength.Container, size: Int) {
      self.container = container
      self.size = size
    }

    mutating func find(_ read: Reader) -> [Part] {
      guard let head = read(0, min(StreamClock.patience, size)) else { return [] }
      let stamps = container.stamps(in: head)
      // Several programs in one stream have a clock each.
      guard let first = stamps.first(where: \.isClock)?.time(in: head),
        Set(stamps.filter(\.isClock).map(\.stream)).count == 1
      else { return [] }
      beginWithClock(stamps, head, first)
      let looks = looks(read)
      let steps = zip(looks, looks.dropFirst()).map { StreamLength.distance(from: $0.time, to: $1.time) }
      let forwards = steps.filter { $0 > 0 }.sorted()
      let usual = forwards.isEmpty ? 0 : forwards[forwards.count / 2]
      var parts: [Part] = []
      for (step, (from, to)) in zip(steps, zip(looks, looks.dropFirst())) {
        var from = from
        var step = step
        while step < 0 || step > max(StreamClock.jumpAhead, StreamClock.unusual * usual) {
          guard let (low, high) = narrow(from, to, read) else { break }
          guard let found = joins(low, high, after: parts.last, read), !found.isEmpty else { break }
          parts += found
          if parts.count > StreamClock.most { return [] }
          guard high.place < to.place else { break }
          from = high
          step = StreamLength.distance(from: from.time, to: to.time)
        }
      }
      return parts
    }

    /// Packets of service information, and filling.
    private static let spared: Set<UInt16> = [0x10, 0x11, 0x12, 0x14, 0x1FFF]

    /// Moves the clock of a transport stream before all presentation times. A program stream's begins there.
    private mutating func beginWithClock(_ stamps: [StreamStamp], _ head: [UInt8], _ first: Int64) {
      guard case .transport(let stride, let prefix) = container, let clock = stamps.first(where: \.isClock),
        let earliest = stamps.filter({ !$0.isClock }).map({
          StreamLength.distance(from: first, to: $0.time(in: head))
        }).min(), earliest > -StreamClock.jumpAhead
      else { return }
      lead = max(0, -earliest)
      guard let due = stamps.first, !due.isClock else { return }
      for place in Swift.stride(from: 0, to: due.packet, by: stride) {
        let packet = head[(place + prefix)...].prefix(3)
        guard packet.count == 3, packet.first == 0x47 else { continue }
        let identity = UInt16(packet[place + prefix + 1] & 0x1F) << 8 | UInt16(packet[place + prefix + 2])
        guard Self.spared.contains(identity) else { continue }
        beginning = Beginning(place: place, stream: clock.stream, time: first - lead)
        return
      }
    }

    private func looks(_ read: Reader) -> [Mark] {
      let step = max(StreamClock.nearest, size / StreamClock.looks)
      var marks: [Mark] = []
      for place in stride(from: 0, to: size, by: step) {
        guard let mark = mark(from: place, before: min(size, place + step), read) else { continue }
        marks.append(mark)
      }
      // The last clock of the file.
      let tail = max(0, size - StreamClock.nearest) / container.grid * container.grid
      if let last = read(tail, size - tail).map({ self.marks(in: $0, at: tail) })?.last,
        last.place > marks.last?.place ?? -1
      {
        marks.append(last)
      }
      return marks
    }

    private func marks(in bytes: [UInt8], at place: Int) -> [Mark] {
      container.stamps(in: bytes).filter(\.isClock).map {
        Mark(place: place + $0.packet, time: $0.time(in: bytes))
      }
    }

    /// The first clock in a range.
    private func mark(from place: Int, before end: Int, _ read: Reader) -> Mark? {
      let grid = container.grid
      var place = (place + grid - 1) / grid * grid
      let limit = min(end, place + StreamClock.patience)
      while place < limit {
        // Pieces overlap by the length of a stamp.
        let count = min(StreamClock.piece / grid * grid + StreamLength.Container.stampReach, size - place)
        guard count > 0, let bytes = read(place, count) else { return nil }
        if let mark = marks(in: bytes, at: place).first { return mark.place < end ? mark : nil }
        place += StreamClock.piece / grid * grid
      }
      return nil
    }

    /// Bisects the range between two clocks that don't fit together.
    private func narrow(_ from: Mark, _ to: Mark, _ read: Reader) -> (Mark, Mark)? {
      var (low, high) = (from, to)
      while high.place - low.place > StreamClock.window {
        let middle = low.place + (high.place - low.place) / 2
        guard let mark = mark(from: middle, before: high.place, read) else { return nil }
        let isBehind =
          abs(StreamLength.distance(from: mark.time, to: high.time))
          < abs(StreamLength.distance(from: low.time, to: mark.time))
        if isBehind { high = mark } else { low = mark }
      }
      return (low, high)
    }

    /// All joins between two clocks that are close together.
    private func joins(_ low: Mark, _ high: Mark, after last: Part?, _ read: Reader) -> [Part]? {
      let count = min(size - low.place, high.place - low.place + max(StreamLength.Container.stampReach, container.grid))
      guard let bytes = read(low.place, count) else { return nil }
      let stamps = container.stamps(in: bytes)
      var parts: [Part] = []
      var last = last
      var before: Int?
      for index in stamps.indices where stamps[index].isClock && parts.count <= StreamClock.most {
        defer { before = index }
        guard let before else { continue }
        let (old, new) = (stamps[before].time(in: bytes), stamps[index].time(in: bytes))
        let step = StreamLength.distance(from: old, to: new)
        guard step < -StreamClock.jumpBack || step > StreamClock.jumpAhead else { continue }
        // Sound and pictures may come before their clock.
        let first = stamps[(before + 1)...index].first { stamp in
          let time = stamp.time(in: bytes)
          return abs(StreamLength.distance(from: new, to: time)) < abs(StreamLength.distance(from: old, to: time))
        }
        let place = low.place + (first ?? stamps[index]).packet
        let shift = shift(at: place, from: last?.place ?? 0, old, new, read)
        let part = Part(place: place, shift: StreamLength.forward(from: 0, to: (last?.shift ?? 0) + shift))
        parts.append(part)
        last = part
      }
      return parts
    }

    /// The correction with which the part after a join begins where the part before it ends.
    private func shift(at place: Int, from begin: Int, _ old: Int64, _ new: Int64, _ read: Reader) -> Int64 {
      let grid = container.grid
      let start = max(begin, place - StreamClock.span) / grid * grid
      guard let before = read(start, place - start),
        let behind = read(place, min(StreamClock.span, size - place)),
        let end = StreamLength.end(container.times(in: before), near: old),
        let first = StreamLength.beginning(container.times(in: behind), near: new)
      else { return old - new }
      return end - first
    }
  }
}

import PlaybackCore
import Testing

@testable import ContentStore

@Suite("Lists of addresses in the store")
struct StoreListTests {
  private let uri = "http://host/films.m3u"
  private let text = Array("#EXTM3U\na.mp4\n".utf8)

  /// A store with an empty folder that wants the list.
  private func opened() -> StoreMachine {
    var machine = StoreMachine(settings: StoreSettings(), seed: 1)
    _ = machine.handle(.opened(StoreFound(index: nil, sizes: [:], free: 1 << 30)), at: second(0))
    _ = machine.handle(.wanted([WantedFile(uri: uri, kind: .list)]), at: second(0))
    return machine
  }

  private func second(_ count: Int64) -> Instant { Instant(nanoseconds: count * 1_000_000_000) }

  /// Answers the transfer under way with the whole body.
  private func answer(
    _ machine: inout StoreMachine, _ body: [UInt8], reach: NetworkReach?, isRight: Bool = true, at second: Int64
  ) -> [StoreAction] {
    #expect(machine.transfer != nil)
    let id = machine.transfer?.id ?? 0
    var actions: [StoreAction] = []
    let head = ResponseHead(status: 200, contentLength: Int64(body.count), etag: "\"\(second)\"", reach: reach)
    let events: [StoreEvent] = [
      .answered(id, head), .fileOpened(id, free: 1 << 30), .received(id, count: body.count, start: body),
      .wrote(id, free: 1 << 30), .bodyEnded(id), .finished(id, isRight: isRight),
    ]
    for event in events { actions += machine.handle(event, at: self.second(second)) }
    return actions
  }

  @Test("A downloaded list is offered as a list, not as a film, with its server's reach; a restart keeps both")
  func kept() throws {
    var machine = opened()
    let actions = answer(&machine, text, reach: .local, at: 1)
    #expect(actions.contains { if case .finish(_, _, _, isList: true) = $0 { true } else { false } })
    let name = try #require(machine.lists[uri])
    #expect(machine.copies.isEmpty && machine.reach(ofList: name) == .local)
    #expect(machine.status.wanted == 1 && machine.status.stored == 1)
    // A restart without a network still knows the list.
    let index = try #require(
      actions.reversed().compactMap { if case .save(let index) = $0 { index } else { nil } }.first)
    let read = try #require(StoreIndex(text: index.text))
    #expect(read == index && read.files.map(\.listReach) == [.local])
    var next = StoreMachine(settings: StoreSettings(), seed: 1)
    _ = next.handle(.wanted([WantedFile(uri: uri, kind: .list)]), at: second(9))
    _ = next.handle(.opened(StoreFound(index: read, sizes: [name: Int64(text.count)], free: 1 << 30)), at: second(9))
    #expect(next.lists == [uri: name] && next.reach(ofList: name) == .local)
  }

  @Test("A server of unknown reach counts as one on the internet")
  func unknownReach() throws {
    var machine = opened()
    _ = answer(&machine, text, reach: nil, at: 1)
    #expect(machine.reach(ofList: try #require(machine.lists[uri])) == .everywhere)
  }

  @Test("A list continued from a farther server has that server's reach, also after a restart")
  func resumedElsewhere() throws {
    var machine = opened()
    let id = machine.transfer?.id ?? 0
    let half = Array(text.prefix(8))
    let head = ResponseHead(status: 200, contentLength: Int64(text.count), etag: "\"1\"", reach: .local)
    let events: [StoreEvent] = [
      .answered(id, head), .fileOpened(id, free: 1 << 30), .received(id, count: half.count, start: half),
      .wrote(id, free: 1 << 30), .transferFailed(id, .connection("cut")),
    ]
    for event in events { _ = machine.handle(event, at: second(1)) }
    _ = machine.handle(.timerFired, at: second(3600))
    let next = try #require(machine.transfer)
    #expect(next.request.from == Int64(half.count))
    let rest = ResponseHead(
      status: 206, contentLength: Int64(text.count - half.count),
      contentRange: "bytes \(half.count)-\(text.count - 1)/\(text.count)", etag: "\"1\"", reach: .everywhere)
    _ = machine.handle(.answered(next.id, rest), at: second(3600))
    #expect(machine.files.values.map(\.listReach) == [.everywhere])
  }

  @Test("An empty list, a page or one that is too long doesn't replace the last good list")
  func lastGood() throws {
    var machine = opened()
    _ = answer(&machine, text, reach: .local, at: 1)
    let good = machine.lists
    // The store asks the server again after the interval.
    let hour = 3600 * 24
    _ = machine.handle(.timerFired, at: second(Int64(hour)))
    let empty = answer(&machine, Array("#EXTM3U\n".utf8), reach: .local, isRight: false, at: Int64(hour))
    #expect(empty.contains { if case .tell(.problem(let error)) = $0 { error.number == 2613 } else { false } })
    #expect(machine.lists == good)
    _ = machine.handle(.timerFired, at: second(Int64(2 * hour)))
    _ = answer(&machine, Array("<!DOCTYPE html>".utf8), reach: .local, at: Int64(2 * hour))
    #expect(machine.lists == good)
    _ = machine.handle(.timerFired, at: second(Int64(3 * hour)))
    let long = text + [UInt8](repeating: 0x0A, count: Int(machine.policy.listBytes))
    _ = answer(&machine, long, reach: .local, at: Int64(3 * hour))
    #expect(machine.lists == good)
    _ = machine.handle(.timerFired, at: second(Int64(4 * hour)))
    _ = answer(&machine, text + text, reach: .everywhere, at: Int64(4 * hour))
    let name = try #require(machine.lists[uri])
    #expect(machine.lists != good && machine.reach(ofList: name) == .everywhere)
  }

  @Test("A list is recognised by its beginning under any name; an unwanted one isn't offered")
  func byContent() {
    var machine = StoreMachine(settings: StoreSettings(), seed: 1)
    _ = machine.handle(.opened(StoreFound(index: nil, sizes: [:], free: 1 << 30)), at: second(0))
    _ = machine.handle(.wanted([WantedFile(uri: "http://host/now")]), at: second(0))
    _ = answer(&machine, text, reach: .local, at: 1)
    #expect(machine.lists["http://host/now"] != nil && machine.copies.isEmpty)
    _ = machine.handle(.wanted([]), at: second(2))
    #expect(machine.lists.isEmpty)
  }

  @Test("An index line with an unknown reach is refused")
  func lines() {
    let file = StoredFile(name: "1.m3u", uri: uri, isComplete: true, got: 3, length: 3, listReach: .everywhere)
    #expect(StoredFile(line: file.line) == file)
    for end in ["list 9", "list", "reach 1", "list 1\tx"] {
      let line = file.line.replacing("list 3", with: end)
      #expect(StoredFile(line: line) == nil, "\(line)")
    }
  }
}

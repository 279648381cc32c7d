import PlaybackCore
import Testing

private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }
private let gone = SoundErrors.failed("pulse", detail: "")
private let shut = SoundErrors.cannotOpen("pulse", detail: "")

@Suite("Sound: a device that fails or goes is tried again")
struct SoundReconnectTests {
  @Test("The device is opened at the start, reported, and left alone")
  func start() {
    var keeper = SoundReconnect()
    #expect(keeper.handle(.start, at: at(0)) == [.open])
    #expect(keeper.handle(.opened("pulse"), at: at(10)) == [.tell(.on(device: "pulse"))])
    #expect(keeper.phase == .open(since: at(10)))
    #expect(keeper.wakeUp == nil)
    #expect(keeper.handle(.tick, at: at(99_000)) == [])
  }

  @Test("A missing device is tried after 0.5, 1, 2, 4 and then every 8 s, and reported once")
  func absent() {
    var keeper = SoundReconnect()
    var now = at(0)
    _ = keeper.handle(.start, at: now)
    var waits: [Int] = []
    var told = 0
    for _ in 0..<7 {
      told += keeper.handle(.couldNotOpen(shut), at: now).filter { $0 == .tell(.off(shut)) }.count
      let next = keeper.wakeUp ?? now
      waits.append(Int((next - now).inMilliseconds))
      #expect(keeper.handle(.tick, at: next - .nanoseconds(1)) == [])
      #expect(keeper.handle(.tick, at: next) == [.open])
      now = next
    }
    #expect(waits == [500, 1000, 2000, 4000, 8000, 8000, 8000])
    #expect(told == 1)
    #expect(keeper.handle(.opened("pulse"), at: now) == [.tell(.on(device: "pulse"))])
  }

  @Test("Having no device is no error where none was named, and the search goes on")
  func none() {
    var keeper = SoundReconnect()
    _ = keeper.handle(.start, at: at(0))
    #expect(keeper.handle(.foundNone, at: at(0)) == [.tell(.absent)])
    #expect(keeper.handle(.tick, at: at(500)) == [.open])
    #expect(keeper.handle(.foundNone, at: at(500)) == [])
    #expect(keeper.wakeUp == at(1500))
  }

  @Test("A device that worked for 10 s and fails is reported, and its tries start over")
  func proved() {
    var keeper = SoundReconnect()
    _ = keeper.handle(.start, at: at(0))
    _ = keeper.handle(.couldNotOpen(shut), at: at(0))
    _ = keeper.handle(.tick, at: at(500))
    _ = keeper.handle(.opened("pulse"), at: at(500))
    #expect(keeper.handle(.failed(gone), at: at(10_500)) == [.close, .tell(.off(gone))])
    #expect(keeper.phase == .waiting(until: at(11_000)))
  }

  @Test("A device that opens and fails at once is tried at growing intervals, and reported once")
  func flapping() {
    var keeper = SoundReconnect()
    var now = at(0)
    _ = keeper.handle(.start, at: now)
    var told = 0
    var opened = 0
    while now < at(600_000) {
      _ = keeper.handle(.opened("pulse"), at: now)
      now = now + .milliseconds(100)
      told += keeper.handle(.failed(gone), at: now).filter { $0 == .tell(.off(gone)) }.count
      now = keeper.wakeUp ?? now
      #expect(keeper.handle(.tick, at: now) == [.open])
      opened += 1
    }
    #expect(told == 1)
    #expect(opened < 85)
  }

  @Test("Late events of a former device change nothing")
  func echoes() {
    var keeper = SoundReconnect()
    _ = keeper.handle(.start, at: at(0))
    _ = keeper.handle(.opened("pulse"), at: at(0))
    _ = keeper.handle(.failed(gone), at: at(1))
    let waiting = keeper
    #expect(keeper.handle(.failed(gone), at: at(2)) == [])
    #expect(keeper.handle(.opened("pulse"), at: at(2)) == [])
    #expect(keeper.handle(.start, at: at(2)) == [])
    #expect(keeper == waiting)
  }

  @Test("Another device is opened at once, whatever the one before did, and its failure is reported")
  func another() {
    var open = SoundReconnect()
    _ = open.handle(.start, at: at(0))
    _ = open.handle(.opened("pulse"), at: at(0))
    #expect(open.handle(.deviceChanged, at: at(1)) == [.close, .open])
    #expect(open.handle(.opened("alsa"), at: at(2)) == [.tell(.on(device: "alsa"))])

    var waiting = SoundReconnect()
    _ = waiting.handle(.start, at: at(0))
    _ = waiting.handle(.couldNotOpen(shut), at: at(0))
    _ = waiting.handle(.tick, at: at(500))
    _ = waiting.handle(.couldNotOpen(shut), at: at(500))
    #expect(waiting.handle(.deviceChanged, at: at(600)) == [.open])
    #expect(waiting.handle(.couldNotOpen(shut), at: at(600)) == [.tell(.off(shut))])
    #expect(waiting.wakeUp == at(1100))

    var stopped = SoundReconnect()
    _ = stopped.handle(.stop, at: at(0))
    #expect(stopped.handle(.deviceChanged, at: at(1)) == [])
    // Before the start there is no device to change.
    var closed = SoundReconnect()
    #expect(closed.handle(.deviceChanged, at: at(0)) == [])
  }

  @Test("Stopping closes an open device for good")
  func stop() {
    var keeper = SoundReconnect()
    _ = keeper.handle(.start, at: at(0))
    _ = keeper.handle(.opened("pulse"), at: at(0))
    #expect(keeper.handle(.stop, at: at(1)) == [.close])
    #expect(keeper.handle(.start, at: at(2)) == [])
    #expect(keeper.wakeUp == nil)

    var waiting = SoundReconnect()
    _ = waiting.handle(.start, at: at(0))
    _ = waiting.handle(.couldNotOpen(shut), at: at(0))
    #expect(waiting.handle(.stop, at: at(1)) == [])
    #expect(waiting.handle(.tick, at: at(9_000)) == [])
  }
}

import PlaybackCore
import Testing

private let opened = Instant(nanoseconds: 1_000_000_000)

/// A device with its own clock, and sound that follows it.
private struct Device {
  var pace = SoundPace(openedAt: opened)
  /// Seconds since it was opened, by the player's clock.
  var time = 0.0
  /// Its clock's rate above the player's, as a share.
  var drift: Double
  var ahead = 0.0
  /// The step in which it reports its position, in seconds.
  var step = 0.01
  /// The delay of some of its reports, in seconds.
  var jitter = 0.0

  var jumps: [(at: Double, by: Duration)] = []
  var ratios: [Double] = []
  /// The largest distance of sound from its place since the last `forget`.
  var worst = 0.0

  init(drift: Double) { self.drift = drift }

  mutating func forget() {
    jumps = []
    ratios = []
    worst = 0
  }

  mutating func run(seconds: Double, every stretch: Double = 0.01) {
    let end = time + seconds
    var turn = 0
    while time < end {
      time += stretch
      ahead += drift * stretch
      turn += 1
      let position = ((time + ahead) / step).rounded(.down) * step - (turn % 3 == 0 ? jitter : 0)
      pace.observe(ahead: .seconds(position - time))
      switch pace.next(.seconds(stretch), at: opened + .seconds(time)) {
      case .stretch(let ratio): if ratios.last != ratio { ratios.append(ratio) }
      case .jump(let by): jumps.append((time, by))
      }
      worst = max(worst, abs(ahead - pace.ahead.inSeconds))
    }
  }
}

@Suite("Sound: in step with a device's clock")
struct SoundPaceTests {
  @Test(
    "A device with a constant clock error stays within 10 ms for 24 hours, without a jump, at 0.1 % at most",
    arguments: [-900, -200, 20, 200, 900])
  func day(parts: Double) {
    var device = Device(drift: parts / 1e6)
    device.run(seconds: 3)
    device.forget()
    device.run(seconds: 120)
    #expect(device.jumps.isEmpty)
    #expect(device.worst < 0.02, "\(device.worst)")
    device.run(seconds: 86_400 - 123, every: 0.1)
    #expect(device.jumps.isEmpty && device.worst < 0.02, "\(device.worst)")
    #expect(device.ratios.allSatisfy { abs($0 - 1) < 0.001 + 1e-9 })
    // After learning the drift, only the steps of the device's reports are left.
    device.run(seconds: 300)
    device.forget()
    device.run(seconds: 60)
    #expect(device.worst < 0.011, "\(device.worst)")
    #expect(device.ratios.allSatisfy { abs(1 - $0 - parts / 1e6) < 0.0005 }, "\(device.ratios)")
  }

  @Test("An exact device gets its sound unchanged")
  func exact() {
    var device = Device(drift: 0)
    device.step = 1e-6
    device.run(seconds: 600)
    #expect(device.jumps.isEmpty && device.ratios.allSatisfy { abs($0 - 1) < 1e-6 })
  }

  @Test("A clock that warms up is followed, and some late readings don't disturb the sound")
  func warmsUp() {
    var device = Device(drift: 0)
    device.jitter = 0.015
    device.run(seconds: 10)
    device.forget()
    for minute in 0..<60 {
      device.drift = 100e-6 * Double(minute) / 60
      device.run(seconds: 60)
    }
    #expect(device.jumps.isEmpty && device.worst < 0.015, "\(device.worst)")
  }

  @Test(
    "Once the drift is known the pitch changes inaudibly: 0.03 % at most in half a second"
  )
  func slowly() {
    var device = Device(drift: 900e-6)
    device.run(seconds: 120)
    device.forget()
    device.run(seconds: 600)
    let steps = zip(device.ratios, device.ratios.dropFirst()).map { abs($0 - $1) }
    #expect(!steps.isEmpty && steps.allSatisfy { $0 < 0.00031 }, "\(steps.max() ?? 0)")
  }

  @Test("A device's wrong first reports are followed by jumps, but only in its first two seconds")
  func settles() {
    var device = Device(drift: 0)
    device.step = 0.001
    device.ahead = -0.03
    device.run(seconds: 1)
    #expect(device.jumps.count == 1 && device.jumps.allSatisfy { $0.at < 0.25 })
    #expect(abs(device.pace.ahead.inSeconds + 0.03) < 0.002)
    device.ahead = 0
    device.run(seconds: 0.5)
    #expect(device.jumps.count == 2)
    #expect(abs(device.pace.ahead.inSeconds) < 0.002)
    device.run(seconds: 2)
    device.ahead = -0.012
    device.run(seconds: 120)
    #expect(device.jumps.count == 2 && abs(device.pace.ahead.inSeconds + 0.012) < 0.004)
  }

  @Test("A device that has lost its place causes one jump; a single wrong reading causes none")
  func lost() {
    var device = Device(drift: 200e-6)
    device.step = 0.001
    device.run(seconds: 60)
    device.forget()
    device.pace.observe(ahead: .seconds(device.ahead + 0.5))
    device.run(seconds: 10)
    #expect(device.jumps.isEmpty)
    device.run(seconds: 60)
    device.forget()
    device.ahead -= 0.1
    device.run(seconds: 2)
    #expect(device.jumps.count == 1)
    #expect(abs(device.ahead - device.pace.ahead.inSeconds) < 0.003)
    // The learnt drift still holds.
    device.forget()
    device.run(seconds: 60)
    #expect(device.jumps.isEmpty && device.worst < 0.005, "\(device.worst)")
  }

  @Test("A device that reports nothing gets its sound unchanged")
  func tellsNothing() {
    var pace = SoundPace(openedAt: opened)
    for turn in 0..<1000 {
      #expect(pace.next(.milliseconds(10), at: opened + .milliseconds(turn * 10)) == .stretch(1))
    }
    #expect(pace.ahead == .zero)
  }
}

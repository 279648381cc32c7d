internal import FileSystem
internal import KioskCore
internal import MainLoop

/// Reads the kernel's facts on the machine from a dozen small files. Boards differ: a missing file gives nil.
struct BoardReader {
  /// The folder that stands for `/`; tests give another one.
  var root = ""

  func read() -> KioskStatus.Board {
    var board = KioskStatus.Board()
    board.temperatureCelsius = temperature
    if let bits = firmwareBits {
      // The state now, from a Raspberry Pi's firmware. Bits: 0 too little voltage, 1 slowed down for that, 2 throttled,
      // 3 too hot.
      board.isUnderVoltage = bits & 1 != 0
      board.isThrottled = bits & 0b1110 != 0
    } else {
      board.isUnderVoltage = voltageAlarm
      board.isThrottled = isCooled
    }
    board.isClockSynchronised = SystemClock.isSynchronised
    board.residentBytes = lines("/proc/self/status", "VmRSS").map { $0 * 1024 }
    board.writtenBytes = lines("/proc/self/io", "write_bytes")
    board.availableBytes = lines("/proc/meminfo", "MemAvailable").map { $0 * 1024 }
    board.wearPercent = wear
    return board
  }

  private func line(_ path: String) -> String? { SmallFile.firstLine(root + path) }
  private func names(_ folder: String) -> [String] { SmallFile.names(in: root + folder).sorted() }

  /// The number in a line such as `name: 123 kB`.
  private func lines(_ path: String, _ name: String) -> Int64? {
    SmallFile.text(root + path).split(separator: "\n").first { $0.hasPrefix(name + ":") }
      .flatMap { $0.split(whereSeparator: { " \t".contains($0) }).dropFirst().first }.flatMap { Int64($0) }
  }

  private var temperature: Double? {
    let folder = "/sys/class/thermal"
    let all = names(folder).filter { $0.hasPrefix("thermal_zone") }
      .compactMap { line("\(folder)/\($0)/temp").flatMap { Int64($0) } }
    // A sensor that isn't connected reports 0 or nonsense.
    return all.filter { (1...150_000).contains($0) }.max().map { Double($0) / 1000 }
  }

  private var firmwareBits: UInt64? {
    line("/sys/devices/platform/soc/soc:firmware/get_throttled").flatMap {
      UInt64($0.hasPrefix("0x") ? $0.dropFirst(2) : $0[...], radix: 16)
    }
  }

  private var voltageAlarm: Bool? {
    let folder = "/sys/class/hwmon"
    let monitor = names(folder).first { line("\(folder)/\($0)/name") == "rpi_volt" }
    return monitor.flatMap { line("\(folder)/\($0)/in0_lcrit_alarm") }.map { $0 != "0" }
  }

  /// Whether the kernel slows down the processor because of its heat.
  private var isCooled: Bool? {
    let folder = "/sys/class/thermal"
    let states = names(folder).filter { $0.hasPrefix("cooling_device") }
      .filter { line("\(folder)/\($0)/type")?.lowercased().contains("cpufreq") == true }
      .compactMap { line("\(folder)/\($0)/cur_state").flatMap { Int($0) } }
    return states.isEmpty ? nil : states.contains { $0 > 0 }
  }

  /// The wear of the worse area of all eMMCs: 0x01 is up to 10 %, 0x0B is beyond its life.
  private var wear: Int? {
    let folder = "/sys/class/mmc_host"
    let cards = names(folder).flatMap { host in names("\(folder)/\(host)").map { "\(folder)/\(host)/\($0)" } }
    let steps = cards.compactMap { line("\($0)/life_time") }.flatMap { text in
      text.split(separator: " ").compactMap { Int($0.hasPrefix("0x") ? $0.dropFirst(2) : $0, radix: 16) }
    }
    return steps.filter { (1...11).contains($0) }.max().map { $0 * 10 }
  }
}

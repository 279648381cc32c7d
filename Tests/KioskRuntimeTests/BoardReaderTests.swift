import Foundation
import KioskCore
import Testing

@testable import KioskRuntime

@Suite("The board's facts from the kernel")
struct BoardReaderTests {
  private func board(_ files: [String: String]) throws -> BoardReader {
    let root = FileManager.default.temporaryDirectory.appending(path: "vitrine-board-\(UUID().uuidString)")
    for (path, text) in files {
      let file = root.appending(path: path)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data((text + "\n").utf8).write(to: file)
    }
    return BoardReader(root: root.path)
  }

  @Test("A Raspberry Pi that is hot, slowed down and has too little power")
  func pi() throws {
    let reader = try board([
      "sys/class/thermal/thermal_zone0/temp": "81250", "sys/class/thermal/thermal_zone1/temp": "0",
      "sys/devices/platform/soc/soc:firmware/get_throttled": "0x50005", "proc/self/io": "rchar: 5\nwrite_bytes: 4096",
      "proc/self/status": "VmPeak:\t9 kB\nVmRSS:\t   1000 kB", "proc/meminfo": "MemAvailable:  2000 kB",
    ])
    let board = reader.read()
    #expect(board.temperatureCelsius == 81.25 && board.isThrottled == true && board.isUnderVoltage == true)
    #expect(board.writtenBytes == 4096 && board.residentBytes == 1_024_000 && board.availableBytes == 2_048_000)
    // The upper half has faults since the start, which are over now.
    let after = try self.board(["sys/devices/platform/soc/soc:firmware/get_throttled": "50000"]).read()
    #expect(after.isThrottled == false && after.isUnderVoltage == false)
  }

  @Test("A board with a worn eMMC, and a processor that the kernel slows down")
  func wear() throws {
    let board = try board([
      "sys/class/mmc_host/mmc0/mmc0:0001/life_time": "0x02 0x09", "sys/class/mmc_host/mmc1/mmc1:0001/type": "SD",
      "sys/class/thermal/cooling_device0/type": "thermal-cpufreq-0",
      "sys/class/thermal/cooling_device0/cur_state": "3", "sys/class/hwmon/hwmon1/name": "rpi_volt",
      "sys/class/hwmon/hwmon1/in0_lcrit_alarm": "1",
    ]).read()
    #expect(board.wearPercent == 90 && board.isThrottled == true && board.isUnderVoltage == true)
  }

  @Test("Facts that a board doesn't report are nil")
  func nothing() throws {
    let board = try board(["proc/meminfo": "nonsense"]).read()
    #expect(board.temperatureCelsius == nil && board.isThrottled == nil && board.isUnderVoltage == nil)
    #expect(board.wearPercent == nil && board.residentBytes == nil)
  }
}

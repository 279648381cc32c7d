import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// `vitrine supervise` with a child that follows a script (Tests/Tools/supervised-child).
@Suite("vitrine supervise")
struct SuperviseTests {
  private struct Life: Decodable {
    var pid: Int32
    var parent: Int32
    var group: Int32
    var time: Double
    var kept: [[String]]
    var environment: [String: String]
    var blocked: [Int]
    var open: [Int]
  }

  private struct Run {
    var outcome: Tool.Outcome
    var lives: [Life]
    var directory: TemporaryDirectory
  }

  private func run(
    _ options: [String] = [], _ lives: String..., in directory: TemporaryDirectory? = nil,
    signals: [(after: Double, number: Int32)] = []
  ) async throws -> Run {
    let directory = try directory ?? TemporaryDirectory()
    let child = Tool.root.appending(path: "Tests/Tools/supervised-child").path
    let outcome = try await Tool.run(
      Player.path, ["supervise", "--program", child] + options + ["--", directory.url.path] + lives, limit: 30,
      signals: signals)
    let text = (try? String(contentsOfFile: directory.path("lives"), encoding: .utf8)) ?? ""
    return Run(
      outcome: outcome,
      lives: try text.split(separator: "\n").map { try JSONDecoder().decode(Life.self, from: Data($0.utf8)) },
      directory: directory)
  }

  @Test("The supervisor restarts a child after any death, until one ends with code 0")
  func follows() async throws {
    let run = try await run([], "ready,kill=11", "exit=70", "ready,kill=9", "ready,exit=75", "ready,exit=0")
    #expect(run.outcome.status == 0 && run.lives.count == 5, "\(run.outcome)")
    for line in ["signal 11 (Segmentation fault)", "code 70", "signal 9 (Killed)", "code 75"] {
      #expect(run.outcome.errors.contains(line))
    }
    #expect(Set(run.lives.map(\.pid)).count == 5)
    for life in run.lives {
      #expect(life.group == life.pid && life.blocked.isEmpty && life.open.isEmpty, "\(life)")
      #expect(life.environment["WATCHDOG_USEC"] == "6000000")
      #expect(life.environment["WATCHDOG_PID"] == "\(life.pid)")
      #expect(life.environment["NOTIFY_SOCKET"]?.hasPrefix("@") == true)
      #expect(life.environment["LISTEN_FDS"] == nil)
    }
  }

  @Test("The supervisor doesn't repeat a command line that can't be used")
  func final() async throws {
    let run = try await run([], "exit=64")
    #expect(run.outcome.status == 64 && run.lives.count == 1)
  }

  @Test("The supervisor hands stored files to each child in order, by name, once; removed or hung-up ones are dropped")
  func kept() async throws {
    let files = try TemporaryDirectory()
    let (one, two) = (try files.write("one", as: "one"), try files.write("two", as: "two"))
    let run = try await run(
      [], "store=card:\(one),store=other:\(two),pipe=gone,ready,kill=11", "again=card,ready,kill=9",
      "remove=card,ready,kill=9",
      "ready,exit=0")
    #expect(run.outcome.status == 0)
    let both = [["card", "one"], ["other", "two"]]
    try #require(run.lives.count == 4, "\(run.outcome)")
    #expect(run.lives.map(\.kept) == [[], both, both, [["other", "two"]]])
    #expect(run.lives[1].open == [3, 4] && run.lives[3].open == [3])
  }

  @Test("The supervisor keeps no more files than --keep says, and none from a stranger")
  func limits() async throws {
    let files = try TemporaryDirectory()
    let stores = try (0..<4).map { "store=f\($0):\(try files.write("\($0)", as: "\($0)"))" }
    let run = try await run(
      ["--keep", "2"], stores.joined(separator: ",") + ",kill=9", "stranger=READY=1,stranger=WATCHDOG=trigger,exit=0")
    #expect(run.outcome.status == 0, "\(run.outcome)")
    #expect(run.lives.last?.kept == [["f0", "0"], ["f1", "1"]])
    #expect(run.outcome.errors.components(separatedBy: "(error 7506)").count == 3)
    #expect(!run.outcome.errors.contains("hangs"))
  }

  @Test("The supervisor aborts a silent child, also a stopped one, and kills one that ignores the abort")
  func watchdog() async throws {
    let run = try await run(
      ["--watchdog", "1"], "ready,beat=2,status=hall.mp4,stop", "ready,deaf,forever", "ready,trigger,forever",
      "ready,exit=0")
    #expect(run.outcome.status == 0 && run.lives.count == 4, "\(run.outcome)")
    let errors = run.outcome.errors
    #expect(errors.components(separatedBy: "has said nothing for 1 s").count == 3)
    #expect(errors.contains("it said last: hall.mp4"))
    #expect(errors.contains("it is killed"))
    #expect(errors.components(separatedBy: "signal 6 (Aborted)").count == 3, "\(errors)")
    #expect(errors.contains("signal 9 (Killed)"))
    // It lived while it sent its heartbeat.
    if run.lives.count == 4 { #expect(run.lives[1].time - run.lives[0].time > 2.9) }
  }

  @Test("An outside SIGABRT ends the player without a crash report, whatever Swift's backtracing wants")
  func abort() async throws {
    let directory = try TemporaryDirectory()
    let film = try await Media.path("h264-60s-640x360-30.mp4")
    let script = """
      "\(Player.path)" play -v --loop --output headless --size 320x180 --no-audio "\(film)" 2> "\(directory.path("log"))" & player=$!
      for try in $(seq 400); do grep -q "first frame shown" "\(directory.path("log"))" && break; sleep 0.05; done
      kill -ABRT $player; for try in $(seq 200); do kill -0 $player 2> /dev/null || break; sleep 0.05; done
      kill -KILL $player 2> /dev/null; wait $player; echo "ended $?"
      """
    let outcome = try await Tool.run(
      "bash", ["-c", script], environment: ["SWIFT_BACKTRACE": "enable=yes,interactive=no,color=no"], limit: 60)
    #expect(outcome.output == "ended 134\n", "\(outcome)")
  }

  @Test("The supervisor aborts a child that is never ready")
  func startLimit() async throws {
    let run = try await run(["--start-limit", "1"], "forever", "exit=0")
    #expect(run.outcome.errors.contains("isn't ready after 1 s (error 7503)") || run.outcome.errors.contains("7503"))
    #expect(run.lives.count == 2 && run.outcome.status == 0)
  }

  @Test("Signals reach the child when it can take them, and its end is the supervisor's")
  func signals() async throws {
    let run = try await run(
      [], "sleep=2,ready,forever",
      signals: [(after: 0.7, number: SIGUSR1), (0.9, SIGHUP), (3.5, SIGUSR2), (4.5, SIGTERM)])
    #expect(run.outcome.status == 128 + SIGTERM && run.lives.count == 1, "\(run.outcome)")
    let heard = try String(contentsOfFile: run.directory.path("signals"), encoding: .utf8)
    // Both waiting signals were sent at once, and the kernel delivers them in any order.
    let numbers = heard.split(separator: "\n").compactMap { Int32($0) }
    #expect(numbers.count == 3 && Set(numbers.prefix(2)) == [SIGHUP, SIGUSR1] && numbers.last == SIGUSR2, "\(heard)")
  }

  @Test("Exit code 76 runs the reboot command")
  func reboot() async throws {
    let directory = try TemporaryDirectory()
    let run = try await run(
      ["--reboot-command", "touch \(directory.path("rebooted"))"], "ready,exit=76", "sleep=1,exit=0", in: directory)
    #expect(run.outcome.status == 0, "\(run.outcome)")
    #expect(FileManager.default.fileExists(atPath: directory.path("rebooted")))
  }

  @Test("No process is left behind: neither the child's children, nor the child of a killed supervisor")
  func orphans() async throws {
    let run = try await run([], "child,ready,kill=11", "exit=0")
    let started = try String(contentsOfFile: run.directory.path("grandchild"), encoding: .utf8)
    #expect(!FileManager.default.fileExists(atPath: "/proc/\(started)"))
    let killed = try await self.run([], "ready,forever", signals: [(after: 1, number: SIGKILL)])
    let child = try #require(killed.lives.first)
    // The kernel's signal may arrive a while after the keeper has ended.
    var state: String?
    for _ in 0..<500 {
      state = try? String(contentsOfFile: "/proc/\(child.pid)/stat", encoding: .utf8)
      if state == nil || state?.contains(") Z ") == true { break }
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(state == nil || state?.contains(") Z ") == true, "\(state ?? "")")
  }

  @Test("The supervisor has one thread, and takes less than 8 MB of memory")
  func light() async throws {
    let directory = try TemporaryDirectory()
    async let running = run([], "ready,sleep=2,exit=0", in: directory)
    var status = ""
    for _ in 0..<100 where status.isEmpty {
      try await Task.sleep(for: .milliseconds(50))
      guard
        let line = try? String(contentsOfFile: directory.path("lives"), encoding: .utf8).split(separator: "\n").first,
        let life = try? JSONDecoder().decode(Life.self, from: Data(line.utf8))
      else { continue }
      status = (try? String(contentsOfFile: "/proc/\(life.parent)/status", encoding: .utf8)) ?? ""
    }
    _ = try await running
    #expect(status.contains("Threads:\t1\n"), "\(status)")
    let memory = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    let kilobytes = memory.flatMap { Int($0.split(whereSeparator: { $0 == " " || $0 == "\t" })[1]) } ?? .max
    #expect(kilobytes < 8000, "\(memory ?? "")")
  }

  @Test("A killed player is followed by one that plays, and both processes end on request")
  func player() async throws {
    let directory = try TemporaryDirectory()
    let film = try await Media.path("h264-60s-640x360-30.mp4")
    let script = """
      "\(Player.path)" supervise --watchdog 5 -- play -v --loop --output headless --size 320x180 --no-audio \
        --report "\(directory.path("report.json"))" "\(film)" 2> "\(directory.path("log"))" & keeper=$!
      frames() { for try in $(seq 400); do
        [ "$(grep -c "first frame shown" "\(directory.path("log"))")" -ge "$1" ] && return; sleep 0.05; done; }
      # A player that is stopped before it is READY is another case: a second is more than it takes after the first frame.
      frames 1; pkill -KILL -P $keeper; frames 2; sleep 1.5; pkill -STOP -P $keeper; frames 3
      kill $keeper; wait $keeper
      """
    let outcome = try await Tool.run("bash", ["-c", script], limit: 90)
    let log = try String(contentsOfFile: directory.path("log"), encoding: .utf8)
    #expect(outcome.status == 0, "\(outcome) \(log)")
    // The player may or may not have sent a status before it is killed.
    #expect(log.contains("the player died of signal 9 (Killed); ") && log.contains("(error 7502)"), "\(log)")
    #expect(log.contains("it hangs; it said last: playing "), "\(log)")
    #expect(log.components(separatedBy: "first frame shown").count == 4)
    #expect(try Report.read(directory.path("report.json"))?.exitCode == 0)
  }
}

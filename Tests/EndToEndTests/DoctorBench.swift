import Foundation
import KioskTestSupport
import Testing

/// The output of `vitrine doctor --json`.
struct DoctorReport: Decodable {
  struct Line: Decodable, CustomStringConvertible {
    var verdict: String
    var group: String
    var topic: String
    var finding: String
    var remedy: String
    var command: String
    var description: String { "\(verdict) \(topic): \(finding) -> \(remedy) $ \(command)" }
  }
  var schema: Int
  var verdict: String
  var lines: [Line]
}

/// A broken setup, the doctor's expected line for it, and the way to mend it.
struct DoctorFault: Sendable, CustomTestStringConvertible {
  var name: String
  /// The expected line: its topic, finding and remedy.
  var topic: String
  var verdict = "problem"
  var says: String
  var remedy: String
  /// Breaks the setup, in bash.
  var breaks: String
  /// Mends it; `remedy` runs the line's own command.
  var mends: String
  /// The line's verdict after that; `none` where the line is gone.
  var after = "ok"
  /// Options of `doctor`.
  var options = ""
  /// Runs in an empty network namespace.
  var isAlone = false
  var testDescription: String { name }
}

/// Runs a script that breaks something, asks the doctor, mends it, and asks again, in namespaces of its own, which keep
/// its mounts to itself.
struct DoctorBench {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Functions for the scripts:
  /// `config [TABLES [URI]]` writes the configuration, with its output in $OUTPUT; `doctor NAME` writes its
  /// answer to NAME.json; `remedy TOPIC` runs the first answer's command for a topic, with `$DIR/bin` first in PATH.
  static let functions = """
    set -u
    export PATH="$DIR/bin:$PATH" WAYLAND_DISPLAY=vitrine-test-no-such-socket
    ROOT=$DIR/root OUTPUT=headless
    mkdir -p "$DIR/bin" "$DIR/state" "$DIR/run" "$ROOT"
    ln -sf "$VITRINE" "$DIR/bin/vitrine"
    config() {
        printf 'version = 1\\n[display]\\noutput = "%s"\\n%b\\n[[playlist.main.item]]\\nuri = "%s"\\n' \\
            "$OUTPUT" "${1:-}" "${2:-$CLIP}" > "$DIR/k.toml"
    }
    cable() {
        ip link set lo up
        ip link add eth9 type veth peer name eth8
        ip addr add 203.0.113.7/24 dev eth9
        ip link set eth9 up; ip link set eth8 up
    }
    tool() { printf '#!/bin/bash\\n%s\\n' "$2" > "$DIR/bin/$1"; chmod +x "$DIR/bin/$1"; }
    doctor() {
        local name=$1; shift
        "$VITRINE" doctor --json --config "$DIR/k.toml" --state "$DIR/state" --runtime "$DIR/run" "$@" \\
            > "$DIR/$name.json" 2> "$DIR/$name.errors"
        echo $? > "$DIR/$name.status"
    }
    remedy() {
        jq -r --arg topic "$1" '[.lines[] | select(.topic == $topic and .verdict != "ok") | .command][]' \\
            "$DIR/before.json" > "$DIR/remedy.sh"
        bash -e "$DIR/remedy.sh" > "$DIR/remedy.out" 2>&1
    }
    """

  func run(_ script: String, isAlone: Bool = false) async throws -> Tool.Outcome {
    let file = try directory.write(Self.functions + "\n" + script, as: "script.sh")
    return try await Tool.run(
      "unshare",
      // The script's processes end with it, even if they ignore signals.
      ["--mount", "--propagation", "private", "--pid", "--fork", "--kill-child", "--mount-proc"]
        + (isAlone ? ["--net"] : []) + ["bash", file],
      environment: [
        "DIR": directory.url.path, "VITRINE": Player.path, "CLIP": try await Media.path("h264-640x360-30-2s.mp4"),
        "PROJECT": Tool.root.path,
      ], limit: 180)
  }

  func report(_ name: String) throws -> DoctorReport {
    try JSONDecoder().decode(DoctorReport.self, from: Data(text("\(name).json").utf8))
  }

  func text(_ name: String) throws -> String { try String(contentsOfFile: directory.path(name), encoding: .utf8) }

  /// Breaks the setup, asks the doctor, mends it and asks again.
  func check(_ fault: DoctorFault) async throws {
    let outcome = try await run(
      """
      config
      \(fault.breaks)
      doctor before \(fault.options)
      \(fault.mends)
      doctor after \(fault.options)
      """, isAlone: fault.isAlone)
    let said =
      "\(outcome.output) \(outcome.errors) \((try? text("before.errors")) ?? "") \((try? text("remedy.out")) ?? "")"
    let (before, after) = (try report("before"), try report("after"))
    Self.expect(fault, before, after, said)
    #expect(try text("before.status") == (before.verdict == "problem" ? "2\n" : "1\n"))
  }

  static func expect(_ fault: DoctorFault, _ before: DoctorReport, _ after: DoctorReport, _ said: String) {
    let lines = before.lines.filter { $0.topic == fault.topic && $0.verdict == fault.verdict }
    #expect(
      lines.contains { $0.finding.contains(fault.says) && ($0.remedy + $0.command).contains(fault.remedy) },
      "\(before.lines) \(said)")
    let mended = after.lines.filter { $0.topic == fault.topic && $0.finding.contains(fault.says) }
    #expect(mended.allSatisfy { $0.verdict != fault.verdict }, "\(mended) \(said)")
    guard fault.after != "none" else { return }
    #expect(after.lines.contains { $0.topic == fault.topic && $0.verdict == fault.after }, "\(after.lines) \(said)")
  }
}

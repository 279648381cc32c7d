import Foundation
import KioskTestSupport
import Testing

/// The walks that docs/architecture.md tells are those that a debugger sees (Tests/Tools/trace-calls).
@Suite(
  "Walks through the code, on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct WalksBoardTests {
  /// The script that starts the player and causes each walk, by a word of the walk's title. Its function `trace` attaches gdb
  /// to the player, and returns once gdb waits for calls.
  private static let happenings = [
    "touch": """
    virtual-touch --size 1280x720 < /tmp/touch > /run/out/touch & exec 3> /tmp/touch
    sleep 0.5
    { echo '[overlay]'; echo 'osd = "always"'; item "$FILM"; } > /tmp/etc/conf.d/10-walk.toml
    player; logs 'first frame shown'; trace
    printf 'down 0 300 660\\nsleep 50\\nmove 0 310 660\\nsleep 50\\nmove 0 320 660\\nup 0\\n' >&3; sleep 2
    """,
    "BUFFERING": """
    "$PROJECT/Tests/Tools/fault-server" --port 8800 --rate 150000 "$MEDIA" 15:stall:40 > /dev/null & sleep 1
    { printf '[network]\\nbuffer = 4\\n'; item http://127.0.0.1:8800/h264-60s-640x360-30.mp4; } > /tmp/etc/conf.d/10-walk.toml
    player; logs 'first frame shown'; sleep 4; trace
    sleep 30
    """,
    "dropped-in": """
    item "$FILM" > /tmp/etc/conf.d/10-walk.toml
    player; logs 'configuration: confirmed'; trace
    item "$MEDIA/h264-aac-640x360-30.mp4" > /tmp/etc/conf.d/.new; mv /tmp/etc/conf.d/.new /tmp/etc/conf.d/50-hall.toml
    until jq -e '.state == "confirmed" and (.sources | length) == 3' $RUNTIME_DIRECTORY/configuration.json; do sleep 0.5; done
    sleep 1
    """,
    "HTTP": """
    \(Board.web)
    { printf '[telemetry]\\nhttp = "127.0.0.1:8123"\\ntoken_file = "/tmp/token"\\n'; item "$FILM"; item "$SHORT"; } \\
      > /tmp/etc/conf.d/10-walk.toml
    player; logs 'preparing item 2'; sleep 1; trace
    web 8123 '{"verb":"next"}' > /run/out/answer
    sleep 2
    """,
    "crash": """
    cp "$SHORT" /tmp/one.mp4; cp "$SHORT" /tmp/bad.mp4; printf 'CRASHES!' >> /tmp/bad.mp4
    { item /tmp/bad.mp4; item /tmp/one.mp4; } > /tmp/etc/conf.d/10-walk.toml
    export SWIFT_BACKTRACE=enable=no
    for run in 1 2; do LD_PRELOAD="$CRASHER" player; wait $player; done
    debug -ex "set environment LD_PRELOAD $CRASHER" -ex run --args "$VITRINE" $OPTIONS & player=$!
    sleep 8; pkill -TERM -P $player
    """,
  ]

  private static let tools = """
    mkfifo /tmp/touch; ip link set lo up
    export STATE_DIRECTORY=/tmp/state RUNTIME_DIRECTORY=/run/vitrine
    mkdir -p /tmp/etc/conf.d $STATE_DIRECTORY $RUNTIME_DIRECTORY
    FILM=$MEDIA/h264-60s-640x360-30.mp4 SHORT=$MEDIA/h264-640x360-30-2s.mp4
    OPTIONS="run -v --config /tmp/etc --output kms --mode 1280x720 --no-audio"
    printf 'version = 1\\n[playback]\\nloop = true\\n' > /tmp/etc/vitrine.toml
    item() { printf '[[playlist.main.item]]\\nuri = "%s"\\n' "$1"; }
    player() { "$VITRINE" $OPTIONS 2>> /run/out/log 3>&- & player=$!; }
    logs() { until grep -q "$1" /run/out/log; do kill -0 $player || exit 1; sleep 0.2; done; }
    debug() { exec gdb -nx -q -batch -readnever -x "$CALLS" "$@" > /run/out/calls 2>> /run/out/log < /dev/null 3>&-; }
    trace() {
      debug -ex 'printf "ready\\n"' -ex continue -p $player &
      until grep -q ready /run/out/calls; do kill -0 $player || exit 1; sleep 0.2; done
      sleep 1
    }

    """

  @Test(
    "Each step of a walk is called after the one before, by a type that the walk has been to",
    arguments: Walk.all.filter { Board.isLong || $0.isShort })
  func recorded(_ walk: Walk) async throws {
    let happening = try #require(Self.happenings.first { walk.title.contains($0.key) }?.value, "\(walk.title)")
    let directory = try TemporaryDirectory()
    let tool = Tool.root.appending(path: "Tests/Tools/trace-calls").path
    let script = try await Tool.run(tool, ["script", Player.path] + walk.steps.map(\.function))
    try #require(script.status == 0, "\(script.errors)")
    let calls = try directory.write(script.output, as: "calls.gdb")
    let crasher = try await QuarantineTests.crasher()
    let run = try await Board.run(
      "CALLS='\(calls)' CRASHER='\(crasher.path("crash.so"))'\n" + Self.tools + happening
        + "\nkill $player 2> /dev/null; wait $player", limit: 200)
    let told = try await Tool.run(tool, ["read", run.directory.path("calls")])
    let recorded = told.output.split(separator: "\n").compactMap { line -> (function: String, caller: String)? in
      let words = line.split(separator: " ").map(String.init)
      return words.count == 2 ? (words[0], words[1]) : nil
    }
    let missing = walk.missing(in: recorded)
    #expect(
      missing == nil,
      "\(missing ?? ""); recorded: \(recorded.prefix(3000)) \((try? run.text("log")) ?? "\(run.outcome)")")
  }

  @Test("A step that isn't called, comes too early, or is called by a type that isn't on the walk, is found")
  func found() {
    let walk = Walk("A walk", hops: 4, "1. `A.begin`\n2. `B.one`, on a worker\n3. `C.two`\n4. `A.end`\n")
    let good = [("B.one", "A"), ("A.begin", "-"), ("B.one", "A"), ("C.two", "A"), ("A.end", "C")]
    #expect(walk.steps.count == 4 && walk.missing(in: good) == nil)
    // What a worker does may come after what the loop does next.
    #expect(walk.missing(in: [good[1], good[3], good[2], good[4]]) == nil)
    #expect(walk.missing(in: Array(good.dropLast())) == "4. `A.end` isn't called after step 3")
    #expect(walk.missing(in: [good[1], good[2], good[4], good[3]]) == "4. `A.end` isn't called after step 3")
    #expect(
      walk.missing(in: [good[1], good[2], ("C.two", "D"), good[4]])
        == "3. `C.two` is called by D, which is no step before it")
  }
}

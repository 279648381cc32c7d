import Foundation
import KioskTestSupport
import Testing

/// deploy/openrc/vitrine with OpenRC's own tools. The virtual board has another init, so the service is started alone,
/// without its dependencies.
@Suite(
  "The service of OpenRC, on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"),
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/sbin/openrc-run"), "OpenRC is not installed (make setup)")
)
struct OpenRCBoardTests {
  @Test(
    "The service starts keeper and player, restarts either after its death, hands on a reload, and stops both"
  )
  func service() async throws {
    let run = try await Board.run(
      BoardService.install("h264-640x360-30-2s.mp4") + BoardService.state + """
        install -m 755 "$PROJECT/deploy/openrc/vitrine" /etc/init.d/vitrine
        # What OpenRC makes when it starts a board.
        mkdir -p /run/openrc/{started,stopped,starting,stopping,inactive,wasinactive,hotplugged,failed,scheduled,crashed} \\
          /run/openrc/{exclusive,options,daemons,tmp} /etc/conf.d /run/lock
        echo default > /run/openrc/softlevel
        # What udev does on a board.
        chmod a+rw /dev/dri/*
        install -D -m 644 "$GST_REGISTRY" /run/gstreamer.bin
        printf 'export GST_REGISTRY=/run/gstreamer.bin GST_REGISTRY_UPDATE=no\\n' > /etc/conf.d/vitrine
        now() { awk '{ printf "%d", $1 * 1000 }' /proc/uptime; }
        service() { timeout 30 rc-service --nodeps vitrine "$1" >> /run/out/log 2>&1; echo "$1 $?" >> /run/out/said; }
        lit() { for try in $(seq 200); do kms-planes | grep -q '"type":"overlay".*"fb":[1-9]' && return; sleep 0.1; done; }
        keeper() { pgrep -f -x '/usr/bin/vitrine supervise -- run'; }
        player() { pid=$(keeper); [ -z "$pid" ] || pgrep -f -x -P "$pid" "/usr/bin/vitrine run"; }
        other() { for try in $(seq 200); do next=$($1); [ -n "$next" ] && [ "$next" != "$2" ] && break; sleep 0.1; done; }
        service start; lit; confirmed; sleep 1
        for pid in $(keeper) $(player); do tr '\\0' ' ' < /proc/$pid/cmdline; stat -c %U /proc/$pid; done > /run/out/processes
        first=$(keeper); one=$(player); kill -9 "$one"; other player "$one"; lit; kms-planes > /run/out/planes
        [ "$(keeper)" = "$first" ] && echo same > /run/out/keeper
        rm -f /run/vitrine/configuration.json; service reload; confirmed; value state > /run/out/state
        service status
        kill -9 "$first"; other keeper "$first"; sleep 3; lit; kms-planes > /run/out/planes-again
        begin=$(now); service stop; echo $(( $(now) - begin )) > /run/out/stop
        pgrep -x vitrine > /run/out/left; pgrep -f supervise-daemon >> /run/out/left; true
        """, limit: 120)
    let log = "\((try? run.text("log")) ?? "") \(run.outcome.output)"
    #expect(try run.text("said") == "start 0\nreload 0\nstatus 0\nstop 0\n", "\(log)")
    #expect(
      try run.text("processes") == "/usr/bin/vitrine supervise -- run vitrine\n/usr/bin/vitrine run vitrine\n", "\(log)"
    )
    #expect((try? run.text("keeper")) == "same\n", "\(log)")
    for name in ["planes", "planes-again"] {
      #expect(try Board.planes(try run.text(name)).contains { $0.type == "overlay" && $0.isLit }, "\(name) \(log)")
    }
    #expect(try run.text("state") == "confirmed\n", "\(log)")
    #expect(Int(try run.text("stop").trimmingCharacters(in: .newlines)).map { $0 < 7000 } ?? false, "\(log)")
    #expect(try run.text("left") == "", "\(log)")
  }
}

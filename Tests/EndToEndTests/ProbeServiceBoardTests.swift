import Foundation
import KioskTestSupport
import Testing

@Suite(
  "Probes in the service on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct ProbeServiceBoardTests {
  @Test("A probe works in the unit's sandbox, with its own limits and one more filter of system calls")
  func sandbox() async throws {
    let run = try await Board.run(
      ServiceBoardTests.setUp + """
        cat > /srv/probe.sh <<'SCRIPT'
        mkfifo /tmp/questions
        /usr/bin/vitrine probe-part < /tmp/questions & child=$!
        exec 3> /tmp/questions
        sleep 2
        cat /proc/$$/status; echo ---; cat /proc/$child/task/*/status; echo ---; cat /proc/$child/limits; echo ---
        exec 3>&-; wait $child; echo "ended $?"; echo ---
        /usr/bin/vitrine check --probe /srv/media/h264-aac-640x360-30.mp4 2>&1; echo "checked $?"
        SCRIPT
        printf '[Service]\\nExecStart=\\nExecStart=/bin/sh /srv/probe.sh\\nRestart=no\\nStandardOutput=file:/run/out/probe\\nEnvironment=GST_REGISTRY=/run/gstreamer.bin GST_REGISTRY_UPDATE=no\\n' \\
          > /etc/systemd/system/vitrine.service.d/test.conf
        systemctl daemon-reload; systemctl start vitrine
        for try in $(seq 100); do systemctl is-active -q vitrine || break; sleep 0.2; done
        """, isSystemd: true)
    let parts = try run.text("probe").components(separatedBy: "---\n")
    try #require(parts.count == 5, "\(parts) \(run.outcome.output)")
    // The largest number of filters on a thread. The unit refuses `seccomp(2)` for all threads, so only the thread that
    // opens media has the probe's filter, and those it starts.
    func filters(_ status: String) -> Int? {
      status.matches(of: #/Seccomp_filters:\t(\d+)/#).compactMap { Int($0.1) }.max()
    }
    let (outside, inside) = (try #require(filters(parts[0])), try #require(filters(parts[1])))
    #expect(inside == outside + 1, "\(parts[1])")
    for limit in [#/Max data size\s+1073741824\s/#, #/Max file size\s+0\s/#, #/Max open files\s+256\s/#] {
      #expect(parts[2].contains(limit), "\(parts[2])")
    }
    #expect(parts[3] == "ended 0\n")
    #expect(parts[4].contains("H.264") && parts[4].contains("checked 0"), "\(parts[4])")
  }
}

import Foundation
import KioskTestSupport
import Testing

/// The card in a real systemd's file descriptor store, on the virtual board, with the service's own user and sandbox.
@Suite(
  "A picture that outlives its service, on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct SurvivalServiceBoardTests {
  /// The lines of the unit that keeping the card needs.
  private static let lines = [
    "NotifyAccess=main", "FileDescriptorStoreMax=16", "RestartSec=300ms", "Environment=SWIFT_BACKTRACE=enable=no",
    "ExecStart=", "ExecStart=/usr/bin/vitrine run -v --output kms --mode 640x480 --osd never",
  ]

  @Test(
    "systemd keeps the card over each death, the next process is its master, and a stop releases it"
  )
  func systemd() async throws {
    let run = try await Board.run(
      BoardService.install("h264-640x360-30-2s.mp4") + BoardService.unit(Self.lines) + """
        pid() { systemctl show vitrine -p MainPID --value; }
        stored() { systemctl show vitrine -p NFileDescriptorStore --value; }
        framebuffers() { grep -c '^framebuffer' /sys/kernel/debug/dri/0/framebuffer; }
        systemctl daemon-reload; systemctl start vitrine; sleep 2
        kms-flips > /run/out/flips & flips=$!
        for signal in KILL ABRT; do
          kill -$signal "$(pid)"; sleep 0.15
          echo "dead $(pid) $(kms-planes | grep -c '"crtc":[1-9]') $(stored)" >> /run/out/facts
          sleep 1.5
          echo "again $(kms-planes | grep -c '"crtc":[1-9]') $(stored) $(framebuffers)" >> /run/out/facts
        done
        kill $flips
        systemctl restart vitrine; sleep 1.5
        echo "restarted $(kms-planes | grep -c '"crtc":[1-9]') $(stored)" >> /run/out/facts
        systemctl stop vitrine
        echo "stopped $(kms-planes | grep -c '"crtc":[1-9]') $(stored) $(framebuffers)" >> /run/out/facts
        timeout 0.5 kms-hold /dev/dri/card0 > /run/out/free
        """, isSystemd: true)
    let log = (try? run.text("log")) ?? "no log"
    let facts = try run.text("facts").split(separator: "\n").map(String.init)
    #expect(facts.filter { $0 == "dead 0 2 1" }.count == 2, "\(facts) \(log)")
    let again = facts.filter { $0.hasPrefix("again 2 1 ") }.compactMap { Int($0.dropFirst(10)) }
    #expect(again.count == 2 && again.allSatisfy { $0 <= 5 }, "\(facts) \(log)")
    #expect(facts.contains("restarted 2 1"), "\(facts)")
    #expect(facts.last == "stopped 0 0 0", "\(facts)")
    #expect(try run.text("free") == "holding /dev/dri/card0\n")
    #expect(log.components(separatedBy: "the last picture stays").count == 3, "\(log)")
    let flips = try run.text("flips").split(separator: "\n")
    #expect(flips.count > 50 && !flips.contains { $0.hasSuffix(" 0") })
  }
}

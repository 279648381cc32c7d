import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// The player under seatd, as a user who may not open the card.
@Suite(
  "Seats on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"),
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/seatd"), "seatd is missing (deploy/setup --only test)"))
struct SeatBoardTests {
  /// seatd for a user without groups, a proxy that can switch sessions for the player, and a second session.
  static let tools = """
    SEATD_VTBOUND=0 seatd -u nobody -g nogroup > /run/out/seatd 2>&1 & seatd=$!
    mkdir -p /run/nobody; chown nobody /run/nobody
    mkfifo /run/proxy /run/holder
    as_nobody() {
      exec setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/run/nobody XDG_RUNTIME_DIR=/run/nobody "$@"
    }
    sleep 0.5
    # seatd counts sessions from 0, and none can be switched to the first: it goes by.
    (as_nobody seat-holder < /dev/null) > /dev/null
    as_nobody seat-proxy /run/nobody/seat < /run/proxy > /run/out/proxy 2>&1 & exec 8> /run/proxy
    sleep 0.5
    start() {
      as_nobody SEATD_SOCK=/run/nobody/seat "$VITRINE" "$@" --no-audio --output kms --mode 640x480 --osd never \\
        "$MEDIA/h264-60s-640x360-30.mp4" 2> /run/out/log & player=$!
    }
    other_session() { as_nobody seat-holder < /run/holder > /run/out/holder 2>&1 & exec 7> /run/holder; }
    lit() { kms-planes | grep -c '"fb":[1-9]'; }

    """

  @Test("A user plays by the seat alone, pauses while another session holds it, and goes on after that")
  func switches() async throws {
    let run = try await Board.run(
      Self.tools + """
        setpriv --reuid=65534 --regid=65534 --clear-groups "$VITRINE" displays > /run/out/alone
        start play; sleep 3
        other_session; sleep 1
        kms-screenshot /run/out/before.ppm
        echo 2 >&8; sleep 20
        lit > /run/out/lit; cp /run/out/holder /run/out/taken
        # The other session may use the card now.
        timeout 1 kms-hold /dev/dri/card0 > /run/out/hold 2>&1
        echo 1 >&7; sleep 2
        lit >> /run/out/lit
        kms-screenshot /run/out/after.ppm
        kill -TERM $player; wait $player; echo $? > /run/out/status
        """)
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(log)")
    #expect(try run.text("alone").contains("error 5003"), "without the seat this user has no card")
    #expect(try run.text("taken") == "active\n", "\(log)")
    #expect(try run.text("hold").contains("holding"))
    #expect(try run.text("lit") == "0\n2\n", "\(log)")
    #expect(log.contains("another session has the screen"))
    let before = try #require(
      try await Pixels(path: run.directory.path("before.ppm")).frameNumber(x: 0, y: 60, width: 640))
    let after = try #require(
      try await Pixels(path: run.directory.path("after.ppm")).frameNumber(x: 0, y: 60, width: 640))
    #expect((before - 30...before + 60).contains(after), "\(before), \(after)")
  }

  @Test("The player waits at its start for a seat that another session has")
  func waits() async throws {
    let run = try await Board.run(
      Self.tools + """
        other_session; sleep 0.5
        start play; sleep 3
        lit > /run/out/lit
        # The other session was the first, and the player is the second.
        echo 2 >&7; sleep 2
        lit >> /run/out/lit
        kill -TERM $player; wait $player; echo $? > /run/out/status
        """)
    #expect(try run.text("lit") == "0\n2\n", "\((try? run.text("log")) ?? "")")
    #expect(try run.text("status") == "0\n")
  }

  @Test("Without a card the player warns of a missing card, and names no other session")
  func noCard() async throws {
    let run = try await Board.run(
      Self.tools + """
        other_session; sleep 0.5
        rm -r /dev/dri
        start play --wait-for-display; sleep 3
        kill -TERM $player; wait $player
        """)
    let log = try run.text("log")
    #expect(log.contains("warning: waiting for a screen: /dev/dri: there is no graphics card"), "\(log)")
    #expect(!log.contains("another session"))
  }

  @Test("When the seat's server dies, playback goes on without it where the user may open the card")
  func serverDies() async throws {
    let run = try await Board.run(
      Self.tools + """
        SEATD_SOCK=/run/seatd.sock "$VITRINE" play --wait-for-display --no-audio --output kms --mode 640x480 --osd never \\
          "$MEDIA/h264-60s-640x360-30.mp4" 2> /run/out/log & player=$!
        sleep 3; kill -KILL $seatd; rm -f /run/seatd.sock; sleep 4
        lit > /run/out/lit
        kill -TERM $player; wait $player; echo $? > /run/out/status
        """)
    // root can open the card without a seat.
    #expect(try run.text("lit") == "2\n", "\((try? run.text("log")) ?? "")")
    #expect(try run.text("status") == "0\n")
  }
}

import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// Several screens in one process, on real KMS.
@Suite(
  "Several screens on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct ScreensBoardTests {
  private static let seatIsMissing: Bool = !FileManager.default.isExecutableFile(atPath: "/usr/sbin/seatd")

  @Test("The displays' own tests of several screens pass on the board, with a seat too", arguments: [false, true])
  func displayTests(hasSeat: Bool) async throws {
    if hasSeat, Self.seatIsMissing { return }
    let run = try await Board.run(
      """
      export VITRINE_ON_BOARD=1
      \(hasSeat ? "SEATD_VTBOUND=0 seatd & sleep 0.5" : "")
      "$(dirname "$VITRINE")/vitrinePackageTests.xctest" --testing-library swift-testing --filter KMSScreensBoardTests
      """, devices: "none")
    #expect(run.outcome.status == 0, "\(run.outcome.output)")
    #expect(run.outcome.output.contains("Several KMS screens") && !run.outcome.output.contains("with 0 tests"))
  }

  @Test("The input's own tests of several screens pass on the board")
  func inputTests() async throws {
    let run = try await Board.run(
      """
      export VITRINE_ON_BOARD=1
      "$(dirname "$VITRINE")/vitrinePackageTests.xctest" --testing-library swift-testing --filter DisplaysTests.InputBoardTests
      """)
    #expect(run.outcome.status == 0, "\(run.outcome.output)")
    #expect(run.outcome.output.contains("Input of two screens") && !run.outcome.output.contains("with 0 tests"))
  }

  @Test(
    "Two screens of one card go dark together when another session takes the seat, and both come back",
    .enabled(if: !seatIsMissing, "seatd is missing (deploy/setup --only test)"))
  func seat() async throws {
    let run = try await Board.run(
      SeatBoardTests.tools + """
        card=$(make-device --overlays 4 --connectors 2)
        as_nobody VITRINE_ON_BOARD=1 VITRINE_HOLD_SCREENS=$card SEATD_SOCK=/run/nobody/seat \\
          "$(dirname "$VITRINE")/vitrinePackageTests.xctest" --testing-library swift-testing \\
          --filter holdScreens > /run/out/log 2>&1 & player=$!
        sleep 5; lit > /run/out/lit
        other_session; sleep 1
        echo 2 >&8; sleep 5
        lit >> /run/out/lit; cp /run/out/holder /run/out/taken
        timeout 1 kms-hold "$card" > /run/out/hold 2>&1
        echo 1 >&7; sleep 5
        lit >> /run/out/lit
        kill -KILL $player
        """, devices: "none")
    let log = try run.text("log")
    #expect(try run.text("taken") == "active\n", "\(log)")
    #expect(try run.text("hold").contains("holding"), "\(log)")
    #expect(try run.text("lit") == "2\n0\n2\n", "\(log)")
  }

  // MARK: The whole player

  /// Two films with numbered frames, thirty seconds apart, so that a number tells the film.
  private static let tools = """
    film="$MEDIA/h264-60s-640x360-30.mp4"
    cp "$film" /run/late.mp4
    config() {
      cat > /tmp/v.toml
      cat >> /tmp/v.toml <<TOML
    [[playlist.main.item]]
    uri = "$film"
    [[playlist.late.item]]
    uri = "/run/late.mp4"
    start = 30
    TOML
    }
    start() {
      "$VITRINE" run --config /tmp/v.toml --no-audio --output kms --mode 640x480 --osd never -v \
        --confirm-after 2 --report /run/out/r.json "$@" 2> /run/out/log & player=$!
    }
    crtcs() { kms-planes -d "$1" | grep -o '"crtc":[0-9]*' | cut -d: -f2 | grep -v '^0$' | sort -un; }
    shot() { kms-screenshot -d "$1" -c "$2" "/run/out/$3.ppm"; }
    unplug() { echo 2 > "/sys/kernel/config/vkms/$1/connectors/$2/status"; }
    plug() { echo 1 > "/sys/kernel/config/vkms/$1/connectors/$2/status"; }
    stop() { kill -TERM $player; wait $player; echo $? > /run/out/status; }

    """

  private func number(_ run: Board.Run, _ shot: String) async throws -> Int {
    let pixels = try await Pixels(path: run.directory.path("\(shot).ppm"))
    return try #require(pixels.frameNumber(x: 0, y: 60, width: 640), "\(shot)\n\((try? run.text("log")) ?? "")")
  }

  @Test("Two connectors of one card play a playlist each, and unplugging one pauses its own film alone")
  func oneCard() async throws {
    let run = try await Board.run(
      Self.tools + """
        card=$(make-device --overlays 4 --connectors 2 --writeback)
        config <<TOML
        version = 1
        [[screen]]
        name = "left"
        connector = "Virtual-1"
        [[screen]]
        name = "right"
        connector = "Virtual-2"
        playlist = "late"
        TOML
        start; sleep 5
        set -- $(crtcs "$card"); left=$1 right=$2
        shot "$card" $left left1; shot "$card" $right right1
        unplug board 1; sleep 5
        shot "$card" $left left2
        plug board 1; sleep 2
        shot "$card" $left left3; shot "$card" $right right3
        stop
        """, devices: "none")
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(log)")
    let (left1, right1) = (try await number(run, "left1"), try await number(run, "right1"))
    #expect((100...160).contains(left1), "\(log)")
    // The other film is half a minute ahead at the same moment.
    #expect((left1 + 880...left1 + 950).contains(right1), "\(left1), \(right1)")
    let (left2, left3) = (try await number(run, "left2"), try await number(run, "left3"))
    #expect((left1 + 145...left1 + 170).contains(left2), "\(left1), \(left2)")
    #expect((left2 + 55...left2 + 75).contains(left3), "\(left2), \(left3)")
    // Paused for the five seconds, and playing since.
    let right3 = try await number(run, "right3")
    #expect((right1 - 30...right1 + 62).contains(right3), "\(right1), \(right3)")
    let report = try PlayerReport(run)
    #expect(report.screens?.map(\.name) == ["left", "right"])
    #expect(report.screens?.allSatisfy { $0.framesDropped == 0 && $0.unexpectedEvents == 0 } == true, "\(log)")
  }

  @Test("On two cards a reload removes one screen, changes the other's list, and adds the first again")
  func twoCards() async throws {
    let run = try await Board.run(
      Self.tools + """
        one=$(make-device --overlays 2 --writeback --name one)
        two=$(make-device --overlays 2 --writeback --name two)
        both() {
          config <<TOML
        version = 1
        [[screen]]
        name = "left"
        card = "$one"
        connector = "Virtual-1"
        [[screen]]
        name = "right"
        card = "$two"
        connector = "Virtual-2"
        playlist = "late"
        TOML
        }
        both; start; sleep 5
        shot "$one" $(crtcs "$one") left1; shot "$two" $(crtcs "$two") right1
        config <<TOML
        version = 1
        [[screen]]
        name = "left"
        card = "$one"
        connector = "Virtual-1"
        playlist = "late"
        TOML
        kill -HUP $player; sleep 5
        shot "$one" $(crtcs "$one") left2
        kms-planes -d "$two" > /run/out/gone
        both; kill -HUP $player; sleep 6
        shot "$one" $(crtcs "$one") left3; shot "$two" $(crtcs "$two") right3
        stop
        """, devices: "none")
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(log)")
    let (left1, right1) = (try await number(run, "left1"), try await number(run, "right1"))
    #expect(left1 < 200 && right1 >= 900, "\(left1), \(right1)\n\(log)")
    #expect(try await number(run, "left2") >= 900, "\(log)")
    #expect(try Board.planes(try run.text("gone")).filter(\.isLit).isEmpty, "\(log)")
    #expect(try await number(run, "left3") < 250, "\(log)")
    #expect(try await number(run, "right3") >= 900, "\(log)")
    #expect(log.components(separatedBy: "configuration: confirmed").count >= 3, "\(log)")
  }

  private struct PlayerReport {
    var screens: [PlaybackReport]?

    init(_ run: Board.Run) throws {
      let data = Data(try run.text("r.json").utf8)
      screens = try JSONDecoder().decode(PlaybackReport.self, from: data).screens
    }
  }
}

import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// The player with a CEC device that libumockdev makes, and a television at its other end (Tests/Tools/mock-cec).
@Suite(
  "CEC on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"),
  .enabled(
    if: FileManager.default.fileExists(atPath: "/usr/lib/x86_64-linux-gnu/girepository-1.0/UMockdev-1.0.typelib"),
    "umockdev is missing (deploy/setup --only test)"))
struct CECBoardTests {
  /// `start` plays on the connector of the television's CEC device; `$player` is the player's process id.
  private static let tools = """
    printf 'version = 1\\n[[playlist.main.item]]\\nuri = "%s"\\n' "$MEDIA/h264-60s-640x360-30.mp4" > /tmp/v.toml
    connector=$(cat /sys/class/drm/card0-Virtual-1/connector_id)
    start() { # OPTIONS of mock-cec, --, options of the player
      local options=()
      while [ "$1" != -- ]; do options+=("$1"); shift; done
      shift
      Tests/Tools/mock-cec --log /run/out/television "${options[@]}" "$VITRINE" run --config /tmp/v.toml --no-audio \\
        --output kms --mode 640x480 --osd never "$@" 2> /run/out/log & mock=$!
      sleep 2; player=$(pgrep -P $mock -x vitrine)
    }
    stop() { kill -TERM $player; wait $mock; echo $? > /run/out/status; }

    """

  private func heard(_ run: Board.Run) throws -> [String] {
    try run.text("television").split(separator: "\n").map(String.init)
  }

  @Test("A deaf television is told again, then reported in the log, and the film plays on")
  func deaf() async throws {
    let run = try await Board.run(
      Self.tools + """
        start --connector $connector --deaf 2 --; sleep 10; stop; cp /run/out/log /run/out/late; cp /run/out/television /run/out/two
        start --connector $connector --deaf 1000 --; sleep 15
        kms-planes | grep -c '"fb":[1-9]' > /run/out/lit
        stop
        """)
    let late = try run.text("two").split(separator: "\n").map(String.init)
    #expect(
      late.dropFirst().prefix(4) == [
        "4 to 0: image view on (not heard)", "4 to 0: image view on (not heard)", "4 to 0: image view on",
        "4 to 15: active source 1000",
      ], "\(late)")
    #expect(try run.text("late").contains("Virtual-1 is awake (CEC)"))
    #expect(try heard(run).filter { $0.hasSuffix("image view on (not heard)") }.count == 5)
    #expect(try run.text("log").contains("Virtual-1 doesn't wake by CEC"))
    #expect(try run.text("lit") == "2\n")
  }

  @Test("CEC drives the screen's own connector or a device that is named, and nothing while it is off")
  func others() async throws {
    let run = try await Board.run(
      Self.tools + """
        start --connector 999 --; stop; cp /run/out/television /run/out/other
        start --connector $connector -- --cec off; stop; cp /run/out/television /run/out/off
        start --connector 999 -- --cec /dev/cec0; stop; cp /run/out/television /run/out/named
        Tests/Tools/mock-cec --connector $connector "$VITRINE" displays > /run/out/displays
        "$VITRINE" play --no-audio --output kms --mode 640x480 --cec /dev/cec7 --for 1 "$MEDIA/h264-640x360-30-2s.mp4" \\
          2> /run/out/missing; echo $? >> /run/out/status
        """)
    #expect(try run.text("other") == "")
    #expect(try run.text("off") == "")
    #expect(try run.text("named").contains("4 to 0: image view on"))
    let displays = try run.text("displays")
    #expect(displays.contains("Virtual-1: connected, CEC by /dev/cec0"), "\(displays)")
    #expect(try run.text("status") == "0\n0\n")
    #expect(try run.text("missing").contains("CEC isn't used: open /dev/cec7: No such file or directory"))
  }
}

/// CEC by the kernel's vivid driver: the player's device and a television's, joined by a cable.
@Suite(
  "CEC by the kernel, on the virtual board",
  .enabled(if: Board.mediaMissing == nil, "\(Board.mediaMissing ?? "")"))
struct CECKernelBoardTests {
  /// The messages that the television received from the player, without those that it sends to every device.
  private func heard(_ monitor: String) -> [String] {
    monitor.split(separator: "\n").filter { $0.hasPrefix("Received from Playback Device 1") }.compactMap { line in
      guard let name = line.split(separator: "):").last?.split(separator: " ").first else { return nil }
      return String(name)
    }
  }

  @Test(
    "The television wakes at the start, sleeps and wakes with the screen, and the address is given back"
  )
  func television() async throws {
    let run = try await Board.run(
      """
      v4l2-ctl -d /dev/video3 -c hdmi_000_0_is_connected_to=2
      cec-ctl -s -d0 --tv --osd-name TV > /dev/null
      cec-follower -d0 > /run/out/follower & follower=$!
      cec-ctl -d0 -M > /run/out/television & monitor=$!
      sleep 1
      printf 'version = 1\\n[[playlist.main.item]]\\nuri = "%s"\\n' "$MEDIA/h264-60s-640x360-30.mp4" > /tmp/v.toml
      active() { grep -c 'active=1' /sys/kernel/debug/dri/0/state >> /run/out/active; }
      # In software: what it plays doesn't matter here.
      export GST_PLUGIN_FEATURE_RANK=v4l2slh264dec:NONE
      "$VITRINE" run -v --config /tmp/v.toml --no-audio --output kms --mode 640x480 --osd never --cec /dev/cec1 \
        2> /run/out/log & player=$!
      sleep 8
      cec-ctl -d1 | grep 'Logical Address Mask' > /run/out/addresses
      kill -USR1 $player; sleep 8; active
      kill -USR2 $player; sleep 8; active
      kill -TERM $player; wait $player; echo $? > /run/out/status
      sleep 1; cec-ctl -d1 | grep 'Logical Address Mask' >> /run/out/addresses
      kill $monitor $follower
      """, hasMedia: true)
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(run.outcome.errors) \(log)")
    let messages = heard(try run.text("television")).filter { !$0.hasPrefix("REPORT") && !$0.hasPrefix("DEVICE") }
    #expect(
      messages == [
        "IMAGE_VIEW_ON", "ACTIVE_SOURCE", "GIVE_DEVICE_POWER_STATUS", "STANDBY", "GIVE_DEVICE_POWER_STATUS",
        "IMAGE_VIEW_ON",
        "ACTIVE_SOURCE", "GIVE_DEVICE_POWER_STATUS",
      ], "\(messages)")
    #expect(try run.text("active") == "0\n1\n")
    for text in ["by CEC too (/dev/cec1)", "Virtual-1 is awake (CEC)", "Virtual-1 is asleep (CEC)"] {
      #expect(log.contains(text), "\(log)")
    }
    let addresses = try run.text("addresses").split(separator: "\n").compactMap { $0.split(separator: " ").last }
    #expect(addresses == ["0x0010", "0x0000"])
  }
}

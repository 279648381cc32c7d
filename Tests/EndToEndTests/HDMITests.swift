import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// Screens that tell who they are, and sound that goes with them.
@Suite(
  "HDMI on the virtual board", .serialized,
  .enabled(
    if: Board.hasHDMI, "the board's kernel has no HDMI connectors (board/virtual/build-kernel makes a newer one)"))
struct HDMITests {
  private static let list = """
    printf 'version = 1\\n[[playlist.main.item]]\\nuri = "%s"\\n' "$MEDIA/h264-60s-640x360-30.mp4" > /tmp/v.toml
    edid() { make-edid "$2" "$3" > "/sys/kernel/debug/dri/0/HDMI-A-$1/edid_override"; }
    status() { echo "$2" > "/sys/kernel/config/vkms/board/connectors/$1/status"; }

    """

  @Test("Another screen with another preferred mode: its mode, the same position, within 2 s of the plug")
  func anotherScreen() async throws {
    let run = try await Board.run(
      Self.list + """
        card=$(make-device --overlays 2 --writeback --disconnected)
        edid 1 Hall 800x600; status 0 1
        "$VITRINE" run --config /tmp/v.toml --no-audio --output kms --osd never 2> /run/out/log & player=$!
        sleep 5; kms-screenshot -d "$card" /run/out/before.ppm
        status 0 2; sleep 3; edid 1 Shop 1024x768; status 0 1; sleep 2
        kms-screenshot -d "$card" /run/out/after.ppm
        "$VITRINE" displays > /run/out/displays
        # Swapped so fast that nobody sees it unplugged.
        edid 1 Desk 640x480; status 0 2; status 0 1; sleep 2
        kms-screenshot -d "$card" /run/out/swapped.ppm
        kill -TERM $player; wait $player; echo $? > /run/out/status
        """, devices: "none", options: ["--hdmi"])
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(log)")
    var before: Int?
    for (name, size) in [("before", (800, 600)), ("after", (1024, 768)), ("swapped", (640, 480))] {
      let shot = try await Pixels(path: run.directory.path("\(name).ppm"))
      #expect(shot.width == size.0 && shot.height == size.1, "\(name): \(shot.width)x\(shot.height)")
      let top = (size.1 - size.0 * 9 / 16) / 2
      let number = try #require(shot.frameNumber(x: 0, y: top, width: size.0), "no picture: \(name)")
      if let before { #expect((before - 30...before + 60).contains(number), "\(name): \(before), \(number)") }
      before = number
    }
    let outputs = log.split(separator: "\n").filter { $0.contains("output: ") }
    #expect(outputs.count == 3, "\(log)")
    let displays = try run.text("displays")
    #expect(displays.contains("HDMI-A-1: connected, Shop, 256 x 192 mm"), "\(displays)")
    #expect(displays.contains("1024x768@60.00 (preferred)"), "\(displays)")
  }

  @Test("Sound goes with the picture to the other connector's card, and is silent while there is no screen")
  func soundFollows() async throws {
    let run = try await Board.run(
      Self.list + """
        # As a Raspberry Pi has it: a card for each connector, named by it. What comes out is recorded at the other end.
        cat > "$HOME/.asoundrc" <<'CONF'
        pcm.!hdmi {
          @args [ CARD DEV ]
          @args.CARD { type string }
          @args.DEV { type integer default 0 }
          type plug
          slave.pcm { type hw card $CARD device $DEV format S16_LE rate 48000 channels 2 }
        }
        CONF
        card=$(make-device --overlays 2 --connectors 2 --disconnected)
        status 0 1
        format=audio/x-raw,format=S16LE,rate=48000,channels=2
        for number in 0 1; do
          gst-launch-1.0 -q alsasrc device=hw:vc4hdmi$number,1,0 ! $format ! filesink location=/run/out/$number.raw \\
            2> /run/out/record$number & recorders="${recorders-} $!"
        done
        printf 'version = 1\\n[[playlist.main.item]]\\nuri = "%s"\\n' "$MEDIA/h264-aac-640x360-30.mp4" > /tmp/v.toml
        "$VITRINE" run --config /tmp/v.toml --audio-device connector --output kms --mode 640x480 --osd never \\
          2> /run/out/log & player=$!
        sleep 4; status 0 2; sleep 4; status 1 1; sleep 4
        kill -TERM $player; wait $player; echo $? > /run/out/status
        kill $recorders
        """, devices: "none",
      options: ["--hdmi"] + ["enable=1,1", "id=vc4hdmi0,vc4hdmi1"].flatMap { ["--kernel-arg", "snd_aloop.\($0)"] })
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(log)")
    // Loudest sample of each second.
    let first = try Self.loudness(run.directory.url.appending(path: "0.raw"))
    let second = try Self.loudness(run.directory.url.appending(path: "1.raw"))
    try #require(first.count >= 11 && second.count >= 11, "\(first) \(second) \(log)")
    #expect(first[1...2].allSatisfy { $0 > 1000 } && first[5...].allSatisfy { $0 == 0 }, "\(first)")
    #expect(second[...7].allSatisfy { $0 == 0 } && second[10] > 1000, "\(second)")
  }

  private static func loudness(_ file: URL) throws -> [Int] {
    let bytes = try Data(contentsOf: file)
    let second = 48_000 * 4
    return stride(from: 0, to: bytes.count - second + 1, by: second).map { start in
      bytes[start..<start + second].withUnsafeBytes { raw in
        raw.bindMemory(to: Int16.self).reduce(0) { max($0, abs(Int($1))) }
      }
    }
  }
}

import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// Sticks as udev's helper leaves them: an entry in a folder that leads to each mount.
@Suite("USB sticks, played and copied", .serialized)
struct StickPlayerTests {
  private struct Rig {
    let directory: TemporaryDirectory
    let player: RunningPlayer
    /// The state with the board's own files.
    let own: RunningPlayer.State

    init(_ mode: String, _ settings: String = "") async throws {
      directory = try TemporaryDirectory()
      for folder in ["sticks", "stick"] {
        try FileManager.default.createDirectory(
          at: directory.url.appending(path: folder), withIntermediateDirectories: true)
      }
      let long = try await Media.path("h264-60s-640x360-30.mp4")
      try RunningPlayer.write(
        """
        version = 1
        [usb]
        mode = "\(mode)"
        folder = "\(directory.path("sticks"))"
        \(settings)
        [[playlist.main.item]]
        uri = "\(long)"

        """, as: "vitrine.toml", in: directory)
      player = try RunningPlayer(["--confirm-after", "1", "-v"], in: directory)
      own = try await player.state { $0.state == "confirmed" }
    }

    /// Puts a file on the stick.
    func put(_ text: String, _ name: String) throws {
      let url = directory.url.appending(path: "stick/\(name)")
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }

    func putClip(_ clip: String, _ name: String) async throws {
      try put("", name)
      let to = directory.url.appending(path: "stick/\(name)")
      try FileManager.default.removeItem(at: to)
      try FileManager.default.copyItem(at: URL(filePath: try await Media.path(clip)), to: to)
    }

    func plugIn() throws {
      try FileManager.default.createSymbolicLink(
        atPath: directory.path("sticks/sda1"), withDestinationPath: directory.path("stick"))
    }

    func pullOut() throws { try FileManager.default.removeItem(atPath: directory.path("sticks/sda1")) }
  }

  @Test("A folder of media plays while the stick is there, and then the former list without a trial")
  func play() async throws {
    let rig = try await Rig("play")
    try await rig.putClip("vp8-vorbis-320x240-25.webm", "vitrine/film.webm")
    try rig.plugIn()
    try await rig.player.state { $0.state == "candidate" }
    let playing = try await rig.player.state { $0.state == "confirmed" }
    // The board's own files are unchanged, which deploy/push waits for.
    #expect(playing.active != rig.own.active && playing.files == rig.own.files)
    #expect(rig.player.log.contains("sticks/sda1/vitrine/film.webm"))
    try rig.pullOut()
    let after = try await rig.player.state { $0.active == rig.own.active }
    #expect(after.state == "confirmed")
    // Nothing of the stick was kept, so the next start has the board's own files.
    #expect(try await rig.player.stop().outcome.status == 0)
    let again = try RunningPlayer(["--confirm-after", "60"], in: rig.directory)
    let state = try await again.state { _ in true }
    #expect(state.state == "confirmed" && state.active == rig.own.active)
    _ = try await again.stop()
  }

  @Test(
    "A stick with errors, or with a broken film, is reported and left out, and the board's files count")
  func badStick() async throws {
    let rig = try await Rig("play")
    try rig.put("[schedule]\ndefalt = \"x\"\n", "vitrine/vitrine.toml")
    try rig.plugIn()
    try await rig.player.logged { $0.contains("USB stick: ") && $0.contains("vitrine.toml:2:1") }
    #expect(try await rig.player.state { _ in true }.active == rig.own.active)
    try rig.pullOut()
    try rig.put("[[playlist.main.item]]\nuri = \"text.mp4\"\n", "vitrine/vitrine.toml")
    try await rig.putClip("text.mp4", "vitrine/text.mp4")
    try rig.plugIn()
    try await rig.player.logged { $0.contains("text.mp4: this is not a video") }
    #expect(try await rig.player.state { _ in true }.active == rig.own.active)
    // With the stick still there.
    try rig.player.write("playback.picture_duration = 3\n", as: "conf.d/10-a.toml")
    try await rig.player.state { $0.state == "confirmed" && $0.active != rig.own.active && $0.active == $0.files }
    // A start opens no file before it plays, so the stick is tried and rolled back.
    _ = try await rig.player.stop()
    let again = try RunningPlayer(["--confirm-after", "1"], in: rig.directory)
    try await again.state { $0.state == "rolled-back" && $0.active == $0.files }
    _ = try await again.stop()
  }

  @Test("A stick plays without a file that can't be opened, and reports that file, also at a start")
  func oneBadFile() async throws {
    let rig = try await Rig("play")
    try await rig.putClip("text.mp4", "vitrine/1-text.mp4")
    try await rig.putClip("vp8-vorbis-320x240-25.webm", "vitrine/2-film.webm")
    try rig.plugIn()
    let playing = try await rig.player.state { $0.state == "confirmed" && $0.active != rig.own.active }
    #expect(rig.player.log.contains("1-text.mp4: this is not a video"))
    _ = try await rig.player.stop()
    let again = try RunningPlayer(["--confirm-after", "1"], in: rig.directory)
    let state = try await again.state { $0.state != "candidate" }
    #expect(state.state == "confirmed" && state.active == playing.active, "\(state)")
    _ = try await again.stop()
  }

  @Test("A stick that stays plugged in plays at every start")
  func staysPluggedIn() async throws {
    let rig = try await Rig("play")
    try await rig.putClip("vp8-vorbis-320x240-25.webm", "vitrine/film.webm")
    try rig.plugIn()
    let playing = try await rig.player.state { $0.state == "confirmed" && $0.active != rig.own.active }
    _ = try await rig.player.stop()
    for start in 1...5 {
      let again = try RunningPlayer(["--confirm-after", "1"], in: rig.directory)
      let state = try await again.state { $0.state != "candidate" }
      #expect(state.state == "confirmed" && state.active == playing.active, "start \(start): \(state)")
      _ = try await again.stop()
    }
  }

  @Test("A stick that crashes the player three times is left out until it is pulled")
  func endsThePlayer() async throws {
    let rig = try await Rig("play")
    _ = try await rig.player.stop()
    try await rig.putClip("vp8-vorbis-320x240-25.webm", "vitrine/film.webm")
    try rig.plugIn()
    for _ in 1...3 {
      let again = try RunningPlayer(["--confirm-after", "60"], in: rig.directory)
      try await again.state { $0.state == "candidate" && $0.active != rig.own.active }
      _ = try await again.stop(signal: SIGKILL)
    }
    let last = try RunningPlayer(["--confirm-after", "1"], in: rig.directory)
    try await last.state { $0.state == "confirmed" && $0.active == rig.own.active }
    try await last.logged { $0.contains("USB stick: ") && $0.contains("ended 3 times") }
    // A change of the board's files doesn't bring the stick back.
    try last.write("playback.picture_duration = 3\n", as: "conf.d/10-a.toml")
    let changed = try await last.state { $0.state == "confirmed" && $0.files != rig.own.files }
    #expect(changed.active == changed.files)
    try rig.pullOut()
    try await last.logged { $0.contains("configuration: unchanged") }
    try rig.plugIn()
    try await last.state { $0.state == "confirmed" && $0.active != changed.active }
    _ = try await last.stop()
  }

  @Test("A stick that sets a board's setting or names a board's file is reported with its line and left out")
  func secrets() async throws {
    let rig = try await Rig("play")
    try await rig.putClip("vp8-vorbis-320x240-25.webm", "vitrine/film.webm")
    let film = "[[playlist.main.item]]\nuri = \"film.webm\"\n"
    try rig.put(
      film + "[network]\nproxy = \"http://127.0.0.1:1\"\n"
        + "[[network.server]]\nhost = \"127.0.0.1\"\ntoken_file = \"/etc/shadow\"\n",
      "vitrine/vitrine.toml")
    try rig.plugIn()
    try await rig.player.logged {
      $0.contains("vitrine/vitrine.toml:4:1: [network].proxy: may not be set by a USB stick")
    }
    #expect(try await rig.player.state { _ in true }.active == rig.own.active)
    try rig.pullOut()
    let own = try await Media.path("h264-60s-640x360-30.mp4")
    try rig.put("[[playlist.main.item]]\nuri = \"\(own)\"\n", "vitrine/vitrine.toml")
    try rig.plugIn()
    try await rig.player.logged { $0.contains("leads away from the stick") }
    #expect(try await rig.player.state { _ in true }.active == rig.own.active)
    _ = try await rig.player.stop()
  }

  @Test("A stick with dates of the year 2400 plays as others do")
  func farFuture() async throws {
    let rig = try await Rig("play")
    try await rig.putClip("vp8-vorbis-320x240-25.webm", "vitrine/film.webm")
    for name in ["stick/vitrine/film.webm", "stick/vitrine"] {
      var times = [timespec(tv_sec: 13_569_465_600, tv_nsec: 0), timespec(tv_sec: 13_569_465_600, tv_nsec: 0)]
      try #require(utimensat(AT_FDCWD, rig.directory.path(name), &times, 0) == 0)
    }
    try rig.plugIn()
    try await rig.player.state { $0.state == "confirmed" && $0.active != rig.own.active }
    _ = try await rig.player.stop()
  }

  @Test("With a password file only a stick with the same one plays")
  func password() async throws {
    let directory = try TemporaryDirectory()
    let rig = try await Rig("play", "password_file = \"\(try directory.write("secret\n", as: "password"))\"")
    try await rig.putClip("vp8-vorbis-320x240-25.webm", "vitrine/film.webm")
    // A link to the board's password file, which has the right text.
    try FileManager.default.createSymbolicLink(
      atPath: rig.directory.path("stick/vitrine.password"), withDestinationPath: directory.path("password"))
    try rig.plugIn()
    try await rig.player.logged { $0.contains("vitrine.password is missing") }
    #expect(try await rig.player.state { _ in true }.active == rig.own.active)
    try rig.pullOut()
    try FileManager.default.removeItem(atPath: rig.directory.path("stick/vitrine.password"))
    try rig.put("secret", "vitrine.password")
    try rig.plugIn()
    try await rig.player.state { $0.state == "confirmed" && $0.active != rig.own.active }
    _ = try await rig.player.stop()
  }

  @Test("Content is copied whole, plays, and stays after the stick is pulled and after a restart")
  func copy() async throws {
    let rig = try await Rig("copy")
    try rig.put("[[playlist.main.item]]\nuri = \"films/film.webm\"\n", "vitrine/vitrine.toml")
    try await rig.putClip("vp8-vorbis-320x240-25.webm", "vitrine/films/film.webm")
    try rig.plugIn()
    try await rig.player.logged { $0.contains("is copied") }
    try rig.pullOut()
    let copied = try await rig.player.state { $0.state == "confirmed" && $0.active != rig.own.active }
    #expect(copied.files == rig.own.files)
    _ = try await rig.player.stop(signal: SIGKILL)
    let again = try RunningPlayer(["--confirm-after", "60", "-v"], in: rig.directory)
    let state = try await again.state { _ in true }
    #expect(state.state == "confirmed" && state.active == copied.active)
    try await again.logged { $0.contains("/state/usb/content-") && $0.contains("films/film.webm") }
    _ = try await again.stop()
  }

  @Test("After kill -9 at any moment of a copy the old content or the new one plays, each whole")
  func killedWhileCopying() async throws {
    let rig = try await Rig("copy")
    var player = rig.player
    let clip = try Data(contentsOf: URL(filePath: try await Media.path("vp8-vorbis-320x240-25.webm")))
    var versions: [Data] = []
    for round in 0..<6 {
      // A film that plays, with bytes that differ in each round.
      let load = Data((0..<(8 << 20)).map { UInt8(truncatingIfNeeded: $0 &* (round + 3)) })
      versions.append(load)
      try await rig.putClip("vp8-vorbis-320x240-25.webm", "vitrine/film.webm")
      try rig.put("", "vitrine/z.bin")
      try load.write(to: rig.directory.url.appending(path: "stick/vitrine/z.bin"))
      try? rig.pullOut()
      try rig.plugIn()
      try await Task.sleep(for: .milliseconds(Int.random(in: 400...1400)))
      _ = try await player.stop(signal: SIGKILL)
      try rig.pullOut()
      player = try RunningPlayer(["--confirm-after", "1"], in: rig.directory)
      try await player.state { $0.state == "confirmed" }
      let current = rig.directory.path("state/usb/current")
      guard FileManager.default.fileExists(atPath: current) else { continue }
      let found = try Data(contentsOf: URL(filePath: "\(current)/z.bin"))
      #expect(versions.contains(found), "round \(round): \(found.count) bytes")
      #expect(try Data(contentsOf: URL(filePath: "\(current)/film.webm")) == clip)
    }
    // Without a kill one more copy completes (the last may have been complete), and the rest of the others is removed.
    let before = try await player.state { $0.state == "confirmed" }.active
    let last = Data((0..<(8 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 11) })
    try last.write(to: rig.directory.url.appending(path: "stick/vitrine/z.bin"))
    try rig.plugIn()
    try await player.logged { $0.contains("is copied") }
    try await player.state { $0.state == "confirmed" && $0.active != before }
    _ = try await player.stop()
    #expect(
      try Data(contentsOf: rig.directory.url.appending(path: "state/usb/current/z.bin")) == last)
  }

  @Test(
    "A real file system mounted read-only by deploy/usb plays, and is released when it is gone",
    .enabled("the board's kernel has no disks (VITRINE_BOARD_KERNEL)") { try await Board.disksMissing() == nil })
  func mounted() async throws {
    let directory = try TemporaryDirectory()
    let vitrine = directory.url.appending(path: "stick/vitrine")
    try FileManager.default.createDirectory(at: vitrine, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: URL(filePath: try await Media.path("vp8-vorbis-320x240-25.webm")), to: vitrine.appending(path: "film.webm"))
    let disk = try directory.write("", as: "disk")
    let made = try await Tool.run("mkfs.ext4", ["-q", "-F", "-d", directory.path("stick"), disk, "16M"])
    try #require(made.status == 0, "\(made.errors)")
    let run = try await Board.run(
      """
      export STATE_DIRECTORY=/run/state RUNTIME_DIRECTORY=/run/vitrine
      told() { sed -n 's/^  "'"$1"'": "\\(.*\\)",$/\\1/p' /run/vitrine/configuration.json 2> /dev/null; }
      await() { for tenth in $(seq 200); do "$@" && return; sleep 0.1; done; echo "never: $*" >> /run/out/wrong; }
      plays() { [ "$(told state)" = confirmed ] && [ "$(told active)" "$1" "$own" ]; }
      own=''
      mkdir -p /tmp/etc
      printf 'version = 1\n[usb]\nmode = "play"\n[[playlist.main.item]]\nuri = "%s"\n' \
        "$MEDIA/h264-60s-640x360-30.mp4" > /tmp/etc/vitrine.toml
      "$VITRINE" run --config /tmp/etc --no-audio --output headless --confirm-after 1 -v 2> /run/out/log & player=$!
      await plays !=
      own=$(told active)
      export VITRINE_USB_PLAYER=$VITRINE
      mount_stick() { sh "$PROJECT/deploy/usb/vitrine-usb-mount" --config /tmp/etc "$1" ubda >> /run/out/said 2>&1; echo "$1 $?" >> /run/out/codes; }
      mount_stick add; mount_stick add
      await plays !=
      touch /run/vitrine-usb/ubda/x 2> /dev/null && echo "written" >> /run/out/wrong
      grep -o 'ubda ext4 ro,nosuid,nodev,noexec,[a-z]*' /proc/mounts | head -n 1 > /run/out/mount
      mount_stick remove; mount_stick remove
      await plays =
      ls /run/vitrine-usb > /run/out/left
      kill -TERM $player; wait $player; echo $? > /run/out/status
      """, devices: "none", disks: [disk])
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(log)")
    #expect(throws: (any Error).self, "\(log)") { try run.text("wrong") }
    #expect(try run.text("codes") == "add 0\nadd 0\nremove 0\nremove 0\n")
    #expect(try run.text("mount").contains("ro,nosuid,nodev,noexec"))
    #expect(try run.text("left").isEmpty)
    #expect(log.contains("/run/vitrine-usb/ubda/vitrine/film.webm"))
  }
}

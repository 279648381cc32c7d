import Foundation
import KioskTestSupport
import Testing

/// An image makes a data partition of the rest of its card, on a disk of the virtual board.
@Suite(
  "The data partition of images, on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"),
  .enabled("the board's kernel has no ext4 (VITRINE_BOARD_KERNEL); board/virtual/build-kernel makes one that has") {
    try await Board.disksMissing() == nil
  })
struct ImageStorageBoardTests {
  private static let image = Tool.root.appending(path: "deploy/image")
  /// The start of the fourth partition, in bytes.
  private static let offset = 200 << 20
  private static let length = 120 << 20

  /// A disk with an image's partition table; with `fourth`, another partition fills the rest.
  private func disk(in folder: TemporaryDirectory, fourth: Bool) async throws -> String {
    let disk = folder.path("disk")
    var table = try await Tool.run(
      Self.image.appending(path: "layout").path, ["--root", "16", "--boot", "64", "--id", "0badcafe"]
    ).output
    if fourth { table += "4 : start=\(Self.offset / 512), size=\(Self.length / 512), type=83\n" }
    let script = try folder.write(
      "truncate -s 320M '\(disk)' && sfdisk --quiet '\(disk)' <<'TABLE'\n\(table)TABLE\n", as: "make.sh")
    let made = try await Tool.run("bash", [script])
    try #require(made.status == 0, "\(made.errors)")
    return disk
  }

  /// Boots the board up to its data, then runs `more`. In real time: while all processes wait for the disk, virtual
  /// time would jump to the limit.
  private func start(_ disk: String, _ more: String = "") async throws -> Board.Run {
    let run = try await Board.run(
      """
      mkdir -p /run/vitrine-image /etc/vitrine /var/lib/vitrine /srv/media
      printf 'version = 1\\n' > /etc/vitrine/vitrine.toml
      grep -q '^vitrine:' /etc/passwd || echo 'vitrine:x:990:990::/var/lib/vitrine:/bin/false' >> /etc/passwd
      grep -q '^vitrine:' /etc/group || echo 'vitrine:x:990:' >> /etc/group
      echo ubda > /run/vitrine-image/disk
      [ -e /sys/class/block/ubda3 ] || partx --add /dev/ubda
      sh "$PROJECT/deploy/image/files/common/root/usr/lib/vitrine-image/storage" > /run/out/said 2>&1
      echo $? > /run/out/status
      findmnt -n -o FSTYPE /data > /run/out/kind
      cat /srv/media/film > /run/out/film 2> /dev/null
      \(more)
      sync
      # The state and the configuration are bound from it.
      umount /srv/media /etc/vitrine /var/lib/vitrine /var/lib/systemd /data 2> /dev/null
      true
      """, isVirtualTime: false, devices: "none", disks: [disk])
    #expect(run.outcome.status == 0, "\(run.outcome.output) \(run.outcome.errors)")
    #expect(try run.text("status") == "0\n", "\(try? run.text("said"))")
    return run
  }

  @Test("A foreign fourth partition isn't changed, and data stays in memory")
  func another() async throws {
    let folder = try TemporaryDirectory()
    let disk = try await disk(in: folder, fourth: true)
    let made = try await Tool.run(
      "mke2fs",
      ["-q", "-F", "-t", "ext4", "-L", "FILMS", "-E", "offset=\(Self.offset)", disk, "\(Self.length / 1024)k"])
    try #require(made.status == 0, "\(made.errors)")
    let run = try await start(disk)
    #expect(try run.text("kind") == "tmpfs\n", "\(try? run.text("said"))")
    #expect(try run.text("said").contains("isn't changed"))
    let label = try await Tool.run(
      "blkid", ["-p", "-o", "value", "-s", "LABEL", "--offset", "\(Self.offset)", disk])
    #expect(label.output == "FILMS\n")
  }

  @Test("The data partition is made once and found again, also with its first block erased")
  func ours() async throws {
    let folder = try TemporaryDirectory()
    let disk = try await disk(in: folder, fourth: false)
    let first = try await start(disk, "echo ours > /srv/media/film")
    #expect(try first.text("kind") == "ext4\n", "\(try? first.text("said"))")
    let second = try await start(disk)
    #expect(try second.text("film") == "ours\n", "\(try? second.text("said"))")
    // The partition's start is the script's own.
    let table = try await Tool.run("sfdisk", ["--dump", disk]).output
    let line = try #require(table.split(separator: "\n").first { $0.contains("disk4") })
    let begin = try #require(line.split(separator: "=").dropFirst().first?.split(separator: ",").first)
    let sector = try #require(Int(begin.trimmingCharacters(in: .whitespaces)))
    let spoiled = try await Tool.run(
      "dd", ["if=/dev/zero", "of=\(disk)", "bs=512", "seek=\(sector)", "count=8", "conv=notrunc"])
    try #require(spoiled.status == 0, "\(spoiled.errors)")
    let third = try await start(disk)
    #expect(try third.text("film") == "ours\n", "\(try? third.text("said"))")
  }
}

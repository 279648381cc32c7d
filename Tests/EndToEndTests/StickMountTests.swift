import Foundation
import KioskTestSupport
import Testing

/// `deploy/usb/vitrine-usb-mount check` on a made-up machine, with its disks as the kernel lists them.
@Suite("Devices that count as sticks")
struct StickMountTests {
  /// A machine whose files the script reads in place of the host's. `sda` and `sdb` are USB disks of two partitions.
  private struct Machine {
    let directory: TemporaryDirectory

    init() throws {
      directory = try TemporaryDirectory()
      for disk in ["sda", "sdb"] {
        try block(disk, at: "sys/devices/usb/\(disk)")
        for number in [1, 2] {
          try block("\(disk)\(number)", at: "sys/devices/usb/\(disk)/\(disk)\(number)")
          try write("\(number)\n", "sys/devices/usb/\(disk)/\(disk)\(number)/partition")
        }
      }
      try block("mmcblk0", at: "sys/devices/card/mmcblk0")
      try write("Filename Type Size Used Priority\n", "proc/swaps")
      try write("quiet\n", "proc/cmdline")
      try write("22 1 179:2 / / rw,noatime shared:1 - ext4 /dev/mmcblk0p2 rw\n", "proc/self/mountinfo")
      try write("version = 1\n[usb]\nmode = \"play\"\n[[playlist.main.item]]\nuri = \"/a.mp4\"\n", "vitrine.toml")
    }

    func write(_ text: String, _ name: String) throws {
      let place = directory.url.appending(path: name)
      try FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: place)
    }

    func link(_ name: String, to target: String) throws {
      let place = directory.url.appending(path: name)
      try FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(atPath: place.path, withDestinationPath: target)
    }

    /// Makes a block device in /sys and /dev.
    func block(_ name: String, at place: String) throws {
      try FileManager.default.createDirectory(
        at: directory.url.appending(path: place), withIntermediateDirectories: true)
      try link("sys/class/block/\(name)", to: "../../../\(place)")
      try write("", "dev/\(name)")
    }

    func check(_ name: String, _ action: String = "check", environment: [String: String] = [:]) async throws
      -> Tool.Outcome
    {
      try await Tool.run(
        Tool.root.appending(path: "deploy/usb/vitrine-usb-mount").path,
        ["--config", directory.path("vitrine.toml"), action, name],
        environment: ["VITRINE_ROOT": directory.url.path, "VITRINE_USB_PLAYER": Player.path].merging(environment) { $1 }
      )
    }
  }

  /// The message for a device that passes all checks but has no known file system, as on every made-up device.
  private static let noFileSystem = "it has no known file system"
  private static let inUse = "something else uses this disk"

  @Test("A device counts as a stick when the system doesn't use its disk")
  func stick() async throws {
    let machine = try Machine()
    for name in ["sda1", "sdb2", "sda"] {
      let outcome = try await machine.check(name)
      #expect(outcome.status == 1 && outcome.errors.contains(Self.noFileSystem), "\(name): \(outcome)")
    }
    // A mount for the player doesn't make the disk one that the system uses.
    try machine.write(
      "22 1 8:1 / /run/vitrine-usb/sda1 ro - vfat /dev/sda1 ro\n", "proc/self/mountinfo")
    #expect(try await machine.check("sda2").errors.contains(Self.noFileSystem))
  }

  @Test(
    "A device isn't a stick on a disk that the system booted from, mounted, swaps to, or lists",
    arguments: [
      ("proc/self/mountinfo", "22 1 8:2 / / rw - ext4 /dev/sda2 rw\n"),
      ("proc/self/mountinfo", "22 1 8:1 / /boot/firmware ro,relatime shared:9 - vfat /dev/sda1 ro\n"),
      ("proc/self/mountinfo", "22 1 0:40 /@ /data rw - btrfs /dev/sda2 rw\n"),
      ("proc/swaps", "Filename Type Size Used Priority\n/dev/sda2 partition 1048572 0 -2\n"),
      ("etc/fstab", "# disks\n  /dev/sda2\t/srv/media ext4 noauto 0 2\n"),
      ("run/vitrine-image/disk", "sda\n"),
      ("proc/cmdline", "console=tty1 root=/dev/sda2 rootwait\n"),
      ("proc/cmdline", "root=/dev/mmcblk0 resume=/dev/sda2\n"),
    ])
  func system(file: String, text: String) async throws {
    let machine = try Machine()
    try machine.write(text, file)
    for name in ["sda1", "sda2", "sda"] {
      let outcome = try await machine.check(name)
      #expect(outcome.status == 1 && outcome.errors.contains(Self.inUse), "\(name): \(outcome)")
    }
    #expect(try await machine.check("sdb1").errors.contains(Self.noFileSystem))
  }

  @Test("A device isn't a stick when the system names its disk by a mapper name or a number")
  func names() async throws {
    let uuid = try Machine()
    try uuid.link("dev/disk/by-uuid/12-AB", to: "../../sda2")
    try uuid.write("UUID=12-AB /boot vfat defaults 0 2\n", "etc/fstab")
    let partition = try Machine()
    try partition.link("dev/disk/by-partuuid/feed-02", to: "../../sda2")
    try partition.write("root=PARTUUID=feed-02 quiet\n", "proc/cmdline")
    let root = try Machine()
    try root.write("22 1 8:2 / / rw - ext4 /dev/root rw\n", "proc/self/mountinfo")
    try root.write("MAJOR=8\nMINOR=2\nDEVNAME=sda2\n", "sys/dev/block/8:2/uevent")
    // Encrypted, on a logical volume.
    let mapped = try Machine()
    for (name, below) in [("dm-1", "dm-0"), ("dm-0", "sda2")] {
      try mapped.block(name, at: "sys/devices/virtual/\(name)")
      try mapped.write("", "sys/devices/virtual/\(name)/slaves/\(below)")
    }
    try mapped.link("dev/mapper/root", to: "../dm-1")
    try mapped.write("22 1 253:1 / / rw - ext4 /dev/mapper/root rw\n", "proc/self/mountinfo")
    let held = try Machine()
    try held.write("", "sys/devices/usb/sda/sda1/holders/md0")
    for (number, machine) in [uuid, partition, root, mapped, held].enumerated() {
      let outcome = try await machine.check("sda1")
      #expect(outcome.status == 1 && outcome.errors.contains(Self.inUse), "\(number): \(outcome)")
    }
  }

  @Test("No device counts while the configuration leaves sticks alone, has errors, or names another folder")
  func unwanted() async throws {
    let machine = try Machine()
    let list = "[[playlist.main.item]]\nuri = \"/a.mp4\"\n"
    for text in ["", "[usb]\nmode = \"off\"\n", "[usb]\nmode = \"play\"\nfolder = \"/media/kiosk\"\n"] {
      try machine.write("version = 1\n\(text)\(list)", "vitrine.toml")
      let outcome = try await machine.check("sda1")
      #expect(outcome.status == 1 && outcome.output.contains("[usb] mode is \"off\""), "\(text): \(outcome)")
      // Without an error, for a board where sticks are mounted by hand; and nothing is mounted.
      #expect(try await machine.check("sda1", "add").status == 0)
    }
    try machine.write("version = 1\n[usb]\nmode = \"play\"\nnonsense\n", "vitrine.toml")
    for action in ["check", "add"] {
      let outcome = try await machine.check("sda1", action)
      #expect(outcome.status == 1 && outcome.errors.contains("the configuration can't be read"), "\(outcome)")
    }
    // A variable of the service counts here as in the player.
    try machine.write("version = 1\n\(list)", "vitrine.toml")
    #expect(
      try await machine.check("sda1", environment: ["VITRINE_USB_MODE": "copy"]).errors.contains(Self.noFileSystem))
  }

  @Test(
    "A wrong command line is refused with the reason",
    arguments: ["", "add", "add ../sda1", "add .", "settle x", "mount sda1"])
  func usage(line: String) async throws {
    let script = Tool.root.appending(path: "deploy/usb/vitrine-usb-mount").path
    #expect(try await Tool.run(script, line.split(separator: " ").map(String.init)).status == 64)
    #expect(try await Tool.run(script, ["--help"]).output.hasPrefix("usage: vitrine-usb-mount"))
  }
}

/// Sticks on the virtual board, whose disks are loop devices.
@Suite(
  "Sticks on the virtual board", .serialized,
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct StickMountBoardTests {
  /// On loop1 an ext4 with a journal to replay, and one whose superblock asks for a panic on errors.
  private static let setUp = """
    exec > /run/out/said 2>&1
    export VITRINE_USB_PLAYER=$VITRINE
    configure() { mkdir -p /etc/vitrine; printf 'version = 1\\n%s\\n[[playlist.main.item]]\\nuri = "/a.mp4"\\n' "$1" > /etc/vitrine/vitrine.toml; }
    stick() { sh "$PROJECT/deploy/usb/vitrine-usb-mount" "$@"; echo "$* $?" >> /run/out/codes; }
    bytes() { sync; sha256sum < /tmp/stick.img >> /run/out/bytes; }
    on='[usb]
    mode = "play"'
    dd if=/dev/zero of=/tmp/made.img bs=1M count=16 status=none
    mkfs.ext4 -q -F -e panic /tmp/made.img
    mkdir -p /tmp/made; losetup /dev/loop0 /tmp/made.img; mount /dev/loop0 /tmp/made
    mkdir /tmp/made/vitrine; for name in 1 2 3; do echo $name > /tmp/made/vitrine/$name; done
    sync; cp /tmp/made.img /tmp/stick.img; umount /tmp/made; losetup -d /dev/loop0
    dumpe2fs -h /tmp/stick.img 2> /dev/null | grep -o needs_recovery > /run/out/journal
    losetup /dev/loop1 /tmp/stick.img

    """

  @Test("With sticks off none is mounted; with sticks on its journal isn't replayed, and no byte is written")
  func journal() async throws {
    let run = try await Board.run(
      Self.setUp + """
        configure ''
        bytes
        stick add loop1; grep -c vitrine-usb /proc/mounts >> /run/out/off
        configure "$on"
        stick add loop1; grep ' /run/vitrine-usb/loop1 ' /proc/mounts > /run/out/mount
        grep . /run/vitrine-usb/loop1/vitrine/* > /run/out/content
        blockdev --getro /dev/loop1 > /run/out/closed
        bytes
        stick remove loop1; blockdev --getro /dev/loop1 >> /run/out/closed
        bytes
        # The same by another driver's name, without a journal, and what sticks haven't.
        mkfs.ext2 -q -F /tmp/made.img; losetup /dev/loop2 /tmp/made.img
        stick add loop2; grep -c /run/vitrine-usb/loop2 /proc/mounts >> /run/out/others; stick remove loop2
        losetup -d /dev/loop2; dd if=/dev/zero of=/tmp/made.img bs=1M count=16 status=none; mkswap /tmp/made.img
        losetup /dev/loop2 /tmp/made.img; stick add loop2
        """, devices: "none")
    let said = try run.text("said")
    #expect(run.outcome.status == 0, "\(run.outcome) \(said)")
    #expect(try run.text("journal") == "needs_recovery\n")
    #expect(try run.text("off") == "0\n")
    let mount = try run.text("mount")
    for option in ["ext4 ro,", "nosuid", "nodev", "noexec", "nosymfollow", "norecovery", "errors=continue"] {
      #expect(mount.contains(option), "\(option) in \(mount) \(said)")
    }
    #expect(try run.text("closed") == "1\n0\n")
    let bytes = try run.text("bytes").split(separator: "\n")
    #expect(bytes.count == 3 && Set(bytes).count == 1, "\(bytes)")
    #expect(try run.text("others") == "1\n", "\(said)")
    #expect(
      try run.text("codes")
        == "add loop1 0\nadd loop1 0\nremove loop1 0\nadd loop2 0\nremove loop2 0\nadd loop2 1\n", "\(said)")
    #expect(said.contains("/dev/loop2 isn't mounted: it has swap"))
  }

  @Test("A mounted data partition isn't mounted for the player, nor is a swap partition")
  func inUse() async throws {
    let run = try await Board.run(
      Self.setUp + """
        configure "$on"
        mkdir -p /data; mount -o noatime,nodev,nosuid /dev/loop1 /data
        stick add loop1; grep -c vitrine-usb /proc/mounts > /run/out/mounts
        umount /data; mkdir -p /run/vitrine-image; echo loop1 > /run/vitrine-image/disk
        stick add loop1; grep -c vitrine-usb /proc/mounts >> /run/out/mounts
        mount -t ext4 -o noatime,nodev,nosuid,errors=remount-ro /dev/loop1 /data && touch /data/written && echo yes > /run/out/data
        """, devices: "none")
    let said = try run.text("said")
    #expect(try run.text("codes") == "add loop1 1\nadd loop1 1\n", "\(said)")
    #expect(try run.text("mounts") == "0\n0\n")
    #expect(try run.text("data") == "yes\n", "\(said)")
  }

  @Test(
    "udev and systemd mount a stick while the configuration wants it, and unmount it after that")
  func followsConfiguration() async throws {
    let run = try await Board.run(
      Self.setUp + """
        mkdir -p /usr/lib/vitrine /run/udev/rules.d
        install -m 755 "$PLAYER" /usr/bin/vitrine
        install -m 755 "$PROJECT/deploy/usb/vitrine-usb-mount" /usr/lib/vitrine/
        for unit in vitrine-usb@.service vitrine-usb.service vitrine-usb.path; do
          cp "$PROJECT/deploy/usb/$unit" /etc/systemd/system/
        done
        # A loop device stands in for a stick; its kind isn't among those that the unit may open.
        mkdir -p /etc/systemd/system/vitrine-usb@.service.d
        printf '[Service]\\nDeviceAllow=block-loop r\\n' > /etc/systemd/system/vitrine-usb@.service.d/test.conf
        echo 'KERNEL=="loop1", ENV{ID_BUS}="usb", ENV{SYSTEMD_READY}="1"' > /run/udev/rules.d/61-test.rules
        cp "$PROJECT/deploy/usb/90-vitrine-usb.rules" /run/udev/rules.d/
        await() { for tenth in $(seq 300); do "$@" && return; sleep 0.1; done; echo "never: $*" >> /run/out/wrong; }
        is_mounted() { grep -q ' /run/vitrine-usb/loop1 ' /proc/mounts; }
        is_free() { ! is_mounted; }
        has_run() { journalctl -u "$1" -o cat | grep -q "$2"; }
        configure ''
        systemctl daemon-reload; udevadm control --reload
        systemctl start vitrine-usb.path
        udevadm trigger --action=add --settle /dev/loop1
        await has_run 'vitrine-usb@loop1.service' "isn.t mounted: .usb. mode is"
        is_free || echo "mounted while off" >> /run/out/wrong
        systemctl show -P Result vitrine-usb@loop1.service > /run/out/result
        configure "$on"
        await is_mounted
        grep ' /run/vitrine-usb/loop1 ' /proc/mounts > /run/out/mount
        # Another user, as the player is.
        setpriv --reuid 65534 --regid 65534 --clear-groups cat /run/vitrine-usb/loop1/vitrine/1 > /run/out/content
        configure ''
        await is_free
        ls /run/vitrine-usb > /run/out/left
        systemctl --failed --no-legend | grep vitrine >> /run/out/wrong
        journalctl -o cat -u 'vitrine-usb*' > /run/out/journal-of-units
        """, isSystemd: true)
    let said = (try? run.text("said")) ?? ""
    let told = (try? run.text("journal-of-units")) ?? ""
    #expect(run.outcome.status == 0, "\(run.outcome) \(said)")
    #expect((try? run.text("wrong")) ?? "" == "", "\(said) \(told)")
    #expect(try run.text("mount").contains("ext4 ro,nosuid,nodev,noexec"), "\(told)")
    #expect(try run.text("content") == "1\n", "\(told)")
    #expect(try run.text("left").isEmpty)
    #expect(try run.text("result") == "exec-condition\n")
  }
}

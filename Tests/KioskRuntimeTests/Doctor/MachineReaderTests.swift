import Foundation
import KioskCore
import KioskTestSupport
import PlaybackCore
import Testing

@testable import KioskRuntime

/// Reads from folders that stand for a machine's /proc, /sys, /etc and /boot.
@Suite("The doctor's facts on a machine")
struct MachineReaderTests {
  private func root(_ files: [String: String]) throws -> (TemporaryDirectory, SystemRoot) {
    let directory = try TemporaryDirectory()
    for (path, text) in files {
      let url = directory.url.appending(path: path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: url, atomically: true, encoding: .utf8)
    }
    return (directory, SystemRoot(directory.url.path))
  }

  @Test("The memory, the limit of the player's control group, and the contiguous memory are read")
  func memory() throws {
    let (directory, root) = try root([
      "proc/meminfo": "MemTotal:        947732 kB\nMemAvailable:    500000 kB\nCmaTotal:         262144 kB\n",
      "sys/fs/cgroup/system.slice/vitrine.service/memory.max": "100000000\n",
    ])
    let memory = MachineReader(root).memory()
    #expect(memory.total == 947_732 * 1024 && memory.available == 500_000 * 1024 && memory.cma == 262_144 * 1024)
    #expect(memory.limit == 100_000_000)
    try "max\n".write(
      toFile: directory.path("sys/fs/cgroup/system.slice/vitrine.service/memory.max"), atomically: true, encoding: .utf8
    )
    try "MemTotal: 1 kB\nCmaTotal: 0 kB\n".write(
      toFile: directory.path("proc/meminfo"), atomically: true, encoding: .utf8)
    #expect(MachineReader(root).memory().limit == nil && MachineReader(root).memory().cma == nil)
  }

  @Test("A PC's graphics chips and installed VA-API drivers are read; other machines have none")
  func graphics() throws {
    let chips = [
      "sys/class/drm/renderD128/device/vendor": "0x8086\n", "sys/class/drm/renderD129/device/vendor": "0x1002\n",
      "sys/class/drm/card0/device/vendor": "0x8086\n", "sys/class/drm/renderD130/device/modalias": "of:Ngpu\n",
    ]
    let drivers = ["iHD_drv_video.so", "radeonsi_drv_video.so", "radeonsi_dri.so"]
    let (directory, pc) = try root(
      chips.merging(drivers.map { ("usr/lib/x86_64-linux-gnu/dri/\($0)", "") }) { first, _ in first })
    #expect(
      MachineReader(pc).renderNodes() == [
        .init(path: "/dev/dri/renderD128", vendor: 0x8086), .init(path: "/dev/dri/renderD129", vendor: 0x1002),
      ])
    #expect(MachineReader(pc).graphicsDrivers() == ["iHD", "radeonsi"])
    let (other, board) = try root(chips)
    #expect(MachineReader(board).renderNodes().isEmpty && MachineReader(board).graphicsDrivers().isEmpty)
    _ = (directory, other)
  }

  @Test("A Raspberry Pi's voltage, throttling and heat are read; without sensors they are nil")
  func power() throws {
    let (directory, root) = try root([
      "sys/devices/platform/soc/soc:firmware/get_throttled": "50005\n", "sys/class/hwmon/hwmon0/name": "cpu_thermal\n",
      "sys/class/hwmon/hwmon1/name": "rpi_volt\n", "sys/class/hwmon/hwmon1/in0_lcrit_alarm": "1\n",
      "sys/class/thermal/thermal_zone0/temp": "48312\n", "sys/class/thermal/thermal_zone1/temp": "61234\n",
    ])
    let power = MachineReader(root).power()
    #expect(power.throttled == 0x50005 && power.isUnderVoltage == true && power.temperature == 61.234)
    try FileManager.default.removeItem(atPath: directory.path("sys"))
    #expect(MachineReader(root).power() == DoctorFacts.Power())
  }

  @Test("An eMMC's wear and written bytes are read; a disk without a wear report has its written bytes alone")
  func disks() throws {
    let (directory, root) = try root([
      "sys/block/mmcblk0/device/life_time": "0x02 0x0b\n", "sys/block/mmcblk0/device/pre_eol_info": "0x02\n",
      "sys/fs/ext4/mmcblk0p2/lifetime_write_kbytes": "1000\n", "sys/fs/ext4/mmcblk0p2/errors_count": "0\n",
      "sys/fs/ext4/mmcblk0p3/lifetime_write_kbytes": "24\n", "sys/fs/ext4/mmcblk0p3/errors_count": "3\n",
      "sys/block/sda/size": "1\n", "sys/fs/ext4/sda1/lifetime_write_kbytes": "7\n",
    ])
    let worn = DoctorFacts.Disk(name: "mmcblk0", lifeUsed: 11, reserve: 2, written: 1024 * 1024, faults: 3)
    let other = DoctorFacts.Disk(name: "sda", written: 7 * 1024)
    #expect(MachineReader(root).disks() == [worn, other])
    _ = directory
  }

  @Test("Boot settings are whole lines of config.txt or words of a command line, also of the running kernel's")
  func boot() throws {
    let (directory, root) = try root([
      "boot/firmware/config.txt": "#disable_splash=1\n  dtoverlay=vc4-kms-v3d,cma-512 \n",
      "boot/cmdline.txt": "console=tty1 quiet\n", "proc/cmdline": "consoleblank=0 root=/dev/x\n",
      "etc/default/raspi-firmware": "CMA=256M\n",
    ])
    let boot = MachineReader(root).boot([
      "config.txt: dtoverlay=vc4-kms-v3d,cma-512", "config.txt: disable_splash=1",
      "cmdline.txt: quiet vt.global_cursor_default=0 consoleblank=0", "/etc/default/raspi-firmware: CMA=256M",
      "kernel command line: quiet",
    ])
    #expect(
      boot.settings.map(\.missing) == [[], ["disable_splash=1"], ["vt.global_cursor_default=0"], [], ["quiet"]])
    #expect(boot.settings[1].file == directory.path("boot/firmware/config.txt"))
    #expect(boot.settings[2].file == directory.path("boot/cmdline.txt") && boot.settings[4].file == nil)
  }

  @Test("A path's mount is the longest one, and the last of two at one place")
  func mounts() {
    let text = """
      /dev/a / ext4 rw,relatime 0 0
      /dev/b /var ext4 ro,relatime,errors=remount-ro 0 0
      tmpfs /var/lib/x\\040y tmpfs rw 0 0
      /dev/c /srv ext4 rw 0 0
      /dev/c /srv ext4 ro 0 0
      """
    func mount(_ path: String) -> String {
      let found = MachineReader.mount(of: path, in: text)
      return "\(found.path) \(found.isReadOnly)"
    }
    #expect(mount("/etc/x") == "/ false")
    #expect(mount("/var/lib/vitrine") == "/var true")
    #expect(mount("/various") == "/ false")
    #expect(mount("/var/lib/x y/z") == "/var/lib/x y false")
    #expect(mount("/srv") == "/srv true")
  }

  @Test(
    "The service's user, its start at boot, its watchdog and the board's are read, including drop-ins")
  func service() throws {
    let (directory, root) = try root([
      "run/systemd/system/x": "", "lib/systemd/system/vitrine.service": "[Service]\nUser=vitrine\nWatchdogSec=6\n",
      "etc/systemd/system/vitrine.service.d/a.conf": "[Service]\nWatchdogSec=0\n", "dev/watchdog0": "",
      "etc/systemd/system.conf": "#RuntimeWatchdogSec=off\n",
      "etc/systemd/system.conf.d/w.conf": "[Manager]\nRuntimeWatchdogSec=15s\n",
    ])
    var found = ServiceReader(root).service()
    #expect(found.unit == "/lib/systemd/system/vitrine.service" && !found.isEnabled && found.watchdog == "0")
    #expect(found.hasHardwareWatchdog && found.hardwareWatchdog == "15s" && found.hasSystemd)
    let wants = directory.path("etc/systemd/system/multi-user.target.wants")
    try FileManager.default.createDirectory(atPath: wants, withIntermediateDirectories: true)
    // A link as systemctl makes it: it leads to a place outside of the test's folder.
    try FileManager.default.createSymbolicLink(
      atPath: "\(wants)/vitrine.service", withDestinationPath: "/lib/systemd/system/vitrine.service")
    found = ServiceReader(root).service()
    #expect(found.isEnabled)
    let (_, none) = try self.root([:])
    #expect(ServiceReader(none).service() == DoctorFacts.Service())
  }

  @Test("For root, the user is the service's, with the groups of the system and of the unit")
  func user() throws {
    guard geteuid() == 0 else { return }
    let (directory, root) = try root([
      "lib/systemd/system/vitrine.service": "[Service]\nUser=kiosk\nSupplementaryGroups=video\n",
      "etc/passwd": "root:x:0:0::/:/bin/sh\nkiosk:x:990:990::/:/bin/false\n",
      "etc/group": "root:x:0:\nvideo:x:44:\nrender:x:105:\ninput:x:106:kiosk,other\nkiosk:x:990:\n",
      "dev/dri/card0": "",
      "dev/dri/renderD128": "", "dev/dri/by-path": "", "dev/input/event3": "", "dev/null-device": "",
    ])
    for (name, group) in [("dri/card0", 44), ("dri/renderD128", 105), ("input/event3", 106)] {
      #expect(chown(directory.path("dev/\(name)"), 0, gid_t(group)) == 0)
      #expect(chmod(directory.path("dev/\(name)"), 0o660) == 0)
    }
    let (user, mayOpen) = ServiceReader(root).user()
    #expect(user.name == "kiosk" && user.groups == ["input", "kiosk", "video"] && !user.isRoot)
    let devices = ServiceReader(root).devices(mayOpen: mayOpen)
    let found: [String] = devices.map { device in
      "\(device.path.split(separator: "/").last ?? "") \(device.group) \(device.mayOpen)"
    }
    #expect(found == ["card0 video true", "renderD128 render false", "event3 input true"])
  }

  @Test("Each server of films is tried once; with a proxy only the proxy")
  func origins() {
    let items = ["https://a.example/x.mp4", "https://a.example/y.mp4", "http://b.example:8080/z.m3u8", "/film.mp4"].map
    {
      MediaItem(uri: $0, kind: .file)
    }
    var access = ServerAccess()
    #expect(NetworkReader.origins(of: items, access).map(\.host) == ["a.example", "b.example"])
    let feed = "https://feeds.example/a"
    #expect(NetworkReader.origins(of: items, feed: feed, access).first?.host == "feeds.example")
    access.proxy = "http://proxy.lan:3128"
    #expect(NetworkReader.origins(of: items, access).map(\.port) == [3128])
    #expect(NetworkReader.origins(of: [items[3]], access).isEmpty)
  }
}

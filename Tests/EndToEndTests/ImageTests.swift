import Foundation
import KioskTestSupport
import Testing

/// The texts and scripts that bootable images are made of. `make test-image` shows that an image starts and plays, also
/// after power cuts.
@Suite("Bootable images")
struct ImageTests {
  private static let folder = Tool.root.appending(path: "deploy/image")
  private static let root = folder.appending(path: "files/common/root")

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appending(path: path), encoding: .utf8)
  }

  // MARK: Partitions

  private func layout(_ arguments: [String]) async throws -> Tool.Outcome {
    try await Tool.run(Self.folder.appending(path: "layout").path, arguments)
  }

  private struct Partition: Equatable {
    var number, start, size: Int
    var end: Int { start + size }
  }

  /// The lines "N : start=..., size=..., ..." of a table.
  private func partitions(_ table: String) -> [Partition] {
    table.split(separator: "\n").compactMap { line in
      guard let match = line.wholeMatch(of: /(\d) : start=(\d+), size=(\d+),.*/) else { return nil }
      guard let number = Int(match.1), let start = Int(match.2), let size = Int(match.3) else { return nil }
      return Partition(number: number, start: start, size: size)
    }
  }

  @Test(
    "Partitions start on erase blocks, don't overlap, and leave room for a second root and data",
    arguments: [(768, 1024), (601, 513), (1, 64), (8192, 16384)])
  func partitionTable(root: Int, boot: Int) async throws {
    let sizes = ["--root", "\(root)", "--boot", "\(boot)", "--id", "0badcafe"]
    let outcome = try await layout(sizes)
    try #require(outcome.status == 0, "\(outcome.errors)")
    let table = partitions(outcome.output)
    try #require(table.map(\.number) == [1, 2, 3])
    let mebibyte = 2048
    #expect(table.allSatisfy { $0.start % (4 * mebibyte) == 0 && $0.start > 0 })
    #expect(table[0].size >= boot * mebibyte)
    #expect(table[1].size >= root * mebibyte && table[1].size < (root + 4) * mebibyte)
    #expect(table[2].size == table[1].size)
    // On the disk: root, boot, second root, data.
    #expect(table[1].end == table[0].start)
    #expect(table[0].end == table[2].start)
    let data = try await layout(sizes + ["--value", "data-start"])
    #expect(Int(data.output.trimmingCharacters(in: .whitespacesAndNewlines)) == table[2].end)
  }

  @Test(
    "The layout of partitions refuses bad sizes and ids",
    arguments: [
      ["--root", "0", "--boot", "256", "--id", "0badcafe"], ["--root", "768", "--boot", "32", "--id", "0badcafe"],
      ["--root", "768", "--boot", "256", "--id", "cafe"], ["--root", "7x", "--boot", "256", "--id", "0badcafe"],
      ["--root", "768", "--boot", "1048577", "--id", "0badcafe"],
    ])
  func noTable(arguments: [String]) async throws {
    #expect(try await layout(arguments).status == 64)
  }

  // MARK: What the owner writes

  @Test("The boot partition's configuration has no errors; a broken one is reported with file and line")
  func configuration() async throws {
    let boot = try TemporaryDirectory()
    let media = boot.url.appending(path: "media")
    try FileManager.default.createDirectory(at: media, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: try await Media.path("h264-640x360-30-2s.mp4"), toPath: media.appending(path: "film.mp4").path)
    // With Windows line ends, as on the card.
    let text = try Self.text("files/common/boot/vitrine.toml").replacing("\n", with: "\r\n")
    let file = try boot.write(text, as: "vitrine.toml")
    let good = try await Tool.run(Player.path, ["check", "--config", file])
    #expect(good.status == 0, "\(good.output)\(good.errors)")

    let line = text.split(separator: "\r\n", omittingEmptySubsequences: false).firstIndex { $0.hasPrefix("picture_d") }
    _ = try boot.write(text.replacing("picture_duration = 8", with: "picture_duration = eight"), as: "vitrine.toml")
    let broken = try await Tool.run(Player.path, ["check", "--config", file])
    #expect(broken.status == 78)
    #expect((broken.output + broken.errors).contains("vitrine.toml:\(try #require(line) + 1):"), "\(broken.errors)")
  }

  /// Runs the settings script on a root with the owner's `files` on the boot partition.
  private func settings(_ files: [String: String]) async throws -> (root: TemporaryDirectory, said: String) {
    let root = try TemporaryDirectory()
    for folder in ["boot/firmware", "etc", "run", "data", "root"] {
      try FileManager.default.createDirectory(
        at: root.url.appending(path: folder), withIntermediateDirectories: true)
    }
    _ = try root.write("0123456789abcdef0123456789abcdef\n", as: "etc/machine-id")
    for (name, text) in files { _ = try root.write(text, as: "boot/firmware/\(name)") }
    var said = ""
    // Runs it twice, as two starts: the second one changes nothing.
    for _ in 0..<2 {
      let outcome = try await Tool.run(
        Self.root.appending(path: "usr/lib/vitrine-image/settings").path, [],
        environment: ["VITRINE_ROOT": root.url.path])
      #expect(outcome.status == 0, "\(outcome.errors)")
      said = outcome.output + outcome.errors
    }
    return (root, said)
  }

  private func read(_ path: String, in root: TemporaryDirectory) -> String? {
    try? String(contentsOf: root.url.appending(path: path), encoding: .utf8)
  }

  @Test("Without the owner's files the board has a generated name, no ssh server, and no Wi-Fi")
  func nothing() async throws {
    let (root, said) = try await settings([:])
    #expect(read("etc/hostname", in: root) == "vitrine-012345\n")
    #expect(read("run/vitrine-image/ssh", in: root) == nil)
    #expect(read("run/vitrine-image/wpa_supplicant.conf", in: root) == nil)
    #expect(said == "")
  }

  @Test("Name, key and Wi-Fi are read as Notepad writes them")
  func owner() async throws {
    let keys = try TemporaryDirectory()
    let made = try await Tool.run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", keys.path("key")])
    try #require(made.status == 0, "\(made.errors)")
    let key = try String(contentsOfFile: keys.path("key.pub"), encoding: .utf8)
    let (root, said) = try await settings([
      "hostname.txt": "\u{FEFF}shop-12\r\n",
      "authorized_keys": "\u{FEFF}" + key.replacing("\n", with: "\r\n"),
      "wifi.txt": "\u{FEFF}network = Caf\u{E9} \"1\"\r\npassword = it's a #\"secret\"\r\ncountry=DE\r\n",
    ])
    #expect(said == "")
    #expect(read("etc/hostname", in: root) == "shop-12\n")
    #expect(read("etc/hosts", in: root)?.contains("127.0.1.1 shop-12\n") == true)
    #expect(read("root/.ssh/authorized_keys", in: root) == key)
    #expect(read("run/vitrine-image/ssh", in: root) == "")
    #expect(read("data/system/ssh/ssh_host_ed25519_key.pub", in: root)?.hasPrefix("ssh-ed25519 ") == true)
    let wifi = try #require(read("run/vitrine-image/wpa_supplicant.conf", in: root))
    #expect(wifi.contains("    ssid=436166c3a920223122\n"))
    #expect(wifi.contains("    psk=\"it's a #\"secret\"\"\n"))
    #expect(wifi.contains("country=DE\n"))
    let mode = try FileManager.default.attributesOfItem(
      atPath: root.path("run/vitrine-image/wpa_supplicant.conf"))[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test("The board's host key stays, unless it is damaged")
  func hostKey() async throws {
    let keys = try TemporaryDirectory()
    _ = try await Tool.run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", keys.path("key")])
    let key = try String(contentsOfFile: keys.path("key.pub"), encoding: .utf8)
    let (root, _) = try await settings(["authorized_keys": key])
    let file = "data/system/ssh/ssh_host_ed25519_key"
    let first = try #require(read(file, in: root))
    let script = Self.root.appending(path: "usr/lib/vitrine-image/settings").path
    _ = try await Tool.run(script, [], environment: ["VITRINE_ROOT": root.url.path])
    #expect(read(file, in: root) == first)
    // An empty file, as a power cut could leave it.
    _ = try root.write("", as: file)
    _ = try root.write(String(first.prefix(40)), as: file + ".new")
    _ = try await Tool.run(script, [], environment: ["VITRINE_ROOT": root.url.path])
    let second = try #require(read(file, in: root))
    #expect(second != first && second.hasPrefix("-----BEGIN OPENSSH PRIVATE KEY-----"))
  }

  @Test("A boot setting that can't be understood is reported and left out")
  func misunderstood() async throws {
    let (root, said) = try await settings([
      "hostname.txt": "shop 12; reboot", "authorized_keys": "my key",
      "wifi.txt": "network=a\npassword=short\ncountry=DE\n",
    ])
    #expect(said.contains("hostname.txt: 'shop12;reboot' isn't a valid host name"))
    #expect(said.contains("authorized_keys: it has no key"))
    #expect(said.contains("wifi.txt: a password has 8 to 63 characters"))
    #expect(read("etc/hostname", in: root) == "vitrine-012345\n")
    #expect(read("run/vitrine-image/ssh", in: root) == nil)
    #expect(read("run/vitrine-image/wpa_supplicant.conf", in: root) == nil)
  }

  // MARK: Scripts, units, fragments

  @Test("The initrd's program is a script that any shell reads")
  func initrd() async throws {
    let outcome = try await Tool.run("shellcheck", ["-s", "dash", Self.folder.appending(path: "initrd/init").path])
    #expect(outcome.status == 0, "\(outcome.output)")
  }

  @Test("The initrd has the named drivers and their dependencies, and a missing one fails the build")
  func drivers() async throws {
    let kernel = try TemporaryDirectory()
    let base = "lib/modules/6.0-test"
    let drivers = "\(base)/kernel/drivers"
    for folder in [drivers, "bin"] {
      try FileManager.default.createDirectory(at: kernel.url.appending(path: folder), withIntermediateDirectories: true)
    }
    for name in ["disk-core", "disk", "screen", "other"] { _ = try kernel.write(name, as: "\(drivers)/\(name).ko") }
    _ = try kernel.write(
      """
      kernel/drivers/disk-core.ko:
      kernel/drivers/disk.ko: kernel/drivers/disk-core.ko
      kernel/drivers/screen.ko:
      kernel/drivers/other.ko:

      """, as: "\(base)/modules.dep")
    _ = try kernel.write("kernel/fs/built_in.ko\n", as: "\(base)/modules.builtin")
    _ = try kernel.write("softdep disk pre: screen\n", as: "\(base)/modules.softdep")
    _ = try kernel.write("alias pci:v1 disk\nalias pci:v2 other\n", as: "\(base)/modules.alias")
    let busybox = try kernel.write("busybox", as: "bin/busybox")
    func make(_ names: [String], as file: String) async throws -> Tool.Outcome {
      try await Tool.run(
        Self.folder.appending(path: "initrd/make").path,
        ["--kernel-root", kernel.url.path, "--busybox", busybox, "--out", kernel.path(file)] + names)
    }
    let first = try await make(["disk", "built-in"], as: "first")
    try #require(first.status == 0, "\(first.errors)")
    _ = try await make(["disk", "built-in"], as: "second")
    #expect(
      try Data(contentsOf: kernel.url.appending(path: "first"))
        == Data(contentsOf: kernel.url.appending(path: "second")))
    let listed = try await Tool.run("bash", ["-c", "zstd -dcq \(kernel.path("first")) | tr -c '[:print:]' '\\n'"])
    for name in ["disk-core.ko", "disk.ko", "screen.ko", "alias pci:v1 disk"] { #expect(listed.output.contains(name)) }
    #expect(!listed.output.contains("other"))
    let missing = try await make(["disk", "absent"], as: "third")
    #expect(missing.status != 0 && missing.errors.contains("no driver absent"))
  }

  @Test("systemd-analyze verify accepts the units of the image")
  func units() async throws {
    let units = try TemporaryDirectory()
    let folder = Self.root.appending(path: "usr/lib/systemd/system")
    let programs = Self.root.appending(path: "usr/lib/vitrine-image").path
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".service") }
    #expect(names.count == 4)
    for name in names {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        .replacing("/usr/lib/vitrine-image", with: programs)
        // wpa_supplicant may not be installed here.
        .replacing("/usr/sbin/wpa_supplicant", with: "/bin/true")
      _ = try units.write(text, as: name)
    }
    for name in names {
      let outcome = try await Tool.run("systemd-analyze", ["verify", "--man=no", units.path(name)])
      let lines = (outcome.output + outcome.errors).split(separator: "\n").filter { $0.contains("vitrine-image") }
      #expect(lines.isEmpty, "\(lines)")
    }
  }

  @Test(
    "Each line of the kernel's command line and boot settings has its reason above it",
    arguments: [
      "cmdline.txt", "files/raspberrypi/boot/config.txt", "raspberrypi-os/config.txt", "raspberrypi-os/cmdline.txt",
      "leave-out.conf",
    ])
  func reasons(path: String) throws {
    var explained = false
    for line in try Self.text(path).split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("#") { explained = true }
      if line.isEmpty { explained = false }
      if !line.isEmpty && !line.hasPrefix("#") && !line.hasPrefix("[") { #expect(explained, "\(path): \(line)") }
    }
  }

  @Test("The settings are added once to a Raspberry Pi OS card, however often the script runs")
  func raspberryPiOS() async throws {
    let card = try TemporaryDirectory()
    _ = try card.write(
      "# theirs\ndtoverlay=vc4-kms-v3d\narm_boost=1\n[cm4]\notg_mode=1\n[all]\ngpu_mem=64", as: "config.txt")
    _ = try card.write(
      "console=serial0,115200 console=tty1 root=PARTUUID=12345678-02 rootwait quiet splash\n", as: "cmdline.txt")
    let tree = try TemporaryDirectory()
    try FileManager.default.createDirectory(at: tree.url.appending(path: "DEBIAN"), withIntermediateDirectories: true)
    _ = try tree.write(
      "Package: vitrine\nVersion: 1\nArchitecture: arm64\nMaintainer: a <a@localhost>\nDescription: a\n",
      as: "DEBIAN/control")
    let package = card.path("vitrine_1_arm64.deb")
    let built = try await Tool.run("dpkg-deb", ["-Znone", "-b", tree.url.path, package])
    try #require(built.status == 0, "\(built.errors)")
    let script = Self.folder.appending(path: "raspberrypi-os/prepare").path
    var configuration = "", words: [Substring] = []
    for _ in 0..<2 {
      let outcome = try await Tool.run(script, [card.url.path, package])
      try #require(outcome.status == 0, "\(outcome.errors)")
      configuration = try String(contentsOfFile: card.path("config.txt"), encoding: .utf8)
      words = try String(contentsOfFile: card.path("cmdline.txt"), encoding: .utf8)
        .trimmingCharacters(in: .newlines).split(separator: " ")
    }
    #expect(configuration.hasPrefix("# theirs\n#dtoverlay=vc4-kms-v3d\narm_boost=1\n"))
    #expect(configuration.contains("\ngpu_mem=64\n# vitrine: begin\n"), "it had no newline at its end")
    // The overlay is named once for each model and not for all, so that no board has two.
    #expect(configuration.matches(of: /(?m)^\[pi[0-9]+\]\ndtoverlay=vc4-kms-v3d,/).count == 5)
    #expect(configuration.matches(of: /(?m)^dtoverlay=/).count == 5)
    #expect(words.contains("root=PARTUUID=12345678-02") && words.contains("rootwait"))
    #expect(!words.contains("console=tty1") && !words.contains("splash"))
    #expect(Set(words).count == words.count)
    #expect(words.contains("systemd.run=/boot/firmware/vitrine/first-start"))
    #expect(FileManager.default.fileExists(atPath: card.path("vitrine/vitrine_1_arm64.deb")))
    // A folder that isn't a card is refused.
    let other = try await Tool.run(script, [tree.url.path, package])
    #expect(other.status == 1 && other.errors.contains("config.txt"))
  }
}

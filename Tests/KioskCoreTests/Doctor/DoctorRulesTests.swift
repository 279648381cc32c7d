import KioskCore
import Testing

@Suite("The doctor's rules")
struct DoctorRulesTests {
  /// The facts of a board without any fault.
  static var healthy: DoctorFacts {
    var facts = DoctorFacts()
    facts.board.kernel = "6.12.47+rpt-rpi-v8"
    facts.board.gstreamer = "1.26.2"
    facts.board.name = "Raspberry Pi 4 Model B Rev 1.4"
    facts.board.profiles = ["raspberry-pi-4"]
    facts.user.name = "vitrine"
    facts.configuration.path = "/etc/vitrine/vitrine.toml"
    facts.configuration.items = 3
    var card = DoctorFacts.Screen.Card()
    (card.path, card.driver, card.state) = ("/dev/dri/card1", "vc4-drm", "free")
    var connector = DoctorFacts.Screen.Connector()
    (connector.name, connector.isConnected, connector.modes) = (
      "HDMI-A-1", true, ["1920x1080@60.00", "1280x720@60.00"]
    )
    var plane = DoctorFacts.Screen.Plane()
    (plane.type, plane.role, plane.formats) = ("overlay", "video", ["NV12", "XR24"])
    (card.connectors, card.planes) = ([connector], [plane])
    facts.screen.cards = [card]
    var outlook = DoctorFacts.Screen.Outlook()
    outlook.choice = "/dev/dri/card1 HDMI-A-1 1920x1080@60.00"
    facts.screen.outlooks = [outlook]
    facts.decoding.codecs = [
      .init(name: "h264", title: "H.264", decoder: "v4l2h264dec", isHardware: true, items: 3),
      .init(name: "h265", title: "H.265", decoder: "v4l2slh265dec", isHardware: true),
    ]
    facts.memory.total = 4_000_000_000
    facts.memory.cma = 512_000_000
    facts.inputs = [.init(name: "FT5406", isTouch: true)]
    facts.sounds = ["alsa:hdmi:CARD=vc4hdmi0,DEV=0"]
    facts.network.links = [.init(name: "eth0", addresses: ["192.168.1.7"])]
    facts.network.hasRoute = true
    facts.network.nameServers = ["192.168.1.1"]
    facts.network.isNeeded = true
    facts.network.servers = [.init(origin: "https://films.example", outcome: .reached)]
    facts.clock.now = 1_800_000_000
    facts.clock.isSynchronised = true
    facts.folders = [.init(path: "/var/lib/vitrine", purpose: "state")]
    facts.folders[0].freeBytes = 9_000_000_000
    facts.disks = [.init(name: "mmcblk0", lifeUsed: 2, reserve: 1, written: 300_000_000_000)]
    facts.power.throttled = 0
    facts.power.temperature = 55
    facts.boot.settings = [
      .init(text: "config.txt: disable_splash=1", file: "/boot/firmware/config.txt", missing: [])
    ]
    facts.service.hasSystemd = true
    facts.service.unit = "/lib/systemd/system/vitrine.service"
    facts.service.isEnabled = true
    facts.service.isActive = true
    facts.service.watchdog = "6"
    facts.service.hasHardwareWatchdog = true
    facts.service.hardwareWatchdog = "15s"
    facts.control = .answers(path: "/run/vitrine/control", state: "healthy")
    facts.devices = [.init(path: "/dev/dri/card1", group: "video", mayOpen: true)]
    return facts
  }

  @Test("On a healthy board every line is ok and has no remedy")
  func well() {
    let checkup = Checkup(Self.healthy)
    #expect(checkup.verdict == .ok, "\(checkup.text)")
    #expect(checkup.lines.allSatisfy { $0.remedy.isEmpty && $0.command.isEmpty && !$0.finding.isEmpty })
    #expect(Set(checkup.lines.map(\.group)).count == Checkup.Group.allCases.count - 1)
  }

  @Test("Folders that a stopped service creates at its start aren't reported as missing")
  func foldersOfStoppedService() {
    var facts = Self.healthy
    facts.service.isActive = false
    facts.service.folders = ["/var/lib/vitrine", "/run/vitrine"]
    facts.folders = [
      .init(path: "/var/lib/vitrine", purpose: "state"), .init(path: "/run/vitrine", purpose: "runtime"),
    ]
    for index in facts.folders.indices { facts.folders[index].isThere = false }
    let checkup = Checkup(facts)
    for topic in ["state", "runtime"] {
      #expect(
        checkup.lines.filter { $0.topic == topic }.map { "\($0.verdict) \($0.command)" } == ["ok "], "\(checkup.text)")
    }
    // A folder that no unit names has to be made by hand.
    facts.service.folders = []
    #expect(Checkup(facts).lines.contains { $0.command == "mkdir -p /run/vitrine" })
  }

  @Test("A paused player is reported as paused, with the command that resumes it")
  func paused() {
    var facts = Self.healthy
    facts.control = .answers(path: "/run/vitrine/control", state: "paused")
    let line = Checkup(facts).lines.first { $0.topic == "player" }
    #expect(line?.verdict == .warning && line?.command == "vitrine ctl play", "\(line as Any)")
  }

  @Test("A screen that is switched off is reported as switched off")
  func asleep() {
    var facts = Self.healthy
    facts.control = .answers(path: "/run/vitrine/control", state: "asleep")
    let line = Checkup(facts).lines.first { $0.topic == "player" }
    #expect(line?.verdict == .ok && line?.finding.contains("the screen is switched off") == true, "\(line as Any)")
  }

  /// A single fault, and the line that has to report it.
  struct Case: Sendable, CustomTestStringConvertible {
    var topic: String
    var verdict: Checkup.Verdict
    var says: String
    var remedy: String
    var command = ""
    var breaks: @Sendable (inout DoctorFacts) -> Void
    var testDescription: String { "\(topic): \(says)" }
  }

  static let cases: [Case] = [
    Case(topic: "card", verdict: .problem, says: "no graphics card", remedy: "KMS driver") { $0.screen.cards = [] },
    Case(topic: "card", verdict: .warning, says: "/dev/dri/card1: refused", remedy: "permissions") {
      $0.screen.cards[0].state = "closed to us"
      $0.screen.cards[0].problem = "refused"
    },
    Case(
      topic: "screen", verdict: .problem, says: "drives the screen", remedy: "stop Xorg", command: "systemctl status 77"
    ) {
      $0.screen.cards[0].holders = ["Xorg (pid 77)"]
      $0.screen.outlooks[0].problem = .init(
        number: 5002, message: "another program drives the screen", remedy: "stop it")
    },
    Case(topic: "connector", verdict: .problem, says: "HDMI-A-9", remedy: "display.connector = \"HDMI-A-1\"") {
      $0.screen.outlooks[0].connector = "HDMI-A-9"
      $0.screen.outlooks[0].problem = .init(number: 5005, message: "no connector of this name", remedy: "")
    },
    Case(topic: "connector", verdict: .problem, says: "wall: HDMI-A-9: no connector", remedy: "in its [[screen]]") {
      $0.screen.outlooks[0].name = "window"
      var other = DoctorFacts.Screen.Outlook()
      (other.name, other.connector) = ("wall", "HDMI-A-9")
      other.problem = .init(number: 5005, message: "no connector of this name", remedy: "")
      $0.screen.outlooks.append(other)
    },
    Case(topic: "mode", verdict: .warning, says: "no mode 1024x768", remedy: "auto, 1280x720, 1920x1080") {
      $0.wishes.mode = "1024x768"
    },
    Case(topic: "plane", verdict: .warning, says: "no YUV", remedy: "size of the screen") {
      $0.screen.cards[0].planes[0].formats = ["XR24"]
    },
    Case(topic: "output", verdict: .problem, says: "no Wayland compositor", remedy: "start it") {
      $0.wishes.output = "wayland"
    },
    Case(
      topic: "permissions", verdict: .problem, says: "vitrine may not open /dev/dri/card1", remedy: "group video",
      command: "usermod -aG video vitrine"
    ) { $0.devices[0].mayOpen = false },
    Case(
      topic: "plugins", verdict: .problem, says: "lacks h264parse, kmssink", remedy: "gstreamer1.0-plugins-bad",
      command: "apt install gstreamer1.0-plugins-bad"
    ) { $0.decoding.missingElements = ["kmssink", "h264parse"] },
    Case(
      topic: "h264", verdict: .problem, says: "nothing decodes H.264, and 3 of what plays are in it", remedy: "convert",
      command: "apt install gstreamer1.0-libav"
    ) { $0.decoding.codecs[0].decoder = nil },
    Case(topic: "item", verdict: .problem, says: "a.mp4: it is damaged", remedy: "copy it again") {
      $0.decoding.unplayable = [.init(name: "a.mp4", message: "it is damaged", remedy: "copy it again")]
    },
    Case(
      topic: "item", verdict: .problem, says: "no decoder", remedy: "the plugin for it",
      command: "apt install gstreamer1.0-libav"
    ) {
      $0.decoding.codecs[1].decoder = nil
      $0.decoding.unplayable = [
        .init(name: "a.mp4", message: "no decoder", remedy: "install the plugin for it", lacksDecoder: true)
      ]
    },
    Case(topic: "avoided", verdict: .warning, says: "v4l2h264dec isn't used", remedy: "tried again") {
      $0.decoding.remembered = ["v4l2h264dec"]
    },
    Case(topic: "gstreamer", verdict: .warning, says: "frame 1,000,000", remedy: "1.22.7") {
      $0.board.gstreamer = "1.22.6"
    },
    Case(topic: "memory", verdict: .problem, says: "100 MB", remedy: "MemoryMax") { $0.memory.limit = 100_000_000 },
    Case(topic: "memory", verdict: .warning, says: "380 MB", remedy: "smaller films") { $0.memory.total = 380_000_000 },
    Case(topic: "cma", verdict: .problem, says: "16 MB", remedy: "at boot") { $0.memory.cma = 16_000_000 },
    Case(topic: "cma", verdict: .warning, says: "100 MB", remedy: "at boot") { $0.memory.cma = 100_000_000 },
    Case(
      topic: "boot", verdict: .warning, says: "lacks disable_splash=1", remedy: "reboot",
      command: "printf '\\n[all]\\ndisable_splash=1\\n' >> /boot/firmware/config.txt"
    ) { $0.boot.settings[0].missing = ["disable_splash=1"] },
    Case(topic: "touch", verdict: .problem, says: "there is no touchscreen", remedy: "plug") {
      $0.wishes.hasVisitors = true
      $0.inputs = []
    },
    Case(topic: "device", verdict: .problem, says: "called Elo", remedy: "FT5406") { $0.wishes.inputDevices = ["Elo"] },
    Case(topic: "sound", verdict: .warning, says: "no sound card", remedy: "audio.enabled") { $0.sounds = [] },
    Case(topic: "sound", verdict: .problem, says: "alsa:hw:9", remedy: "vc4hdmi0") {
      $0.wishes.soundDevice = "alsa:hw:9"
    },
    Case(
      topic: "configuration", verdict: .problem, says: "no configuration", remedy: "write one",
      command: "vitrine config schema > /etc/vitrine/vitrine.toml"
    ) { $0.configuration.isMissing = true },
    Case(topic: "configuration", verdict: .problem, says: "line 3", remedy: "mend") {
      $0.configuration.errors = ["line 3 is wrong"]
    },
    Case(topic: "configuration", verdict: .warning, says: "lists nothing", remedy: "list something") {
      $0.configuration.items = 0
    },
    Case(
      topic: "fonts", verdict: .warning, says: "no font has 大広間 of 2 titles", remedy: "install fonts-noto-cjk",
      command: "apt install fonts-noto-cjk"
    ) { $0.configuration.fontGaps = [.init(package: "fonts-noto-cjk", letters: "大広間", titles: 2)] },
    Case(topic: "network", verdict: .problem, says: "no network is up", remedy: "cable") {
      $0.network.links = []
      $0.network.servers[0].outcome = .nameUnknown
    },
    Case(topic: "route", verdict: .problem, says: "no route out", remedy: "ip route add") {
      $0.network.hasRoute = false
      $0.network.servers[0].outcome = .refused
    },
    Case(topic: "dns", verdict: .problem, says: "names no DNS server", remedy: "nameserver") {
      $0.network.nameServers = []
      $0.network.servers[0].outcome = .nameUnknown
    },
    Case(topic: "server", verdict: .problem, says: "can't be looked up", remedy: "/etc/hosts") {
      $0.network.servers[0].outcome = .nameUnknown
    },
    Case(topic: "server", verdict: .problem, says: "can't be reached", remedy: "the server runs") {
      $0.network.servers[0].outcome = .refused
    },
    Case(topic: "server", verdict: .problem, says: "isn't trusted", remedy: "network.ca_file") {
      $0.network.servers[0].outcome = .untrusted
    },
    Case(topic: "server", verdict: .problem, says: "isn't valid", remedy: "set the clock") {
      $0.network.servers[0].outcome = .wrongTime
    },
    Case(topic: "clock", verdict: .warning, says: "nothing keeps", remedy: "timesyncd") {
      $0.clock.isSynchronised = false
    },
    Case(topic: "clock", verdict: .problem, says: "before 2026", remedy: "battery") { $0.clock.now = 5 },
    Case(
      topic: "state", verdict: .problem, says: "mounted read-only", remedy: "worn",
      command: "mount -o remount,rw /"
    ) { $0.folders[0].isReadOnly = true },
    Case(topic: "state", verdict: .problem, says: "is full: 1 MB", remedy: "remove") {
      $0.folders[0].freeBytes = 1_000_000
    },
    Case(topic: "state", verdict: .warning, says: "90 MB", remedy: "remove") { $0.folders[0].freeBytes = 90_000_000 },
    Case(topic: "mmcblk0", verdict: .problem, says: "worn out", remedy: "replace") { $0.disks[0].lifeUsed = 11 },
    Case(topic: "mmcblk0", verdict: .warning, says: "70 to 80 %", remedy: "plan") { $0.disks[0].lifeUsed = 8 },
    Case(topic: "mmcblk0", verdict: .problem, says: "2 faults", remedy: "replace") { $0.disks[0].faults = 2 },
    Case(topic: "voltage", verdict: .problem, says: "now", remedy: "power supply") { $0.power.throttled = 0x10001 },
    Case(topic: "voltage", verdict: .warning, says: "since the start", remedy: "reboot") {
      $0.power.throttled = 0x10000
    },
    Case(topic: "voltage", verdict: .problem, says: "now", remedy: "power supply") { $0.power.isUnderVoltage = true },
    Case(topic: "heat", verdict: .problem, says: "slowed down now", remedy: "fan") { $0.power.throttled = 4 },
    Case(topic: "heat", verdict: .warning, says: "since the start", remedy: "fan") { $0.power.throttled = 0x40000 },
    Case(topic: "heat", verdict: .warning, says: "84 degrees", remedy: "fan") { $0.power.temperature = 84 },
    Case(
      topic: "service", verdict: .problem, says: "isn't enabled", remedy: "enable",
      command: "systemctl enable --now vitrine.service"
    ) { $0.service.isEnabled = false },
    Case(
      topic: "service", verdict: .problem, says: "is stopped: nothing plays", remedy: "start it",
      command: "systemctl start vitrine.service"
    ) { $0.service.isActive = false },
    Case(
      topic: "service", verdict: .problem, says: "is stopped now, too", remedy: "enable",
      command: "systemctl enable --now vitrine.service"
    ) { ($0.service.isEnabled, $0.service.isActive) = (false, false) },
    Case(
      topic: "service", verdict: .problem, says: "is masked", remedy: "unmask it",
      command: "systemctl unmask vitrine.service && systemctl enable --now vitrine.service"
    ) { ($0.service.isEnabled, $0.service.isActive, $0.service.isMasked) = (false, false, true) },
    Case(
      topic: "state", verdict: .warning, says: "it was removed", remedy: "start the service again",
      command: "systemctl restart vitrine.service"
    ) {
      $0.service.folders = ["/var/lib/vitrine"]
      $0.folders[0].isThere = false
    },
    Case(topic: "service", verdict: .warning, says: "no vitrine.service", remedy: "install") { $0.service.unit = nil },
    Case(topic: "watchdog", verdict: .warning, says: "isn't noticed", remedy: "set one") { $0.service.watchdog = nil },
    Case(topic: "watchdog", verdict: .warning, says: "isn't noticed", remedy: "set one") { $0.service.watchdog = "0" },
    Case(topic: "reboot", verdict: .warning, says: "isn't restarted", remedy: "systemd") {
      $0.service.hardwareWatchdog = nil
    },
    Case(
      topic: "player", verdict: .problem, says: "no player answers", remedy: "start",
      command: "systemctl restart vitrine.service"
    ) { $0.control = .dead(path: "/run/vitrine/control", error: "refused") },
    Case(
      topic: "player", verdict: .problem, says: "shows nothing", remedy: "see", command: "vitrine ctl status"
    ) {
      $0.control = .answers(path: "/run/vitrine/control", state: "trouble")
    },
  ]

  @Test("Each fault causes its line with a remedy; all other lines stay as they were", arguments: cases)
  func broken(_ example: Case) throws {
    var facts = Self.healthy
    example.breaks(&facts)
    let checkup = Checkup(facts)
    let line = try #require(
      checkup.lines.first { $0.topic == example.topic && $0.verdict == example.verdict }, "\(checkup.text)")
    #expect(line.finding.contains(example.says), "\(line)")
    #expect(line.remedy.contains(example.remedy), "\(line)")
    if !example.command.isEmpty { #expect(line.command == example.command) }
    #expect(checkup.verdict == example.verdict)
    let others = checkup.lines.filter { $0.verdict != .ok && $0.topic != example.topic }
    // Without a name server or a route, a server can't be found either.
    #expect(
      others.isEmpty || (["dns", "route"].contains(example.topic) && others.map(\.topic) == ["server"]), "\(others)")
  }

  @Test("Without requirements in the configuration, nothing is reported as missing")
  func modest() {
    var facts = Self.healthy
    facts.wishes.output = "headless"
    facts.wishes.hasSound = false
    facts.screen.cards = []
    facts.sounds = []
    facts.inputs = []
    facts.network.isNeeded = false
    facts.network.links = []
    facts.network.servers = []
    facts.decoding.codecs[1].decoder = nil
    facts.control = .none(path: "/run/vitrine/control")
    #expect(Checkup(facts).verdict == .ok, "\(Checkup(facts).text)")
  }

  @Test(
    "Only GStreamer 1.22.0 to 1.22.6 with stateless decoders has the fault",
    arguments: [
      ("1.22.0", true), ("1.22.6", true), ("1.22.7", false), ("1.26.2", false),
    ])
  func fault(version: String, isFaulty: Bool) {
    var facts = Self.healthy
    facts.board.gstreamer = version
    #expect(Checkup(facts).lines.contains { $0.topic == "gstreamer" && $0.verdict == .warning } == isFaulty)
    facts.decoding.codecs[1].decoder = "avdec_h265"
    #expect(!Checkup(facts).lines.contains { $0.topic == "gstreamer" && $0.verdict == .warning })
  }

  @Test("A path with blanks and quotes is quoted as one word for a shell")
  func quoting() {
    var facts = Self.healthy
    facts.configuration.path = "/a b/it's.toml"
    facts.configuration.errors = ["wrong"]
    #expect(Checkup(facts).lines.contains { $0.command == "vitrine check '/a b/it'\\''s.toml'" })
  }

  @Test(
    "The program that holds the card is never killed: the remedy names it, and the command only shows it",
    arguments: [
      ("Xorg (pid 77)", "systemctl stop UNIT", "systemctl status 77"),
      ("odd (pid 1) (pid 78)", "stop odd (pid 1):", "systemctl status 78"),
      ("vitrine supervise (pid 77)", "systemctl stop vitrine", "systemctl status 77"),
      ("systemd-logind (pid 77)", "log out", "loginctl list-sessions"),
      ("seatd (pid 77)", "log out", "systemctl status 77"),
      ("systemd (pid 1), which keeps it for a service; see systemctl list-units", "stop it", ""), ("?", "stop it", ""),
    ])
  func holder(name: String, remedy: String, command: String) throws {
    var facts = Self.healthy
    var other = facts.screen.cards[0]
    (other.path, other.holders) = ("/dev/dri/card10", ["weston (pid 66)"])
    facts.screen.cards[0].holders = [name]
    facts.screen.cards.insert(other, at: 0)
    facts.screen.outlooks[0].problem = .init(
      number: 5002, message: "/dev/dri/card1: another program drives the screen", remedy: "stop it")
    let line = try #require(Checkup(facts).lines.first { $0.topic == "screen" })
    #expect(line.remedy.contains(remedy) && line.command == command, "\(line)")
    #expect(!line.command.contains("kill"))
    facts.service.hasSystemd = false
    #expect(Checkup(facts).lines.allSatisfy { !$0.command.hasPrefix("systemctl status") })
  }

  // MARK: Layout

  @Test("Every line except commands fits into the width; colour only on request", arguments: [40, 80, 120])
  func layout(width: Int) {
    var facts = Self.healthy
    for example in Self.cases.dropFirst() { example.breaks(&facts) }
    let checkup = Checkup(facts)
    let plain = CheckupText(width: width).text(checkup)
    for line in plain.split(separator: "\n") where !line.contains("$ ") && line.count > width {
      // A longer word is alone in its line.
      let words = line.split(separator: " ").filter { $0 != "->" && $0 != "ok" && $0 != "warning" && $0 != "problem" }
      #expect(words.count <= 2, "\(line)")
    }
    #expect(!plain.contains("\u{1B}"))
    let coloured = CheckupText(width: width, isColoured: true).text(checkup)
    #expect(coloured.contains("\u{1B}[1;31mproblem  \u{1B}[0m"))
    let stripped = coloured.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    #expect(stripped == plain)
    #expect(plain.hasSuffix(" ok\n") && plain.contains("\nScreen\n"))
  }
}

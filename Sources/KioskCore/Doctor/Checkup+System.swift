// The findings on content, network, storage, power and the service.

extension Checkup {
  mutating func checkContent(_ configuration: DoctorFacts.ConfigurationState) {
    let path = configuration.path
    if configuration.isMissing {
      return fail(
        .content, "configuration", "there is no configuration at \(path)",
        "write one; `vitrine config schema` prints the format",
        command: "vitrine config schema > \(Self.quoted(path.hasSuffix(".toml") ? path : "\(path)/vitrine.toml"))")
    }
    for error in configuration.errors {
      fail(
        .content, "configuration", error, "mend it; it isn't used as it is",
        command: "vitrine check \(Self.quoted(path))")
    }
    for warning in configuration.warnings {
      warn(.content, "configuration", warning, "see what it says", command: "vitrine check \(Self.quoted(path))")
    }
    for gap in configuration.fontGaps {
      warn(
        .content, "fonts",
        "no font has \(gap.letters) of \(gap.titles) title\(gap.titles == 1 ? "" : "s"): boxes are shown",
        gap.package.map { "install \($0)" } ?? "install a font that has them, or write it in other letters",
        command: gap.package.map { "apt install \($0)" } ?? "")
    }
    if configuration.errors.isEmpty {
      if configuration.items == 0 {
        warn(
          .content, "configuration", "\(path) lists nothing that can be played",
          "list something in [[playlist.main.item]]")
      } else if configuration.warnings.isEmpty {
        ok(.content, "configuration", "\(path): \(configuration.items) item\(configuration.items == 1 ? "" : "s")")
      }
    }
  }

  // MARK: Network and time

  mutating func checkNetwork(_ facts: DoctorFacts) {
    let network = facts.network
    guard !network.links.isEmpty else {
      // A server on this machine can be reached without a network.
      let isMissed = network.isNeeded && network.servers.contains { $0.outcome != .reached }
      return isMissed
        ? fail(
          .network, "network", "no network is up, and what is shown comes from one",
          "plug the cable in, or join a radio network; then see", command: "ip -br address")
        : ok(.network, "network", "no network is up, and nothing that plays needs one")
    }
    ok(
      .network, "network",
      network.links.map { "\($0.name) \($0.addresses.joined(separator: " "))" }.joined(separator: ", "))
    if !network.hasRoute {
      if network.servers.contains(where: { [.refused, .nameUnknown].contains($0.outcome) }) {
        fail(
          .network, "route", "there is no route out of the local network",
          "see that the router announces one (DHCP), or add it: ip route add default via ROUTER", command: "ip route")
      } else {
        ok(.network, "route", "no route out of the local network, and nothing that plays needs one")
      }
    }
    if network.nameServers.isEmpty, network.isNeeded, network.servers.contains(where: { $0.outcome == .nameUnknown }) {
      fail(
        .network, "dns", "/etc/resolv.conf names no DNS server",
        "name one there, such as the router: nameserver 192.168.1.1", command: "cat /etc/resolv.conf")
    } else if !network.nameServers.isEmpty {
      ok(.network, "dns", network.nameServers.joined(separator: ", "))
    }
    for server in network.servers { checkServer(server, facts.clock) }
  }

  private mutating func checkServer(_ server: DoctorFacts.Network.Server, _ clock: DoctorFacts.Clock) {
    let (origin, detail) = (server.origin, server.detail)
    let host = origin.split(separator: "/").last.map(String.init) ?? origin
    let name = host.split(separator: ":").first.map(String.init) ?? host
    switch server.outcome {
    case .reached: ok(.network, "server", "\(origin) answers")
    case .nameUnknown:
      fail(
        .network, "server", "\(origin): its name can't be looked up: \(detail)",
        "check the name; name a server that knows it in /etc/resolv.conf, or the machine itself in /etc/hosts",
        command: "getent hosts \(Self.quoted(name))")
    case .refused:
      fail(
        .network, "server", "\(origin) can't be reached: \(detail)",
        "check that the server runs, and that no firewall on the way blocks it",
        command: "ip route get \(Self.quoted(name))")
    case .untrusted:
      fail(
        .network, "server", "\(origin): its certificate isn't trusted: \(detail)",
        "name its authority with network.ca_file; for servers of the internet install ca-certificates",
        command: "apt install ca-certificates")
    case .wrongTime:
      fail(
        .network, "server", "\(origin): its certificate isn't valid at the time that this clock tells: \(detail)",
        "set the clock, or have the server get a new certificate", command: "timedatectl set-ntp true")
    }
  }

  mutating func checkClock(_ facts: DoctorFacts) {
    let clock = facts.clock
    if clock.now < DoctorLimits.earliestTime {
      return fail(
        .network, "clock", "the clock is before 2026: no certificate is valid yet, and no schedule right",
        "have it set by the network, or fit a clock with a battery", command: "timedatectl set-ntp true")
    }
    guard let isSynchronised = clock.isSynchronised else { return }
    if isSynchronised {
      ok(.network, "clock", "kept right by the network")
    } else {
      warn(
        .network, "clock", "nothing keeps the clock right: schedules drift, and certificates may be refused",
        "have the network set it (systemd-timesyncd or chrony)", command: "timedatectl set-ntp true")
    }
  }

  // MARK: Storage

  mutating func checkFolders(_ folders: [DoctorFacts.Folder], of service: DoctorFacts.Service) {
    for folder in folders {
      let path = Self.quoted(folder.path)
      if !folder.isThere, service.folders.contains(folder.path) {
        if service.isActive {
          warn(
            .storage, folder.purpose,
            "\(folder.path) is missing: it was removed while the service runs", "start the service again",
            command: "systemctl restart vitrine.service")
        } else {
          ok(.storage, folder.purpose, "\(folder.path) isn't there yet: the service makes it when it starts")
        }
      } else if !folder.isThere {
        warn(
          .storage, folder.purpose, "\(folder.path) isn't there", "make it, for the player's user",
          command: "mkdir -p \(path)")
      } else if folder.isReadOnly {
        // The kernel mounts a failing disk read-only by itself.
        fail(
          .storage, folder.purpose, "\(folder.path) can only be read: \(folder.mount) is mounted read-only",
          "mount it for writing; where that fails, or comes again, the card is worn out: replace it",
          command: "mount -o remount,rw \(Self.quoted(folder.mount))")
      } else if !folder.isWritable {
        warn(
          .storage, folder.purpose, "\(folder.path) may not be written to by this user",
          "run the doctor as the player's user or as root")
      } else if let free = folder.freeBytes, free < DoctorLimits.leastFree {
        fail(
          .storage, folder.purpose, "\(folder.path) is full: \(Self.megabytes(free)) are free",
          "remove what isn't needed; this lists what is largest",
          command: "du -xah \(Self.quoted(folder.mount)) | sort -h | tail")
      } else if let free = folder.freeBytes, free < DoctorLimits.free, folder.purpose != "runtime" {
        warn(
          .storage, folder.purpose,
          "\(folder.path): \(Self.megabytes(free)) are free: no copies of remote films are kept",
          "remove what isn't needed; this lists what is largest",
          command: "du -xah \(Self.quoted(folder.mount)) | sort -h | tail")
      } else {
        ok(.storage, folder.purpose, "\(folder.path)\(folder.freeBytes.map { ", \(Self.megabytes($0)) free" } ?? "")")
      }
    }
  }

  mutating func checkDisks(_ disks: [DoctorFacts.Disk]) {
    for disk in disks {
      let written = disk.written.map { ", \($0 / 1_000_000_000) GB written in its life" } ?? ""
      if disk.faults > 0 {
        fail(
          .storage, disk.name, "its file system has met \(disk.faults) fault\(disk.faults == 1 ? "" : "s")\(written)",
          "copy what matters, and replace the card; check it from another system", command: "dmesg | grep -i ext4")
        continue
      }
      let used = disk.lifeUsed ?? 0
      if used >= DoctorLimits.lifeOver || disk.reserve == 3 {
        fail(
          .storage, disk.name, "it is worn out: the life that its maker promises is used up\(written)",
          "replace it soon; it may become read-only any day")
      } else if used >= DoctorLimits.lifeUsed || disk.reserve == 2 {
        warn(
          .storage, disk.name,
          "it is worn: \(max(used - 1, 0) * 10) to \(used * 10) % of its life is used up\(written)",
          "plan to replace it; keep fewer copies (store.capacity) and logs")
      } else if let life = disk.lifeUsed, life > 0 {
        ok(.storage, disk.name, "\((life - 1) * 10) to \(life * 10) % of its life is used up\(written)")
      } else if !written.isEmpty {
        ok(.storage, disk.name, "\(written.dropFirst(2)); it doesn't report its wear")
      }
    }
  }

  // MARK: Power

  mutating func checkPower(_ power: DoctorFacts.Power) {
    let supply = "use the maker's power supply and a short cable; unplug what takes power from USB"
    if power.isUnderVoltage == true || (power.throttled ?? 0) & 1 != 0 {
      fail(.power, "voltage", "too little voltage now: frames drop, and cards lose data", supply)
    } else if (power.throttled ?? 0) & 0x10000 != 0 {
      warn(.power, "voltage", "there was too little voltage since the start", supply + "; a reboot clears this line")
    } else if power.throttled != nil || power.isUnderVoltage != nil {
      ok(.power, "voltage", "enough")
    }
    let cool = "give it air, a heat sink or a fan"
    let isSlowed = (power.throttled ?? 0) & 0b1110 != 0
    let wasSlowed = (power.throttled ?? 0) & 0xE0000 != 0
    let degrees = power.temperature.map { "\(Int($0.rounded())) degrees" }
    if isSlowed {
      fail(.power, "heat", "the processor is slowed down now\(degrees.map { ", at \($0)" } ?? "")", cool)
    } else if let temperature = power.temperature, temperature >= DoctorLimits.hot {
      warn(.power, "heat", "\(degrees ?? ""): boards slow down from 80 on", cool)
    } else if wasSlowed {
      warn(.power, "heat", "the processor was slowed down since the start", cool + "; a reboot clears this line")
    } else if let degrees {
      ok(.power, "heat", degrees)
    }
  }

  // MARK: The service

  mutating func checkService(_ service: DoctorFacts.Service) {
    guard service.hasSystemd else { return }
    guard let unit = service.unit else {
      return warn(
        .service, "service", "there is no vitrine.service: nothing starts the player again when it dies",
        "install the package, or keep it by hand with vitrine supervise", command: "apt install vitrine")
    }
    if service.hasDisplayManager {
      ok(.service, "service", "a display manager has the screen, so the service waits")
    } else if service.isMasked {
      fail(
        .service, "service", "it may not start, because \(unit) is masked: nothing plays",
        "unmask it, and start it",
        command: "systemctl unmask vitrine.service && systemctl enable --now vitrine.service")
    } else if !service.isEnabled {
      fail(
        .service, "service",
        "\(unit) isn't enabled: after the next start of the board nothing plays"
          + (service.isActive ? "" : "; it is stopped now, too"),
        "enable it", command: "systemctl enable --now vitrine.service")
    } else if !service.isActive {
      fail(
        .service, "service", "\(unit) is stopped: nothing plays until the next start of the board",
        "start it; if it wasn't stopped on purpose, `journalctl -u vitrine -b` says why it ended",
        command: "systemctl start vitrine.service")
    } else {
      ok(.service, "service", "\(unit), runs, and is started with the board")
    }
    if let watchdog = service.watchdog, watchdog != "0", watchdog != "infinity" {
      ok(.service, "watchdog", "a player that hangs is replaced (WatchdogSec=\(watchdog))")
    } else {
      let folder = "/etc/systemd/system/vitrine.service.d"
      warn(
        .service, "watchdog", "a player that hangs isn't noticed: its unit has no WatchdogSec=",
        "set one, and start the service again",
        command:
          "mkdir -p \(folder) && printf '[Service]\\nWatchdogSec=6\\n' "
          + "> \(folder)/watchdog.conf && systemctl daemon-reload"
      )
    }
    guard service.hasHardwareWatchdog else { return }
    if let time = service.hardwareWatchdog, time != "0", time != "infinity" {
      ok(.service, "reboot", "a board that hangs starts again (RuntimeWatchdogSec=\(time))")
    } else {
      let folder = "/etc/systemd/system.conf.d"
      warn(
        .service, "reboot", "a board that hangs isn't restarted: nothing uses its watchdog", "have systemd use it",
        command:
          "mkdir -p \(folder) && printf '[Manager]\\nRuntimeWatchdogSec=15s\\n' "
          + "> \(folder)/watchdog.conf && systemctl daemon-reexec"
      )
    }
  }

  mutating func checkControl(_ control: DoctorFacts.Control) {
    switch control {
    case .notAsked: break
    case .none(let path): ok(.service, "player", "no player runs that could be asked (\(path) isn't there)")
    case .dead(let path, let error):
      fail(
        .service, "player", "\(path) is there, and no player answers: \(error)", "start the player again",
        command: "systemctl restart vitrine.service")
    case .closed(let path, let remedy): warn(.service, "player", "this user may not open \(path)", remedy)
    case .answers(_, let state):
      switch state {
      case "healthy": ok(.service, "player", "it plays, and all is well")
      case "paused":
        warn(
          .service, "player", "it is paused, and shows one frame", "resume playback", command: "vitrine ctl play")
      case "asleep":
        ok(
          .service, "player",
          "it runs, and the screen is switched off, by the schedule or by hand (`vitrine ctl screen on` wakes it)")
      case "attention":
        warn(
          .service, "player", "it plays, but needs attention", "see what it says",
          command: "vitrine ctl status")
      default:
        fail(
          .service, "player", "it runs, but shows nothing", "see what it says", command: "vitrine ctl status")
      }
    }
  }
}

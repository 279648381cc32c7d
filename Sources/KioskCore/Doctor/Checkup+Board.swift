internal import PlaybackCore

// The rules: facts in, findings out.

extension Checkup {
  /// All that facts tell, but for what runs have left behind (`lookAtSurvival`).
  public init(_ facts: DoctorFacts) {
    self.init()
    lookAtBoard(facts)
    lookAtBoot(facts.boot)
    lookAtMemory(facts)
    lookAtScreen(facts)
    lookAtDecoding(facts)
    lookAtInput(facts)
    lookAtSound(facts)
    lookAtContent(facts.configuration)
    lookAtNetwork(facts)
    lookAtClock(facts)
    lookAtFolders(facts.folders, of: facts.service)
    lookAtDisks(facts.disks)
    lookAtPower(facts.power)
    lookAtService(facts.service)
    lookAtControl(facts.control)
  }

  mutating func ok(_ group: Group, _ topic: String, _ finding: String) { add(Line(.ok, group, topic, finding)) }

  mutating func warn(_ group: Group, _ topic: String, _ finding: String, _ remedy: String, command: String = "") {
    add(Line(.warning, group, topic, finding, remedy: remedy, command: command))
  }

  mutating func fail(_ group: Group, _ topic: String, _ finding: String, _ remedy: String, command: String = "") {
    add(Line(.problem, group, topic, finding, remedy: remedy, command: command))
  }

  static func megabytes(_ bytes: Int64) -> String { "\(bytes / DoctorLimits.megabyte) MB" }

  /// A word for a shell: quoted where it has to be.
  static func quoted(_ word: String) -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:,@%")
    guard word.isEmpty || !word.allSatisfy(plain.contains) else { return word }
    return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  private mutating func lookAtBoard(_ facts: DoctorFacts) {
    let board = facts.board
    let name = board.name.isEmpty ? "this machine" : board.name
    ok(
      .board, "board",
      board.profiles.isEmpty ? "\(name); no profile knows it" : "\(name) (\(board.profiles.joined(separator: ", ")))")
    for error in board.profileErrors {
      warn(.board, "profile", error, "mend the file, or install the package again")
    }
    ok(.board, "kernel", board.kernel.isEmpty ? "unknown" : board.kernel)
    guard let version = board.gstreamer else { return }
    let stateless = facts.decoding.codecs.compactMap(\.decoder).first {
      DecoderWear.limit(of: $0, gstreamer: SoftwareVersion(version), profile: nil) != nil
    }
    if let stateless {
      warn(
        .board, "gstreamer",
        "\(version): \(stateless) fails at frame 1,000,000 of a film; such a film is opened anew before",
        "upgrade to GStreamer 1.22.7 or newer, which Debian 13 has")
    } else {
      ok(.board, "gstreamer", version)
    }
  }

  private mutating func lookAtBoot(_ boot: DoctorFacts.Boot) {
    guard !boot.settings.isEmpty else { return }
    let lacking = boot.settings.filter { !$0.missing.isEmpty }
    if lacking.isEmpty { return ok(.board, "boot", "as the board's profile asks") }
    for setting in lacking {
      let words = setting.missing.joined(separator: " ")
      guard let file = setting.file else {
        warn(.board, "boot", "\(words) isn't set", "add it where this board has its \(setting.place), and reboot")
        continue
      }
      warn(
        .board, "boot", "\(file) lacks \(words)", "add it, and reboot", command: setting.command(words, file))
    }
  }

  private mutating func lookAtMemory(_ facts: DoctorFacts) {
    let memory = facts.memory
    let all = [memory.total, memory.limit].compactMap { $0 }.min()
    if let all {
      let isLimit = memory.limit == all && memory.total != all
      let said = "\(Self.megabytes(all))\(isLimit ? " for the player (MemoryMax= of its unit)" : "")"
      let more =
        isLimit
        ? "allow it more (systemctl edit vitrine: [Service] MemoryMax=70%)"
        : "take a board with more; smaller films need less (vitrine check --probe FILE says how to convert one)"
      if all < DoctorLimits.leastMemory {
        fail(.board, "memory", "\(said): too little for the player alone", more)
      } else if all < DoctorLimits.memory {
        warn(.board, "memory", "\(said): too little for films of 1080p in software", more)
      } else {
        ok(.board, "memory", said)
      }
    }
    guard let cma = memory.cma else { return }
    // Only decoders in hardware need so much of it.
    let isNeeded = facts.decoding.codecs.contains { $0.isHardware }
    let said = "\(Self.megabytes(cma)) in one piece for decoders and the screen"
    let asked = facts.boot.settings.first { $0.text.contains("cma") || $0.text.contains("CMA") }?.text
    let remedy =
      asked.map { "ask for more at boot: \($0)" } ?? "ask for more at boot: cma=256M on the kernel's command line"
    if isNeeded, cma < DoctorLimits.leastCMA {
      fail(.board, "cma", "\(said): too little for a film", remedy)
    } else if isNeeded, cma < DoctorLimits.cma {
      warn(.board, "cma", "\(said): too little for a seam between two films of 1080p", remedy)
    } else {
      ok(.board, "cma", said)
    }
  }
}

extension DoctorFacts.Boot.Setting {
  /// What stands before the colon.
  var place: String { text.split(separator: ":").first.map(String.init) ?? text }

  /// Puts the words into the file, which may be empty, and may lack the newline at its end.
  func command(_ words: String, _ file: String) -> String {
    let path = Checkup.quoted(file)
    // One line holds the whole command line of the kernel; the others are a line each. To an empty file sed adds nothing.
    if place == "cmdline.txt" || place.hasSuffix("extra-cmdline") {
      return "[ -s \(path) ] || echo > \(path); sed -i '1s|[[:space:]]*$| \(words)|' \(path)"
    }
    guard place == "config.txt" else { return "printf '\\n\(words)\\n' >> \(path)" }
    // Sections of config.txt are for some models alone, and [all] ends one.
    let adds = "printf '\\n[all]\\n\(words)\\n' >> \(path)"
    guard let name = overlay(words) else { return adds }
    // A second line for the same overlay loads it twice, and two drivers of one screen don't go together: as it is now
    // it becomes a comment.
    let taken = name == "vc4-kms-v3d" ? "vc4-f\\{0,1\\}kms-v3d" : name
    return "sed -i 's/^[[:space:]]*dtoverlay=\(taken).*/#&/' \(path) && \(adds)"
  }

  /// `vc4-kms-v3d` of `dtoverlay=vc4-kms-v3d,cma-512`.
  private func overlay(_ words: String) -> String? {
    guard words.hasPrefix("dtoverlay=") else { return nil }
    return words.dropFirst("dtoverlay=".count).split(separator: ",").first.map(String.init)
  }
}

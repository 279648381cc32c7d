internal import PlaybackCore

// The rules: facts in, findings out.

extension Checkup {
  /// The findings on all facts, except those that earlier runs have left (`checkSurvival`).
  public init(_ facts: DoctorFacts) {
    self.init()
    checkBoard(facts)
    checkBoot(facts.boot)
    checkMemory(facts)
    checkScreen(facts)
    checkDecoding(facts)
    checkInput(facts)
    checkSound(facts)
    checkContent(facts.configuration)
    checkNetwork(facts)
    checkClock(facts)
    checkFolders(facts.folders, of: facts.service)
    checkDisks(facts.disks)
    checkPower(facts.power)
    checkService(facts.service)
    checkControl(facts.control)
  }

  mutating func ok(_ group: Group, _ topic: String, _ finding: String) { add(Line(.ok, group, topic, finding)) }

  mutating func warn(_ group: Group, _ topic: String, _ finding: String, _ remedy: String, command: String = "") {
    add(Line(.warning, group, topic, finding, remedy: remedy, command: command))
  }

  mutating func fail(_ group: Group, _ topic: String, _ finding: String, _ remedy: String, command: String = "") {
    add(Line(.problem, group, topic, finding, remedy: remedy, command: command))
  }

  static func megabytes(_ bytes: Int64) -> String { "\(bytes / DoctorLimits.megabyte) MB" }

  /// Quotes a word for a shell, if necessary.
  static func quoted(_ word: String) -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:,@%")
    guard word.isEmpty || !word.allSatisfy(plain.contains) else { return word }
    return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  private mutating func checkBoard(_ facts: DoctorFacts) {
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
        "\(version): \(stateless) fails at frame 1,000,000 of a film; such a film is reopened before that",
        "upgrade to GStreamer 1.22.7 or newer, which Debian 13 has")
    } else {
      ok(.board, "gstreamer", version)
    }
  }

  private mutating func checkBoot(_ boot: DoctorFacts.Boot) {
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

  private mutating func checkMemory(_ facts: DoctorFacts) {
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
    // Only hardware decoders need so much CMA memory.
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
  /// The file or place that the setting belongs to: the text before the colon.
  var place: String { text.split(separator: ":").first.map(String.init) ?? text }

  /// The command that adds the words to the file, which may be empty, or lack the newline at its end.
  func command(_ words: String, _ file: String) -> String {
    let path = Checkup.quoted(file)
    // cmdline.txt has the kernel's command line in one line; other files have a line for each setting. sed adds nothing
    // to an empty file.
    if place == "cmdline.txt" || place.hasSuffix("extra-cmdline") {
      return "[ -s \(path) ] || echo > \(path); sed -i '1s|[[:space:]]*$| \(words)|' \(path)"
    }
    guard place == "config.txt" else { return "printf '\\n\(words)\\n' >> \(path)" }
    // A section of config.txt may apply to some models only; [all] ends it.
    let adds = "printf '\\n[all]\\n\(words)\\n' >> \(path)"
    guard let name = overlay(words) else { return adds }
    // A second line for the same overlay would load it twice, and two drivers of one screen don't work together: the
    // old line becomes a comment.
    let taken = name == "vc4-kms-v3d" ? "vc4-f\\{0,1\\}kms-v3d" : name
    return "sed -i 's/^[[:space:]]*dtoverlay=\(taken).*/#&/' \(path) && \(adds)"
  }

  /// The overlay's name: `vc4-kms-v3d` for `dtoverlay=vc4-kms-v3d,cma-512`.
  private func overlay(_ words: String) -> String? {
    guard words.hasPrefix("dtoverlay=") else { return nil }
    return words.dropFirst("dtoverlay=".count).split(separator: ",").first.map(String.init)
  }
}

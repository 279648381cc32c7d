public import PlaybackCore

/// The facts by which a profile recognises its board.
public struct BoardFacts: Hashable, Sendable {
  /// The device tree's `compatible` entries, the most exact first: `raspberrypi,4-model-b`, `brcm,bcm2711`.
  public var compatible: [String]
  /// Vendor, product and board names of a PC.
  public var dmi: [String]
  /// Kernel drivers of the graphics cards: `vc4-drm`, `i915`.
  public var drivers: [String]
  /// The processor's name, if the kernel reports one, as on PCs.
  public var processor: String
  /// The kernel's release, as `uname -r` prints it: `6.12.47+rpt-rpi-v8`; empty if unknown.
  public var release: String
  /// Nil if unknown.
  public var gstreamer: SoftwareVersion?
  /// Chooses a profile by its name, without number and extension, in place of the facts above. `release` and
  /// `gstreamer`, where they are given too, still choose among the profile's variants.
  public var name: String?

  public init(
    compatible: [String] = [], dmi: [String] = [], drivers: [String] = [], processor: String = "", release: String = "",
    gstreamer: SoftwareVersion? = nil, name: String? = nil
  ) {
    self.compatible = compatible
    self.dmi = dmi
    self.drivers = drivers
    self.processor = processor
    self.release = release
    self.gstreamer = gstreamer
    self.name = name
  }

  /// Reads the variable VITRINE_BOARD: `raspberry-pi-4`, or with a system `raspberry-pi-4,6.12.47+rpt-rpi-v8,1.26.2`.
  public init(named text: String) {
    let parts = text.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    self.init(
      release: parts.count > 1 ? parts[1] : "", gstreamer: parts.count > 2 ? SoftwareVersion(parts[2]) : nil,
      name: parts.first ?? "")
  }

  /// The kernel's version.
  public var kernel: SoftwareVersion? { SoftwareVersion(release) }

  /// Reads the facts of this machine. Blocks for a few small files.
  ///
  /// - Parameters:
  ///   - release: the output of `uname -r`.
  ///   - gstreamer: the version that runs here.
  public static func read(
    release: String = "", gstreamer: SoftwareVersion? = nil, files: some FileAccess
  ) -> BoardFacts {
    func text(_ path: String) -> [UInt8] { (try? files.read(FilePath(path), limit: 4096)) ?? [] }
    func words(_ bytes: [UInt8], _ separator: UInt8) -> [String] {
      bytes.split(separator: separator).map { String(decoding: $0, as: UTF8.self) }
    }
    var facts = BoardFacts(release: release, gstreamer: gstreamer)
    facts.compatible = words(text("/proc/device-tree/compatible"), 0)
    facts.dmi = ["sys_vendor", "product_name", "board_name"].flatMap { words(text("/sys/class/dmi/id/\($0)"), 0x0A) }
    // `model name : Intel(R) N100`, once for each core; the first is within the first lines.
    let line = words(text("/proc/cpuinfo"), 0x0A).first { $0.hasPrefix("model name") }
    facts.processor = line?.split(separator: ":", maxSplits: 1).last.map { String($0.drop { $0 == " " }) } ?? ""
    let cards = ((try? files.names(in: FilePath("/sys/class/drm"))) ?? []).map { String(decoding: $0, as: UTF8.self) }
    for card in cards.sorted() where card.hasPrefix("card") && !card.contains("-") {
      facts.drivers += words(text("/sys/class/drm/\(card)/device/uevent"), 0x0A).compactMap { line in
        line.hasPrefix("DRIVER=") ? String(line.dropFirst(7)) : nil
      }
    }
    return facts
  }
}

/// The kernel and GStreamer that a variant of a profile is for: the same board decodes with one kernel and not with
/// another.
struct BoardSystem: Hashable, Sendable {
  var kernel: VersionRange?
  var gstreamer: VersionRange?
  /// Parts of the output of `uname -r`, which tell Debian's kernel from the maker's; one match is enough.
  var release: [String] = []

  /// All conditions that are given have to hold. A version that isn't known doesn't meet one.
  func holds(for facts: BoardFacts) -> Bool {
    if let kernel, !kernel.contains(facts.kernel) { return false }
    if let gstreamer, !gstreamer.contains(facts.gstreamer) { return false }
    return release.isEmpty || release.contains { facts.release.contains($0) }
  }
}

/// `[[when]]`: properties for some of a board's systems only.
struct BoardVariant: Hashable, Sendable {
  var system = BoardSystem()
  var profile = BoardProfile()
}

/// `[match]`: any of the names is enough; the system has to be the right one too.
struct BoardMatch: Hashable, Sendable {
  var compatible: [String] = []
  /// Parts of a name, in any case.
  var dmi: [String] = []
  var driver: [String] = []
  /// Parts of a name, in any case.
  var processor: [String] = []
  var system = BoardSystem()

  func matches(_ facts: BoardFacts, profileName: String) -> Bool {
    // A name was given on purpose: it decides alone.
    if let name = facts.name { return name == profileName }
    return isNamed(by: facts) && system.holds(for: facts)
  }

  private func isNamed(by facts: BoardFacts) -> Bool {
    func isPart(_ part: String, of name: String) -> Bool { name.lowercased().contains(part.lowercased()) }
    return compatible.contains { facts.compatible.contains($0) } || driver.contains { facts.drivers.contains($0) }
      || dmi.contains { part in facts.dmi.contains { isPart(part, of: $0) } }
      || processor.contains { isPart($0, of: facts.processor) }
  }
}

internal import PlaybackCore

// The findings on screen, decoders, input devices and sound.

extension Checkup {
  mutating func checkScreen(_ facts: DoctorFacts) {
    let screen = facts.screen
    if facts.wishes.output == "headless" {
      return ok(.screen, "output", "none is wanted: the picture goes into memory (display.output)")
    }
    if screen.hasCompositor, facts.wishes.output != "kms" {
      return ok(.screen, "output", "a Wayland compositor answers, and has the screen")
    }
    if facts.wishes.output == "wayland" {
      return fail(
        .screen, "output", "no Wayland compositor answers, and display.output asks for one",
        "start it, or set display.output = \"auto\"")
    }
    if screen.cards.isEmpty {
      return fail(
        .screen, "card", "there is no graphics card that can drive a screen",
        screen.outlooks.first?.problem?.remedy ?? "enable the board's KMS driver, or choose another output")
    }
    for card in screen.cards { checkCard(card, facts) }
    for outlook in screen.outlooks {
      if outlook.isPlaying {
        ok(.screen, "shown", outlook.named("Vitrine shows something there now"))
      } else if let problem = outlook.problem {
        explainProblem(problem, of: outlook, facts)
      } else if let choice = outlook.choice {
        ok(.screen, "chosen", outlook.named(choice))
      }
      checkMode(of: outlook, facts)
    }
  }

  private mutating func checkCard(_ card: DoctorFacts.Screen.Card, _ facts: DoctorFacts) {
    let driver = card.driver.isEmpty ? "" : " (\(card.driver))"
    guard card.state != "closed to us" else {
      // Wrong permissions have a line of their own; otherwise the driver refuses.
      return warn(
        .screen, "card", "\(card.path): \(card.problem ?? "it can't be opened")",
        "see `ls -l \(card.path)` and the lines about permissions")
    }
    let holders = card.holders.isEmpty ? "" : ": \(card.holders.joined(separator: ", "))"
    ok(.screen, "card", "\(card.path)\(driver), \(card.state)\(holders)")
    for connector in card.connectors {
      let modes = connector.modes.first.map { ", \(connector.modes.count) modes, first \($0)" } ?? ""
      ok(.screen, "connector", "\(connector.name): \(connector.isConnected ? "a screen\(modes)" : "nothing connected")")
    }
    let planes = card.planes.filter { $0.role != nil }
    for plane in planes {
      // The formats of films and overlays; others don't matter here.
      let used = ["NV12", "YU12", "P010", "XR24", "AR24"].filter(plane.formats.contains)
      ok(
        .screen, "plane",
        "\(plane.role ?? ""), on \(plane.type == "overlay" ? "an" : "a") \(plane.type) plane: \(plane.formats.count) formats"
          + (used.isEmpty ? "" : ", with \(used.joined(separator: ", "))"))
    }
    let video = planes.first { $0.role?.contains("video") == true }
    if let video, !video.formats.contains("NV12"), !video.formats.contains("YU12") {
      warn(
        .screen, "plane", "the plane for films takes no YUV: the processor converts each frame",
        "take films in the size of the screen, or a smaller mode (display.mode)")
    }
  }

  private mutating func explainProblem(
    _ problem: DoctorFacts.Screen.Problem, of outlook: DoctorFacts.Screen.Outlook, _ facts: DoctorFacts
  ) {
    let connectors = facts.screen.cards.flatMap(\.connectors)
    switch problem.number {
    case 5002:
      let advice = Self.advice(onHolderOf: problem, facts)
      return fail(
        .screen, "screen", outlook.named(problem.message), advice?.words ?? problem.remedy,
        command: advice?.command ?? "")
    case 5005:
      let names = connectors.map(\.name).joined(separator: ", ")
      let lit = connectors.first(where: \.isConnected)?.name ?? "auto"
      let wanted = outlook.connector ?? "it"
      guard outlook.name.isEmpty else {
        return fail(
          .screen, "connector", outlook.named("\(wanted): \(problem.message)"),
          "set connector in its [[screen]] to another one; there are \(names)",
          command: "vitrine config show | grep connector")
      }
      return fail(
        .screen, "connector", "\(wanted): \(problem.message)",
        "set display.connector = \"\(lit)\", or leave it out; there are \(names)",
        command: "vitrine config show | grep display.connector")
    default: fail(.screen, "screen", outlook.named(problem.message), problem.remedy)
    }
  }

  /// Warns if the screen lacks the configured mode: the player takes the nearest one.
  private mutating func checkMode(of outlook: DoctorFacts.Screen.Outlook, _ facts: DoctorFacts) {
    guard let wanted = facts.wishes.mode else { return }
    let chosen = facts.screen.cards.flatMap(\.connectors).filter {
      $0.isConnected && ($0.name == outlook.connector || outlook.connector == nil)
    }
    let offered = chosen.flatMap(\.modes)
    guard !offered.isEmpty else { return }
    func fits(_ mode: String) -> Bool {
      mode == wanted || mode.hasPrefix("\(wanted)@") || mode.hasPrefix("\(wanted).")
    }
    if offered.contains(where: fits) { return ok(.screen, "mode", outlook.named(wanted)) }
    warn(
      .screen, "mode", outlook.named("the screen has no mode \(wanted); the nearest is taken"),
      "set display.mode to one of: auto, \(Self.nearest(to: wanted, of: offered).joined(separator: ", "))")
  }

  /// The sizes that a screen offers, without rates, the most similar ones first.
  private static func nearest(to wanted: String, of modes: [String]) -> [String] {
    func size(_ mode: String) -> [Int] {
      mode.prefix { $0 != "@" }.split(separator: "x").compactMap { Int($0.prefix { $0.isNumber }) }
    }
    var sizes: [String] = []
    for name in modes.map({ String($0.prefix { $0 != "@" }) }) where !sizes.contains(name) { sizes.append(name) }
    func distance(_ mode: String) -> Int { zip(size(mode), size(wanted)).reduce(0) { $0 + abs($1.0 - $1.1) } }
    return Array(sizes.sorted { distance($0) < distance($1) }.prefix(4))
  }

  // MARK: Decoders

  mutating func checkDecoding(_ facts: DoctorFacts) {
    let decoding = facts.decoding
    if let problem = decoding.problem {
      return fail(
        .decoding, "gstreamer", problem, "install its packages",
        command:
          "apt install gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-plugins-bad gstreamer1.0-libav")
    }
    var lacking: [String: [String]] = [:]
    for element in decoding.missingElements { lacking[Plugins.package(of: element), default: []].append(element) }
    for (package, elements) in lacking.sorted(by: { $0.key < $1.key }) {
      fail(
        .decoding, "plugins", "GStreamer lacks \(elements.sorted().joined(separator: ", "))", "install \(package)",
        command: "apt install \(package)")
    }
    checkGraphics(decoding)
    for codec in decoding.codecs {
      if let decoder = codec.decoder {
        let way = (codec.isHardware ? ", in hardware" : "") + (codec.way.isEmpty ? "" : "; \(codec.way)")
        let use = codec.items == 0 ? "" : "; \(codec.items) of what plays"
        ok(.decoding, codec.name, "\(decoder)\(way)\(use)")
      } else if codec.items > 0 {
        let package = Plugins.package(ofCodec: codec.name)
        fail(
          .decoding, codec.name,
          "nothing decodes \(codec.title), and \(codec.items) of what plays \(codec.items == 1 ? "is" : "are") in it",
          "install \(package), or convert it", command: "apt install \(package)")
      } else {
        // Nearly all films are in H.264; a board may never need the other codecs.
        let package = Plugins.package(ofCodec: codec.name)
        if codec.name == "h264" {
          warn(
            .decoding, codec.name, "nothing decodes \(codec.title)", "install \(package)",
            command: "apt install \(package)")
        } else {
          ok(
            .decoding, codec.name,
            "no decoder is installed, and no item that was looked into needs one (it is in \(package))")
        }
      }
    }
    // Without a decoder the item's codec isn't known: it is one of those that lack a decoder.
    let packages = Set(decoding.codecs.filter { $0.decoder == nil }.map { Plugins.package(ofCodec: $0.name) }).sorted()
    for item in decoding.unplayable {
      let isKnown = item.lacksDecoder && !packages.isEmpty
      fail(
        .decoding, "item", "\(item.name): \(item.message)", item.remedy,
        command: isKnown ? "apt install \(packages.joined(separator: " "))" : "")
    }
    for decoder in decoding.remembered {
      warn(
        .decoding, "avoided", "\(decoder) isn't used: it failed within the last seven days",
        "it is tried again after that time, or with another kernel or GStreamer", command: "vitrine doctor --self-test")
    }
  }

  // MARK: Fingers and loudspeakers

  mutating func checkInput(_ facts: DoctorFacts) {
    for (group, paths) in Dictionary(grouping: facts.devices.filter { !$0.mayOpen }, by: \.group).sorted(by: {
      $0.key < $1.key
    }) {
      let names = paths.map(\.path).sorted().joined(separator: ", ")
      let user = facts.user.name.isEmpty ? "this user" : facts.user.name
      if group == "root" {
        warn(
          .input, "permissions", "only root may open \(names)",
          "install the package, which brings udev's rules, or start udev", command: "udevadm trigger")
      } else {
        fail(
          .input, "permissions", "\(user) may not open \(names)",
          "add \(user) to the group \(group), and log in again or start the service again",
          command: "usermod -aG \(Self.quoted(group)) \(Self.quoted(user))")
      }
    }
    if !facts.devices.isEmpty, facts.devices.allSatisfy(\.mayOpen) {
      ok(.input, "permissions", "\(facts.user.name) may open all \(facts.devices.count) devices")
    }
    guard let inputs = facts.inputs else { return }
    for wanted in facts.wishes.inputDevices where !inputs.contains(where: { $0.name.contains(wanted) }) {
      fail(
        .input, "device", "no input device is called \(wanted), which the configuration names",
        inputs.isEmpty
          ? "plug it in" : "plug it in, or name one of: \(inputs.map(\.name).joined(separator: ", "))",
        command: "vitrine inputs --list")
    }
    let touch = inputs.filter(\.isTouch).map(\.name)
    if !touch.isEmpty {
      ok(.input, "touch", touch.joined(separator: ", "))
    } else if facts.wishes.hasVisitors {
      fail(
        .input, "touch", "[attract] has a playlist for visitors, but there is no touchscreen",
        "plug the touchscreen's USB cable in; or leave [attract] out of the configuration",
        command: "vitrine inputs --list")
    } else {
      ok(.input, "touch", "no touchscreen, and none is asked for")
    }
    let others = inputs.filter { !$0.isTouch }.map(\.name)
    if !others.isEmpty { ok(.input, "others", others.joined(separator: ", ")) }
  }

  mutating func checkSound(_ facts: DoctorFacts) {
    guard facts.wishes.hasSound else { return ok(.sound, "sound", "none is wanted (audio.enabled)") }
    guard let sounds = facts.sounds else {
      return warn(
        .sound, "sound", "the sound devices can't be listed", "see what it says", command: "vitrine sounds"
      )
    }
    if let wanted = facts.wishes.soundDevice, !sounds.contains(wanted) {
      let others = sounds.isEmpty ? "auto" : "auto, \(sounds.joined(separator: ", "))"
      return fail(
        .sound, "sound", "there is no sound device \(wanted), which audio.device names",
        "plug it in, or set audio.device to one of: \(others)", command: "vitrine sounds")
    }
    if sounds.isEmpty {
      return warn(
        .sound, "sound", "no sound server answers and there is no sound card: films are silent",
        "plug one in, or switch a screen with loudspeakers on; where silence is meant, set audio.enabled = false",
        command: "vitrine sounds")
    }
    ok(.sound, "sound", facts.wishes.soundDevice ?? sounds.joined(separator: ", "))
  }
}

/// The Debian packages of GStreamer's elements and codecs.
enum Plugins {
  static func package(of element: String) -> String {
    switch element {
    case "playbin3", "appsink", "appsrc", "videoconvert", "videoscale", "audioconvert", "audioresample", "typefind",
      "oggdemux", "opusdec":
      "gstreamer1.0-plugins-base"
    case "kmssink", "waylandsink", "h264parse", "h265parse", "tsdemux", "dashdemux", "hlsdemux":
      "gstreamer1.0-plugins-bad"
    case "alsasink": "gstreamer1.0-alsa"
    case "pulsesink": "gstreamer1.0-pulseaudio"
    case let name where name.hasPrefix("avdec"): "gstreamer1.0-libav"
    default: "gstreamer1.0-plugins-good"
    }
  }

  static func package(ofCodec name: String) -> String {
    switch name {
    case "vp8", "vp9": "gstreamer1.0-plugins-good"
    case "av1": "gstreamer1.0-plugins-bad"
    default: "gstreamer1.0-libav"
    }
  }
}

extension DoctorFacts.Screen.Outlook {
  /// The line, with the screen's name before it if there are several screens.
  fileprivate func named(_ line: String) -> String { name.isEmpty ? line : "\(name): \(line)" }
}

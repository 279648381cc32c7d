import PlaybackCore

// [telemetry]: its keys, and their checks against each other.

extension Schema {
  static let telemetry = TableDescription<TelemetrySettings>([
    .optional(
      "enabled", .boolean, \.enabled, example: "true",
      "false turns off everything in this table. Without it, each part whose key is set is on."),
    .optional(
      "http", .listenAddress, \.http, position: \TelemetrySettings.httpPosition, example: "\"127.0.0.1:9105\"",
      "Where the board's own page, its metrics and its API listen: an address of the board and a port. 0.0.0.0 and [::] are all its "
        + "addresses. Without it there is no server."),
    .optional(
      "token_file", .absolutePath, \.tokenFile, example: "\"/etc/vitrine/web.token\"",
      "A file whose first line is a token of 16 characters or more: with it one may steer the player over `http`. "
        + "Without this key the server takes no commands. An address that other machines can reach needs this token "
        + "or that of read_token_file."),
    .optional(
      "read_token_file", .absolutePath, \.readTokenFile, example: "\"/etc/vitrine/read.token\"",
      "A file with a second token: with it one may look at the board, but not steer it."),
    .optional(
      "certificate_file", .absolutePath, \.certificateFile, example: "\"/etc/vitrine/web.pem\"",
      "The certificate (PEM, with its chain) with which `http` speaks TLS."),
    .optional(
      "key_file", .absolutePath, \.keyFile, example: "\"/etc/vitrine/web.key\"",
      "The key (PEM) of `certificate_file`."),
    .value(
      "hosts", .hostNames, \.hosts, default: TelemetrySettings(), example: "[\"foyer.example.org\"]",
      "Host names by which browsers reach `http`. IP addresses, localhost and the board's own name are always "
        + "accepted; any other name is refused, because a foreign site could let its own name point to this board."),
    .optional(
      "mqtt", .brokerAddress, \.mqtt, position: \TelemetrySettings.mqttPosition,
      example: "\"mqtts://broker.example.org\"",
      "The MQTT broker to which the board reports its status and events. The port is 8883 with TLS (mqtts), else "
        + "1883."),
    .optional(
      "mqtt_topic", .mqttTopic, \.mqttTopic, example: "\"museum/foyer\"",
      "The prefix of all topics. Without it, vitrine/ and the board's name."),
    .optional("mqtt_user", .text, \.mqttUser, example: "\"board17\"", "The name for the broker."),
    .optional(
      "mqtt_password_file", .absolutePath, \.mqttPasswordFile, example: "\"/etc/vitrine/mqtt.password\"",
      "A file whose first line is the password for the broker."),
    .optional(
      "mqtt_ca_file", .absolutePath, \.mqttCAFile, example: "\"/etc/vitrine/broker.pem\"",
      "Certificates (PEM) of the authorities that are trusted with the broker, in place of the system's."),
    .value(
      "mqtt_commands", .boolean, \.mqttCommands, default: TelemetrySettings(),
      "Whether clients that may write to the board's topics may steer the player."),
    .value(
      "home_assistant", .boolean, \.homeAssistant, default: TelemetrySettings(),
      "Whether the board announces itself to Home Assistant through the broker (MQTT discovery)."),
    .optional(
      "post", .secureAddress, \.post, example: "\"https://boards.example.org/report\"",
      "An https address to which the status is sent as JSON."),
    .optional(
      "post_token_file", .absolutePath, \.postTokenFile, example: "\"/etc/vitrine/post.token\"",
      "A file whose first line is sent with the status as a bearer token."),
    .value(
      "post_interval", .seconds(in: ConfigurationLimits.postSeconds), \.postInterval, default: TelemetrySettings(),
      "How often the status is sent, in seconds."),
    .value(
      "post_screenshots", .seconds(in: ConfigurationLimits.postPictureSeconds), \.postScreenshots,
      default: TelemetrySettings(), example: "900",
      "How often a screenshot is sent with the status, in seconds; 0 is never."),
    .value(
      "play_log", .boolean, \.playLog, default: TelemetrySettings(),
      "Whether the player records what it played and when; `vitrine log` prints the record."),
    .optional(
      "play_log_directory", .absolutePath, \.playLogDirectory, example: "\"/media/disk/plays\"",
      "The folder of that record. Without it, the folder plays in the state directory (/var/lib/vitrine)."),
  ])
}

extension ConfigurationChecks {
  func checkTelemetry(reporting diagnostics: inout [Diagnostic]) {
    let telemetry = configuration.telemetry
    let context = context.inner("telemetry")
    let place = merged["telemetry"]?.keyPosition ?? merged["telemetry"]?.position ?? TOMLPosition(line: 1, column: 1)
    func report(
      _ key: String, at position: TOMLPosition?, _ message: String, _ allowed: String,
      _ severity: Diagnostic.Severity = .error
    ) {
      diagnostics.append(
        context.diagnostic(key, at: position ?? place, message: message, allowed: allowed, severity: severity))
    }
    if telemetry.enabled == true, !telemetry.namesSomething {
      report(
        "enabled", at: place, "has no effect by itself", "set one of http, mqtt, post or play_log", .warning)
    }
    if (telemetry.certificateFile == nil) != (telemetry.keyFile == nil) {
      let missing = telemetry.keyFile == nil ? "key_file" : "certificate_file"
      report(missing, at: place, "missing", "certificate_file and key_file are named together")
    }
    if let http = telemetry.http, !http.isLoopback {
      if telemetry.tokenFile == nil, telemetry.readTokenFile == nil {
        report(
          "http", at: telemetry.httpPosition, "can be reached by other machines, and there is no token",
          "name token_file or read_token_file, or listen at 127.0.0.1")
      } else if telemetry.certificateFile == nil {
        report(
          "http", at: telemetry.httpPosition, "has no TLS: anybody on the network path can read the token",
          "name certificate_file and key_file, or listen at 127.0.0.1 behind a proxy", .warning)
      }
    }
    if let mqtt = telemetry.mqtt, !mqtt.usesTLS, telemetry.mqttPasswordFile != nil || telemetry.mqttCommands,
      NetworkReach(host: mqtt.host) != .loopback
    {
      report(
        "mqtt", at: telemetry.mqttPosition,
        "has no TLS: anybody on the network path can read the status, and send commands",
        "write mqtts://", .warning)
    }
  }
}

extension ValueRule where Value == ListenAddress {
  static var listenAddress: Self {
    ValueRule(
      allowed: "an address of this board and a port is allowed, such as \"127.0.0.1:9105\" or \"[::]:9105\"",
      shape: .text(pattern: ":[0-9]{1,5}$")
    ) { (node) throws(Refusal) in
      guard case .string(let text) = node.value else { throw .kind(node, expected: "string") }
      guard let address = ListenAddress(text) else { throw Refusal("is no address with a port") }
      return address
    } spell: {
      TOMLText.quoted("\($0)")
    }
  }
}

extension ValueRule where Value == BrokerAddress {
  static var brokerAddress: Self {
    ValueRule(
      allowed: "an address such as mqtt://HOST or mqtts://HOST:PORT is allowed", shape: .text(pattern: "^mqtts?://")
    ) { (node) throws(Refusal) in
      guard case .string(let text) = node.value else { throw .kind(node, expected: "string") }
      guard let address = BrokerAddress(text) else { throw Refusal("is not the address of a broker") }
      return address
    } spell: {
      TOMLText.quoted("\($0)")
    }
  }
}

extension ValueRule where Value == String {
  /// An address of which nobody on the way can read or change anything: https, or http to this machine.
  static var secureAddress: Self {
    let text = Self.mediaAddress
    return ValueRule(allowed: "an https address is allowed", shape: .text(pattern: "^https?://")) {
      (node) throws(Refusal) in
      let address = try text.read(node)
      guard let origin = WebOrigin(address: address) else { throw Refusal("is not the address of a server") }
      guard origin.scheme == .https || NetworkReach(host: origin.host) == .loopback else {
        throw Refusal("has no TLS", allowed: "https is allowed, and http to this board itself")
      }
      return address
    } spell: {
      TOMLText.quoted($0)
    }
  }

  /// A topic that can be written to.
  static var mqttTopic: Self {
    let text = Self.text
    return ValueRule(
      allowed: "a topic without + and # is allowed, such as \"museum/foyer\"", shape: .text(pattern: "^[^+#/$][^+#]*$")
    ) { (node) throws(Refusal) in
      let topic = try text.read(node)
      let isPlain = !topic.contains { "+#".contains($0) }
      guard isPlain, !topic.hasPrefix("/"), !topic.hasPrefix("$"), !topic.hasSuffix("/"), topic.utf8.count <= 256 else {
        throw Refusal("is not a topic to write to")
      }
      return topic
    } spell: {
      TOMLText.quoted($0)
    }
  }
}

extension ValueRule where Value == [String] {
  /// Names of machines, without ports.
  static var hostNames: Self {
    list(
      allowed: "names such as [\"foyer.example.org\"] are allowed, without a port", pattern: "^[A-Za-z0-9._-]+$",
      fault: "is not a name",
      read: { text in
        let isName = text.utf8.allSatisfy { TableContext.isBareKeyByte($0) || $0 == UInt8(ascii: ".") }
        return text.isEmpty || text.utf8.count > 253 || !isName ? nil : text.lowercased()
      }, spell: { $0 })
  }
}

extension ValueRule where Value == [AddressPrefix] {
  /// Addresses and networks.
  static var addressPrefixes: Self {
    list(
      allowed: "addresses such as [\"10.0.3.7\"] and networks such as [\"10.0.4.0/24\"] are allowed",
      pattern: "^[0-9A-Fa-f.:]+(/[0-9]{1,3})?$", fault: "is neither an address nor a network", read: AddressPrefix.init,
      spell: \.description)
  }
}

extension ValueRule {
  /// A list of texts, each of which means something.
  ///
  /// - Parameters:
  ///   - fault: what is wrong with an element that `read` refuses.
  ///   - read: nil for a text that isn't allowed.
  static func list<Element>(
    allowed: String, pattern: String, fault: String, read: @escaping @Sendable (String) -> Element?,
    spell: @escaping @Sendable (Element) -> String
  ) -> Self where Value == [Element] {
    let shape = ValueShape.list(of: .text(pattern: pattern), count: 0...ConfigurationLimits.words)
    return ValueRule(allowed: allowed, shape: shape) { (node) throws(Refusal) in
      guard case .array(let elements) = node.value else { throw .kind(node, expected: "array") }
      guard elements.count <= ConfigurationLimits.words else {
        throw Refusal("is too long", allowed: "at most \(ConfigurationLimits.words) are allowed")
      }
      var values: [Element] = []
      for element in elements {
        guard case .string(let text) = element.value, let value = read(text) else {
          throw Refusal("has \(TOMLText.spelled(element)) in it, which \(fault)")
        }
        values.append(value)
      }
      return values
    } spell: {
      "[" + $0.map { TOMLText.quoted(spell($0)) }.joined(separator: ", ") + "]"
    }
  }
}

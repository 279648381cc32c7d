import PlaybackCore

// [telemetry]: its keys, and what has to fit together.

extension Schema {
  static let telemetry = TableDescription<TelemetrySettings>([
    .optional(
      "enabled", .boolean, \.enabled, example: "true",
      "false turns off all of this table. Without it, what is named is on."),
    .optional(
      "http", .listenAddress, \.http, position: \TelemetrySettings.httpPosition, example: "\"127.0.0.1:9105\"",
      "Where the board's own page, its metrics and its API listen: an address of the board and a port. 0.0.0.0 and [::] are all its "
        + "addresses. Without it there is no server."),
    .optional(
      "token_file", .absolutePath, \.tokenFile, example: "\"/etc/vitrine/web.token\"",
      "A file whose first line is the token of those who may steer the player by `http`, of 16 characters or more. Without it nobody may. "
        + "An address that others can reach needs one."),
    .optional(
      "read_token_file", .absolutePath, \.readTokenFile, example: "\"/etc/vitrine/read.token\"",
      "A second token, of those who may look and not steer."),
    .optional(
      "certificate_file", .absolutePath, \.certificateFile, example: "\"/etc/vitrine/web.pem\"",
      "The certificate (PEM, with those that it follows from) with which `http` speaks TLS."),
    .optional(
      "key_file", .absolutePath, \.keyFile, example: "\"/etc/vitrine/web.key\"",
      "The key (PEM) of `certificate_file`."),
    .value(
      "hosts", .hostNames, \.hosts, default: TelemetrySettings(), example: "[\"foyer.example.org\"]",
      "Names by which browsers reach `http`, as they stand in the address. Addresses, localhost and the board's own name need no mention; "
        + "any other name is refused, because a stranger's page could bear it."),
    .optional(
      "mqtt", .brokerAddress, \.mqtt, position: \TelemetrySettings.mqttPosition,
      example: "\"mqtts://broker.example.org\"",
      "The broker that is told how the board fares. The port is 8883 with TLS (mqtts), else 1883."),
    .optional(
      "mqtt_topic", .mqttTopic, \.mqttTopic, example: "\"museum/foyer\"",
      "What all topics begin with. Without it, vitrine/ and the board's name."),
    .optional("mqtt_user", .text, \.mqttUser, example: "\"board17\"", "The name for the broker."),
    .optional(
      "mqtt_password_file", .absolutePath, \.mqttPasswordFile, example: "\"/etc/vitrine/mqtt.password\"",
      "A file whose first line is the password for the broker."),
    .optional(
      "mqtt_ca_file", .absolutePath, \.mqttCAFile, example: "\"/etc/vitrine/broker.pem\"",
      "Certificates (PEM) of the authorities that are trusted with the broker, in place of the system's."),
    .value(
      "mqtt_commands", .boolean, \.mqttCommands, default: TelemetrySettings(),
      "Whether whoever may write to the board's topics may steer the player."),
    .value(
      "home_assistant", .boolean, \.homeAssistant, default: TelemetrySettings(),
      "Whether Home Assistant is told of the board by the broker (discovery)."),
    .optional(
      "post", .reportAddress, \.post, example: "\"https://boards.example.org/report\"",
      "An https address that is sent the status as JSON."),
    .optional(
      "post_token_file", .absolutePath, \.postTokenFile, example: "\"/etc/vitrine/post.token\"",
      "A file whose first line goes with it as a bearer token."),
    .value(
      "post_interval", .seconds(in: ConfigurationLimits.postSeconds), \.postInterval, default: TelemetrySettings(),
      "How often, in seconds."),
    .value(
      "post_screenshots", .seconds(in: ConfigurationLimits.postPictureSeconds), \.postScreenshots,
      default: TelemetrySettings(), example: "900",
      "How often a picture of what is shown goes with it, in seconds; 0 is never."),
    .value(
      "play_log", .boolean, \.playLog, default: TelemetrySettings(),
      "Whether it is written down what played when: `vitrine log` prints it."),
    .optional(
      "play_log_directory", .absolutePath, \.playLogDirectory, example: "\"/media/disk/plays\"",
      "Where that is kept. Without it, plays in the state directory (/var/lib/vitrine)."),
  ])
}

extension ConfigurationChecks {
  func checkTelemetry(reporting diagnostics: inout [Diagnostic]) {
    let telemetry = configuration.telemetry
    let context = context.inner("telemetry")
    let place = merged["telemetry"]?.keyPosition ?? merged["telemetry"]?.position ?? TOMLPosition(line: 1, column: 1)
    func tell(
      _ key: String, at position: TOMLPosition?, _ message: String, _ allowed: String,
      _ severity: Diagnostic.Severity = .error
    ) {
      diagnostics.append(
        context.diagnostic(key, at: position ?? place, message: message, allowed: allowed, severity: severity))
    }
    if telemetry.enabled == true, !telemetry.namesSomething {
      tell(
        "enabled", at: place, "has no effect by itself", "name what is wanted: http, mqtt, post or play_log", .warning)
    }
    if (telemetry.certificateFile == nil) != (telemetry.keyFile == nil) {
      let missing = telemetry.keyFile == nil ? "key_file" : "certificate_file"
      tell(missing, at: place, "missing", "certificate_file and key_file are named together")
    }
    if let http = telemetry.http, !http.isLoopback {
      if telemetry.tokenFile == nil, telemetry.readTokenFile == nil {
        tell(
          "http", at: telemetry.httpPosition, "can be reached by others, and there is no token",
          "name token_file or read_token_file, or listen at 127.0.0.1")
      } else if telemetry.certificateFile == nil {
        tell(
          "http", at: telemetry.httpPosition, "has no TLS: whoever is on the way can read the token",
          "name certificate_file and key_file, or listen at 127.0.0.1 behind a proxy", .warning)
      }
    }
    if let mqtt = telemetry.mqtt, !mqtt.usesTLS, telemetry.mqttPasswordFile != nil || telemetry.mqttCommands,
      NetworkReach(host: mqtt.host) != .loopback
    {
      tell(
        "mqtt", at: telemetry.mqttPosition, "has no TLS: whoever is on the way can read it, and steer",
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
  /// Where the status is sent: not in the clear, but to this machine.
  static var reportAddress: Self {
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
    let shape = ValueShape.list(of: .text(pattern: "^[A-Za-z0-9._-]+$"), count: 0...ConfigurationLimits.words)
    return ValueRule(allowed: "names such as [\"foyer.example.org\"] are allowed, without a port", shape: shape) {
      (node) throws(Refusal) in
      guard case .array(let elements) = node.value else { throw .kind(node, expected: "array") }
      guard elements.count <= ConfigurationLimits.words else {
        throw Refusal("is too long", allowed: "at most \(ConfigurationLimits.words) names are allowed")
      }
      var names: [String] = []
      for element in elements {
        guard case .string(let text) = element.value, !text.isEmpty, text.utf8.count <= 253,
          text.utf8.allSatisfy({ TableContext.isBareKeyByte($0) || $0 == UInt8(ascii: ".") })
        else { throw Refusal("has \(TOMLText.spelled(element)) in it, which is not a name") }
        names.append(text.lowercased())
      }
      return names
    } spell: {
      "[" + $0.map { TOMLText.quoted($0) }.joined(separator: ", ") + "]"
    }
  }
}

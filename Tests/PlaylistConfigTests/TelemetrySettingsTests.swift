import PlaybackCore
import PlaylistConfig
import Testing

@Suite("[telemetry]: what is named is on")
struct TelemetrySettingsTests {
  private func load(_ lines: String) -> LoadedConfiguration {
    Configuration.parse(
      Array("version = 1\n[telemetry]\n\(lines)\n[[playlist.main.item]]\nuri = \"a\"\n".utf8), path: "k")
  }

  private func lines(_ text: String) -> [String] { load(text).diagnostics.map(\.description) }

  @Test("Nothing is on by itself; one address is enough, and enabled = false turns all off")
  func enabled() throws {
    #expect(try !load("").get().telemetry.isEnabled)
    for line in ["http = \"127.0.0.1:9105\"", "mqtt = \"mqtt://a\"", "post = \"https://a/\"", "play_log = true"] {
      #expect(try load(line).get().telemetry.isEnabled, "\(line)")
      #expect(try !load(line + "\nenabled = false").get().telemetry.isEnabled, "\(line)")
    }
    #expect(try load("post_interval = 30").get().telemetry.isEnabled == false)
    #expect(
      lines("enabled = true") == [
        "k:2:2: warning: [telemetry].enabled: has no effect by itself, set one of http, mqtt, post or play_log"
      ])
  }

  @Test("An address that others can reach has a token, and is warned of without TLS")
  func reach() {
    #expect(lines("http = \"[::1]:1\"") == [])
    #expect(
      lines("http = \"0.0.0.0:9105\"") == [
        "k:3:8: [telemetry].http: can be reached by other machines, and there is no token, "
          + "name token_file or read_token_file, or listen at 127.0.0.1"
      ])
    let open = "http = \"192.168.1.7:9105\"\nread_token_file = \"/t\"\n"
    #expect(lines(open).count == 1 && lines(open)[0].contains("warning: [telemetry].http: has no TLS"))
    #expect(lines(open + "certificate_file = \"/c\"\nkey_file = \"/k\"") == [])
    #expect(
      lines("http = \"[::1]:1\"\nkey_file = \"/k\"") == [
        "k:2:2: [telemetry].certificate_file: missing, certificate_file and key_file are named together"
      ])
  }

  @Test("A broker without TLS is warned of where there is something to lose")
  func broker() {
    #expect(lines("mqtt = \"mqtt://hall\"") == [])
    #expect(lines("mqtt = \"mqtt://127.0.0.1\"\nmqtt_commands = true") == [])
    #expect(lines("mqtt = \"mqtt://hall\"\nmqtt_commands = true").count == 1)
    #expect(lines("mqtt = \"mqtts://hall\"\nmqtt_commands = true") == [])
  }

  @Test(
    "A text that isn't an address is refused",
    arguments: [
      "http = \"9105\"", "http = \"localhost:9105\"", "http = \"127.1:9105\"", "http = \"::1:9105\"",
      "http = \"127.0.0.1:0\"", "http = \"127.0.0.1:65536\"", "http = \"[127.0.0.1]:+1\"", "http = \"0177.0.0.1:1\"",
      "mqtt = \"hall\"", "mqtt = \"http://hall\"", "mqtt = \"mqtt://a:b@hall\"", "mqtt = \"mqtt://\"",
      "mqtt = \"mqtt://hall/x\"", "mqtt = \"mqtt://hall:\"", "mqtt_topic = \"a/#\"", "mqtt_topic = \"/a\"",
      "post = \"http://boards.example.org/\"", "post = \"/etc/passwd\"", "post_interval = 1",
      "hosts = [\"a:1\"]", "hosts = [\"\"]", "hosts = \"a\"", "token_file = \"token\"",
    ])
  func refused(line: String) {
    #expect(load(line).configuration == nil)
  }

  @Test("Addresses are read as they are meant")
  func addresses() throws {
    let settings = try load(
      "http = \"[::]:80\"\ntoken_file = \"/t\"\nmqtt = \"mqtts://Hall.\"\nhosts = [\"A.b\"]\npost = \"http://[::1]:8/r\""
    ).get().telemetry
    #expect(settings.http?.host == "::" && settings.http?.port == 80 && settings.http?.isLoopback == false)
    #expect(settings.mqtt.map { "\($0)" } == "mqtts://hall:8883")
    #expect(settings.hosts == ["a.b"])
    #expect(BrokerAddress("mqtt://h:443")?.port == 443)
    #expect(BrokerAddress("mqtt://h").map { "\($0)" } == "mqtt://h:1883")
    #expect(ListenAddress("127.4.5.6:1")?.isLoopback == true)
    #expect(ListenAddress("[::ffff:127.0.0.1]:1")?.isLoopback == true)
    #expect(ListenAddress("0.0.0.0:1")?.isLoopback == false)
    #expect(ListenAddress("[::1]:9105").map { "\($0)" } == "[::1]:9105")
  }
}

import PlaybackCore
import PlaylistConfig
import Testing

@Suite("The projector of a screen")
struct ProjectorSettingsTests {
  private func load(_ text: String) -> LoadedConfiguration {
    let list = "[[playlist.main.item]]\nuri = \"a.mp4\"\n"
    return Configuration.parse(Array(("version = 1\n" + text + list).utf8), path: "k")
  }

  private func display(_ address: String) -> String { "[display]\nprojector = \"\(address)\"\n" }

  @Test("An address has a host, perhaps a port, and perhaps an input")
  func addresses() throws {
    let settings = try load(
      display("pjlink://10.0.0.7/31") + "projector_password_file = \"/etc/vitrine/p\"\n"
    ).get().display
    let address = try #require(settings.projector)
    #expect(address.machine.host == "10.0.0.7" && address.machine.port == 4352 && address.input == "31")
    #expect("\(address)" == "pjlink://10.0.0.7/31" && address.place == "pjlink://10.0.0.7")
    #expect(settings.projectorPasswordFile == "/etc/vitrine/p")
    for text in [
      "pjlink://hall.local", "pjlink://hall.local:4000", "pjlink://[fd00::7]:4000/59", "pjlink://[fd00::7]",
    ] {
      #expect(ProjectorAddress(text)?.description == text, "\(text)")
    }
    #expect(try load("").get().display.projector == nil)
  }

  @Test("Anything else is refused, with what is allowed; a password in the address, too")
  func refused() {
    let faulty = [
      "10.0.0.7", "tcp://10.0.0.7", "pjlink:10.0.0.7", "pjlink://", "pjlink:///31", "pjlink://a b",
      "pjlink://a:0",
      "pjlink://a:70000", "pjlink://fd00::7", "pjlink://a/", "pjlink://a?input=31", "pjlink://a/3", "pjlink://a/30",
      "pjlink://a/61", "pjlink://a/311", "pjlink://a/3A", "pjlink://a/31/", "pjlink://a/31?a", "pjlink://a#b",
    ]
    for address in faulty {
      #expect(ProjectorAddress(address) == nil, "\(address)")
      let fault = load(display(address)).diagnostics.first
      #expect(fault?.keyPath == "[display].projector", "\(address.prefix(40))")
    }
    let long = "pjlink://" + String(repeating: "a", count: 9000)
    #expect(load(display(long)).diagnostics.map(\.message) == ["is too long"])
    let remedy = load(display("pjlink://a:1:2")).diagnostics.first?.allowed
    #expect(remedy?.contains("pjlink://10.0.0.7:4352") == true && remedy?.contains("pjlink://10.0.0.7/31") == true)
    let secret = load(display("pjlink://me:secret@10.0.0.7")).diagnostics.first
    #expect(secret?.message.contains("password") == true)
    #expect(secret?.allowed.contains("projector_password_file") == true)
  }

  private func screens(_ first: String, _ second: String, _ before: String = "") -> LoadedConfiguration {
    load(
      "\(before)[[screen]]\nname = \"a\"\nconnector = \"A\"\n\(first)\n[[screen]]\nname = \"b\"\nconnector = \"B\"\n\(second)\n"
    )
  }

  @Test("Each screen has its own; what it doesn't say is that of [display]")
  func each() throws {
    let one = try load(display("pjlink://a") + "[[screen]]\nname = \"a\"\nprojector_password_file = \"/p\"\n").get()
    let own = one.eachScreen[0].configuration.display
    #expect(own.projector == ProjectorAddress("pjlink://a") && own.projectorPasswordFile == "/p")
    let two = try screens(
      "projector = \"pjlink://a\"", "", "[display]\nprojector_password_file = \"/p\"\n"
    ).get().eachScreen.map(\.configuration.display)
    #expect(two.map(\.projector) == [ProjectorAddress("pjlink://a"), nil])
    #expect(two.map(\.projectorPasswordFile) == ["/p", "/p"])
  }

  @Test("Two screens can't have the same projector")
  func shared() {
    let same = screens("projector = \"pjlink://a/31\"", "projector = \"pjlink://a:4352\"").diagnostics
    #expect(same.map(\.keyPath) == ["[screen 2].projector"])
    #expect(same.first?.message == "is that of screen 1 too")
    #expect(screens("", "", display("pjlink://a")).diagnostics.first?.message == "is that of screen 1 too")
    #expect(screens("projector = \"pjlink://b\"", "", display("pjlink://a")).diagnostics.isEmpty)
  }
}

import Testing

@testable import PlaylistConfig

@Suite("Configurations on trial")
struct ConfigurationTrialTests {
  private let sources = [
    ConfigurationSource(path: "/etc/vitrine/vitrine.toml", text: Array("version = 1\n# é \\ \" ''' end\nend\n".utf8)),
    ConfigurationSource(path: "/etc/vitrine/conf.d/10-a b.toml", text: []),
  ]

  @Test("An unconfirmed configuration gets three starts; another one gets three of its own")
  func attempts() {
    var trial: ConfigurationTrial?
    for attempt in 1...3 {
      #expect(trial?.rejection(of: "s") == nil)
      trial = .begun("s", after: trial)
      #expect(trial?.attempts == attempt)
    }
    #expect(trial?.rejection(of: "s") == "the player ended 3 times before it was confirmed")
    #expect(trial?.rejection(of: "another") == nil)
    #expect(ConfigurationTrial.begun("another", after: trial).attempts == 1)
  }

  @Test("A record of a trial is read back as it was written")
  func text() {
    for reason in [nil, "no \"frames\"\n"] {
      let trial = ConfigurationTrial(fingerprint: "f", attempts: 2, rejection: reason)
      #expect(ConfigurationTrial(text: trial.text) == trial)
    }
    #expect(ConfigurationTrial(text: Array("attempts = 1\n".utf8)) == nil)
  }

  @Test("A count that a damaged file has is no count that ends the program")
  func damagedCount() throws {
    for count in ["9223372036854775807", "-9223372036854775808"] {
      let trial = try #require(ConfigurationTrial(text: Array("fingerprint = \"f\"\nattempts = \(count)\n".utf8)))
      #expect(ConfigurationTrial.begun("f", after: trial).attempts > 0)
    }
  }

  @Test("Fingerprints tell texts and names apart, and nothing else")
  func fingerprints() {
    let base = ConfigurationSource.fingerprint(of: sources)
    #expect(base == ConfigurationSource.fingerprint(of: sources) && base.count == 16)
    #expect(base != ConfigurationSource.fingerprint(of: sources.reversed()))
    #expect(base != ConfigurationSource.fingerprint(of: [sources[0]]))
    let a = [ConfigurationSource(path: "ab", text: Array("c".utf8))]
    let b = [ConfigurationSource(path: "a", text: Array("bc".utf8))]
    #expect(ConfigurationSource.fingerprint(of: a) != ConfigurationSource.fingerprint(of: b))
  }
}

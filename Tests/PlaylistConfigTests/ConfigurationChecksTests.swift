import InteractionCore
import PlaybackCore
import PlaylistConfig
import Testing

@Suite("Checks of settings against each other")
struct ConfigurationChecksTests {
  private let main = "[[playlist.main.item]]\nuri = \"a.mp4\"\n"

  private func lines(_ text: String) -> [String] {
    Configuration.parse(Array(("version = 1\n" + text + main).utf8), path: "k").diagnostics.map(\.description)
  }

  @Test(
    "A checksum that can't be checked is a warning, and the configuration stays in use",
    arguments: [
      ("http://h/a.mp4", "store = false\n", "", true), ("http://h/a.mp4", "", "[store]\nenabled = false\n", true),
      ("http://h/a.m3u8", "", "", true), ("rtsp://h/a", "", "", true), ("http://h/a.mp4", "", "", false),
      ("a.mp4", "store = false\n", "[store]\nenabled = false\n", false),
    ])
  func checksums(_ uri: String, _ key: String, _ table: String, _ isTold: Bool) {
    let sum = String(repeating: "0", count: 64)
    let item = "[[playlist.main.item]]\nuri = \"\(uri)\"\nchecksum = \"\(sum)\"\n\(key)"
    let loaded = Configuration.parse(Array(("version = 1\n" + table + item).utf8), path: "k")
    #expect(loaded.diagnostics.contains { $0.keyPath.hasSuffix(".checksum") } == isTold, "\(loaded.diagnostics)")
    #expect(loaded.configuration != nil)
  }

  @Test(
    "Names, dates and times that contradict each other",
    arguments: [
      (
        "[[schedule.rule]]\nplaylist = \"mian\"\n",
        "k:3:12: [schedule.rule 1].playlist: \"mian\": there is no playlist of that name, did you mean main?"
      ),
      (
        "[schedule]\ndefault = \"x\"\n",
        "k:3:11: [schedule].default: \"x\": there is no playlist of that name, there are: main"
      ),
      (
        "[attract]\nplaylist = \"loop\"\n",
        "k:3:12: [attract].playlist: \"loop\": there is no playlist of that name, there are: main"
      ),
      (
        "[[schedule.rule]]\npriority = 1\n",
        "k:2:1: [schedule.rule 1].playlist: missing, the name of a playlist is allowed: letters, digits, - and _"
      ),
      (
        "[[schedule.rule]]\nplaylist = \"main\"\nfrom = 2026-12-24\nuntil = 2026-12-01\n",
        "k:3:12: [schedule.rule 1].until: 2026-12-01: is before from, 2026-12-24, "
          + "without years (\"12-24\") a range may go over the end of the year"
      ),
      (
        "[[schedule.rule]]\nplaylist = \"main\"\nfrom = \"12-01\"\nuntil = 2026-12-24\n",
        "k:3:12: [schedule.rule 1].until: has a year and from has none, or the other way round, "
          + "both with a year or both without"
      ),
      (
        "[[schedule.off]]\nstart = \"08:00\"\nend = 08:00:00\n",
        "k:2:1: [schedule.off 1].end: \"08:00\": is the same as start, leave out both for the whole day"
      ),
      (
        "[[schedule.off]]\nstart = \"24:00\"\n",
        "k:2:1: [schedule.off 1].start: \"24:00\": is the end of the day, write \"00:00\""
      ),
      (
        "[[schedule.off]]\nend = \"00:00\"\n",
        "k:2:1: [schedule.off 1].end: \"00:00\": is the start of the day, write \"24:00\", or leave it out"
      ),
      (
        "[[schedule.off]]\n",
        "k:2:1: [schedule.off 1]: is empty, and the screen would be off for ever, give it days, dates or times"
      ),
      (
        "[[schedule.off]]\ndays = [\"mon\", \"tu\"]\n",
        "k:3:8: [schedule.off 1].days: [...]: has \"tu\" in it, which is not a day (did you mean \"tue\"?), "
          + "days such as [\"mon\", \"tue\"] are allowed; mon, tue, wed, thu, fri, sat, sun, weekdays, weekend are known"
      ),
      (
        "[[schedule.off]]\nfrom = \"02-30\"\n",
        "k:3:8: [schedule.off 1].from: \"02-30\": is not a date, "
          + "a date such as 2026-12-24, or \"12-24\" for every year, is allowed"
      ),
      (
        "[[schedule.off]]\nstart = \"8\"\n",
        "k:3:9: [schedule.off 1].start: \"8\": is not a time of the day, "
          + "a time such as \"08:30\" is allowed, from \"00:00\" to \"24:00\""
      ),
      (
        "[schedule]\ntimezone = \"/etc/passwd\"\n",
        "k:3:12: [schedule].timezone: \"/etc/passwd\": is not the name of a time zone, "
          + "an IANA name such as \"Europe/Berlin\" or \"UTC\" is allowed"
      ),
      (
        "[display]\noutput = \"wayland\"\nconnector = \"DP-1\"\n",
        "k:4:13: warning: [display].connector: \"DP-1\": has no effect with output = \"wayland\", "
          + "only \"kms\" and \"auto\" choose a connector"
      ),
      (
        "[[playlist.b.item]]\nuri = \"a\"\nstart = 5\nend = 5\n",
        "k:3:7: [playlist.b.item 1].end: is not after start, leave one of them out, or swap them"
      ),
      (
        "[[playlist.b.item]]\nuri = \"a\"\nat_end = \"attract\"\n",
        "k:3:7: warning: [playlist.b.item 1].at_end: \"attract\": ends no visit: visitors don't get this playlist, "
          + "name the playlist as visitors in [attract], or leave at_end out"
      ),
      (
        "[[playlist.b.item]]\nuri = \"a\"\nwhen = { start = \"10:00\", end = \"10:00\" }\n",
        "k:4:8: [playlist.b.item 1.when].end: \"10:00\": is the same as start, leave out both for the whole day"
      ),
      (
        "[[playlist.b.item]]\nuri = \"a\"\nchecksum = \"abc\"\n",
        "k:4:12: [playlist.b.item 1].checksum: \"abc\": is not a SHA-256 checksum, the 64 hexadecimal digits that "
          + "sha256sum prints are allowed, with or without \"sha256:\" before them"
      ),
      (
        "[[playlist.b.item]]\nuri = \"a\"\nrepeat = 0\n",
        "k:4:10: [playlist.b.item 1].repeat: 0: is too small, a whole number from 1 to 1000 is allowed"
      ),
      (
        "[[playlist.b.item]]\nuri = \"a\"\naudio_language = [\"de\", \"?\"]\n",
        "k:4:18: [playlist.b.item 1].audio_language: [...]: has \"?\" in it, which is not a language, "
          + "languages such as [\"de\", \"en-GB\"] are allowed, best first"
      ),
    ])
  func contradictions(text: String, expected: String) { #expect(lines(text) == [expected]) }

  @Test("Settings that fit together are accepted")
  func accepted() throws {
    let text = """
      version = 1
      [schedule]
      timezone = "America/Argentina/Buenos_Aires"
      default = "b"
      wait_for_ntp = true
      rule = [
        { name = "r", playlist = "b", priority = -3, days = ["weekdays", "Sunday"], from = "12-01", until = "01-06" },
        { playlist = "b", start = 22:00:00, end = "2:00", from = 2026-01-01, until = 2026-01-01 },
      ]
      [[playlist.b.item]]
      uri = "a"
      when = { days = ["sat"] }
      checksum = "SHA256:\(String(repeating: "Ab", count: 32))"
      """
    let configuration = try Configuration.parse(Array(text.utf8), path: "k").get()
    let rules = configuration.schedule.rules
    #expect(rules.map(\.priority) == [-3, 0])
    #expect(rules[0].condition.days.count == 6 && !rules[0].condition.days.contains(.saturday))
    #expect(rules[0].condition.from == .yearly(month: 12, day: 1))
    #expect(rules[1].condition.start?.seconds == 22 * 3600 && rules[1].condition.end?.seconds == 7200)
    #expect(configuration.mainPlaylist?.items.first?.when?.days == [.saturday])
    #expect(configuration.mainPlaylist?.items.first?.item.sha256 == String(repeating: "ab", count: 32))
  }

  @Test(
    "An item can end the visit where visitors get its playlist",
    arguments: [("visitors = \"b\"", true), ("playlist = \"main\"", true), ("playlist = \"b\"", false)])
  func lastOfVisit(keys: String, isForVisitors: Bool) {
    let text = "[attract]\n\(keys)\n[[playlist.b.item]]\nuri = \"a\"\nat_end = \"attract\"\n"
    #expect(lines(text).isEmpty == isForVisitors, "\(lines(text))")
  }

  private func accountLines(host: String, scheme: String, _ uri: String) -> [String] {
    let text = """
      version = 1
      [[network.server]]
      host = "\(host)"
      scheme = "\(scheme)"
      token_file = "/t"
      [[playlist.main.item]]
      uri = "\(uri)"
      """
    return Configuration.parse(Array(text.utf8), path: "k").diagnostics.map(\.description)
  }

  @Test(
    "An item with another scheme or port than its host's account gets a warning without the password",
    arguments: [
      ("a.example", "https", "http://me:secret@a.example/x", "http://a.example", "https://a.example"),
      ("a.example", "https", "https://A.example:8443/x", "https://a.example:8443", "https://a.example"),
      ("a.example", "http", "https://a.example/x", "https://a.example", "http://a.example"),
    ])
  func missedAccount(host: String, scheme: String, uri: String, origin: String, account: String) {
    let lines = accountLines(host: host, scheme: scheme, uri)
    #expect(
      lines == [
        "k:7:7: warning: [playlist.main.item 1].uri: is at \(origin), but the password of that host is for \(account): "
          + "the server is asked without a password, write the address as in [[network.server]], or add a [[network.server]] for it"
      ])
  }

  @Test(
    "An account of the item's own server, or of another host, is no reason for a warning",
    arguments: [
      ("a.example", "https", "https://a.example/x"), ("a.example", "http", "http://a.example:80/x"),
      ("a.example:8443", "https", "https://a.example:8443/x"), ("b.example", "https", "http://a.example/x"),
      ("[fd00::1]:8080", "http", "http://[FD00::1]:8080/x"),
    ])
  func rightAccount(host: String, scheme: String, uri: String) {
    #expect(accountLines(host: host, scheme: scheme, uri).isEmpty)
  }

  @Test("An account belongs to one origin, with https by default")
  func accountOrigin() throws {
    let text = """
      version = 1
      [network]
      allow_local_redirects = true
      [[network.server]]
      host = "a"
      [[network.server]]
      host = "a:81"
      scheme = "http"

      """
    let configuration = try #require(Configuration.parse(Array((text + main).utf8), path: "k").configuration)
    let access = configuration.network.access
    #expect(access.accounts.map(\.origin.description) == ["https://a", "http://a:81"])
    #expect(access.redirects.allowsLocal)
    #expect(!NetworkSettings().access.redirects.allowsLocal)
  }
}

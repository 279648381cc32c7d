import PlaylistConfig
import Testing

@Suite("Names of time zones")
struct TimeZoneNameTests {
  private let known = [
    "Europe/Berlin", "Europe/London", "America/New_York", "America/Los_Angeles", "Asia/Tokyo", "UTC",
  ]

  @Test(
    "A misspelt zone gets the likely zone as a proposal",
    arguments: [
      ("Europe/Berln", "Europe/Berlin"), ("europe/berlin", "Europe/Berlin"), ("Berlin", "Europe/Berlin"),
      ("Europa/Berlin", "Europe/Berlin"), ("New York", "America/New_York"), ("America/New York", "America/New_York"),
      ("W. Europe Standard Time", "Europe/Berlin"), ("MEZ", "Europe/Berlin"), ("CEST", "Europe/Berlin"),
      ("München", "Europe/Berlin"), ("Europe/Hamburg", "Europe/Berlin"), ("Lundon", "Europe/London"),
    ])
  func meant(written: String, found: String) { #expect(TimeZoneNames.meant(by: written, among: known) == found) }

  @Test("A name near to no zone gets no proposal; an offset is recognised as one")
  func none() {
    #expect(
      TimeZoneNames.meant(by: "Atlantis", among: known) == nil && TimeZoneNames.meant(by: "", among: known) == nil)
    #expect(TimeZoneNames.isOffset("UTC+2") && TimeZoneNames.isOffset("GMT-5") && TimeZoneNames.isOffset("+01:00"))
    #expect(!TimeZoneNames.isOffset("UTC") && !TimeZoneNames.isOffset("Europe/Berlin"))
  }

  @Test("The configuration's reader proposes a zone for a name that doesn't exist")
  func refused() {
    let text = "version = 1\n[schedule]\ntimezone = \"W. Europe Standard Time\"\n[[playlist.main.item]]\nuri = \"a\"\n"
    let diagnostic = Configuration.parse(Array(text.utf8), path: "v").diagnostics.first
    #expect(diagnostic?.allowed == "did you mean \"Europe/Berlin\"?")
    #expect(diagnostic?.excerpt?.corrected == "timezone = \"Europe/Berlin\"")
  }
}

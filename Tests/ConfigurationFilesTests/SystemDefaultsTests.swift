import ConfigurationFiles
import FileModel
import PlaybackCore
import PlaylistConfig
import Testing

@Suite("What is read where nobody says otherwise")
struct SystemDefaultsTests {
  @Test("A device is no medium, on the disk of this machine")
  func device() {
    let device = #expect(throws: VitrineError.self) { try ItemResolver().items(for: "/dev/null") }
    #expect(device?.configurationNumber == .unreadable)
  }

  @Test("A folder that is read whole has room for all that a configuration may list, and as many files beside it")
  func folders() { #expect(FolderLimits.names >= 2 * ConfigurationLimits.items) }
}

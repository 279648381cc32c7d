import ConfigurationFiles
import FileModel
import PlaybackCore
import PlaylistConfig
import Testing

@Suite("Defaults for reading files")
struct SystemDefaultsTests {
  @Test("The default file access refuses a device as a medium")
  func device() {
    let device = #expect(throws: VitrineError.self) { try ItemResolver().items(for: "/dev/null") }
    #expect(device?.configurationNumber == .unreadable)
  }

  @Test("The default limit of a folder's names is at least twice a configuration's items")
  func folders() { #expect(FolderLimits.names >= 2 * ConfigurationLimits.items) }
}

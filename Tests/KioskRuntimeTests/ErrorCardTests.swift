import Foundation
import InteractionCore
import PlaybackCore
import Testing

@testable import KioskRuntime

@Suite("The card of a configuration that can't be used")
struct ErrorCardTests {
  private func refusal(_ lines: [String], number: Int = 1001) -> ConfigurationRefusal {
    ConfigurationRefusal(
      lines: lines,
      error: VitrineError(
        number, subject: "/boot/firmware/vitrine.toml", message: "the configuration has 5 errors",
        remedy: "what is listed"))
  }

  @Test(
    "The card lists errors with their remedies, the drive's label as another computer shows it, and one error number")
  func drive() {
    let lines = [
      "/boot/firmware/vitrine.toml:4:7: the text has no quotes around it, a text stands between quotes; write: uri = \"a.mp4\"",
      "/boot/vitrine.toml: is saved as UTF-16", "/etc/vitrine/vitrine.toml:1:1: x", "y", "z",
    ]
    let card = ErrorCard.configurationErrors(refusal(lines), drive: "VITRINE")
    #expect(card.number == 1001)
    let body = VisitorTexts.english.text(card.body)
    #expect(
      body == """
        vitrine.toml on the drive VITRINE, line 4, column 7: the text has no quotes around it, a text stands between quotes; \
        write: uri = "a.mp4"
        vitrine.toml on the drive VITRINE: is saved as UTF-16
        /etc/vitrine/vitrine.toml:1:1: x
        and 2 more
        """)
    #expect(!body.contains("/boot") && !body.contains("error 1001") && !body.contains("listed"))
  }

  @Test("Without lines the card shows the error itself, with its own number")
  func error() {
    let card = ErrorCard.configurationErrors(refusal([], number: 1005), drive: "BOOT")
    #expect(card.number == 1005)
    #expect(
      VisitorTexts.english.text(card.body)
        == "vitrine.toml on the drive BOOT: the configuration has 5 errors\nwhat is listed")
  }

  @Test("The drive's name is the label of the mounted partition; without one it is the label of the project's image")
  func label() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "labels-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, device) in [("ROOT", "mmcblk0p2"), ("My\\x20drive", "mmcblk0p1")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.appending(path: name).path, withDestinationPath: "../../\(device)")
    }
    let mounts = "/dev/mmcblk0p2 / ext4 rw 0 0\n/dev/mmcblk0p1 /boot/firmware vfat rw 0 0\n"
    #expect(BootDrive.name(mounts: mounts, labels: folder.path) == "My drive")
    #expect(BootDrive.name(mounts: "/dev/sda1 / ext4 rw 0 0\n", labels: folder.path) == "VITRINE")
    #expect(BootDrive.name(mounts: "/dev/sda9 /boot vfat rw 0 0\n", labels: folder.path) == "VITRINE")
  }
}

import FileModel
import Foundation
import KioskCore
import KioskTestSupport
import PlaybackCore
import Testing

@testable import KioskRuntime

@Suite("Posters: the folder")
struct PosterFolderTests {
  private let box = PosterPolicy.box

  private func image(_ value: UInt8) throws -> PosterImage {
    let size = PixelSize(width: 5, height: 3)
    return try #require(
      PosterImage(size: size, planes: [UInt8](repeating: value, count: PosterImage.byteCount(of: size))))
  }

  private var facts: FilmFacts {
    var facts = FilmFacts()
    (facts.length, facts.hasCaptions, facts.hasLanguages) = (.milliseconds(90_500), true, true)
    return facts
  }

  @Test("A picture and its facts come back; a film without a picture is known as such; what isn't kept is nothing")
  func roundTrip() throws {
    let directory = try TemporaryDirectory()
    let folder = PosterFolder(directory.path("posters"))
    #expect(folder.survey("a.poster") == nil && folder.image("a.poster", in: box) == nil)
    try folder.keep(facts, try image(77), as: "a.poster")
    #expect(folder.survey("a.poster") == PosterMachine.Kept(facts: facts, hasPicture: true))
    #expect(folder.image("a.poster", in: box) == (try image(77)))
    try folder.keep(FilmFacts(), nil, as: "b.poster")
    #expect(folder.survey("b.poster") == PosterMachine.Kept(facts: FilmFacts(), hasPicture: false))
    #expect(folder.image("b.poster", in: box) == nil)
    try folder.keep(facts, try image(78), as: "a.poster")
    #expect(folder.image("a.poster", in: box) == (try image(78)))
  }

  @Test("A file that was cut, or has other bytes in it, is as none; one with a picture beyond the box too")
  func damaged() throws {
    let directory = try TemporaryDirectory()
    let folder = PosterFolder(directory.path("posters"))
    let path = directory.path("posters/a.poster")
    try folder.keep(facts, try image(77), as: "a.poster")
    let whole = try Data(contentsOf: URL(filePath: path))
    for count in 0..<whole.count {
      try whole.prefix(count).write(to: URL(filePath: path))
      #expect(folder.survey("a.poster") == nil && folder.image("a.poster", in: box) == nil, "\(count)")
    }
    var other = whole
    other[other.count - 2] ^= 1
    try other.write(to: URL(filePath: path))
    #expect(folder.survey("a.poster") != nil && folder.image("a.poster", in: box) == nil)
    // As a power cut leaves it: the length is right, the content was never written.
    try Data(count: whole.count).write(to: URL(filePath: path))
    #expect(folder.survey("a.poster") == nil)
    let large = PixelSize(width: 400, height: 400)
    let beyond = try #require(
      PosterImage(size: large, planes: [UInt8](repeating: 9, count: PosterImage.byteCount(of: large))))
    try folder.keep(facts, beyond, as: "a.poster")
    #expect(folder.image("a.poster", in: box) == nil)
  }

  @Test("The name differs when the file, what is played of it, or the box does, and for nothing else")
  func names() throws {
    let status = FileStatus(kind: .regular, identity: .init(device: 1, inode: 2), size: 10, modified: 20)
    let item = MediaItem(uri: "/a.mp4", title: "A", kind: .file)
    func name(_ change: (inout MediaItem, inout FileStatus, inout PixelSize) -> Void) -> String? {
      var (item, status, box) = (item, status, box)
      change(&item, &status, &box)
      return PosterFolder.name(of: item, status: status, in: box)
    }
    let usual = name { _, _, _ in }
    #expect(usual?.wholeMatch(of: #/[0-9a-f]{32}\.poster/#) != nil)
    let others = [
      name { item, _, _ in item.uri = "/b.mp4" }, name { item, _, _ in item.start = .seconds(1) },
      name { item, _, _ in item.end = .seconds(1) }, name { _, status, _ in status.size = 11 },
      name { _, status, _ in status.modified = 21 }, name { _, _, box in box.width = 300 },
    ]
    #expect(Set(others + [usual]).count == 7)
    let same = name { item, status, _ in (item.title, status.changed) = ("B", 5) }
    #expect(same == usual)
    #expect(PosterFolder.name(of: MediaItem(uri: "/nowhere.mp4", kind: .file), in: box) == nil)
  }

  @Test("Unlisted pictures go beyond a number, the oldest first, and beyond a size; other files stay")
  func room() throws {
    let directory = try TemporaryDirectory()
    let folder = PosterFolder(directory.path("posters"))
    for number in 0..<6 {
      try folder.keep(facts, try image(1), as: "\(number).poster")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: Double(1000 + number))],
        ofItemAtPath: directory.path("posters/\(number).poster"))
    }
    for name in ["7.poster.new", "notes.txt"] { _ = try directory.write("x", as: "posters/\(name)") }
    func left() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: directory.path("posters")).sorted()
    }
    folder.removeOthers(than: ["0.poster"], most: 4, bytes: 1 << 20)
    #expect(try left() == ["0.poster", "2.poster", "3.poster", "4.poster", "5.poster", "notes.txt"])
    let size = try Data(contentsOf: URL(filePath: directory.path("posters/0.poster"))).count
    folder.removeOthers(than: ["0.poster"], most: 4, bytes: Int64(3 * size))
    #expect(try left() == ["0.poster", "4.poster", "5.poster", "notes.txt"])
    folder.removeOthers(than: ["0.poster"], most: 0, bytes: 0)
    #expect(try left() == ["0.poster", "notes.txt"])
    PosterFolder("/nowhere/at/all").removeOthers(than: [])
  }

  @Test("500 films and their heads fit in the limit")
  func limits() throws {
    let directory = try TemporaryDirectory()
    let planes = [UInt8](repeating: 1, count: PosterImage.byteCount(of: box))
    let image = try #require(PosterImage(size: box, planes: planes))
    try PosterFolder(directory.url.path).keep(facts, image, as: "a.poster")
    let size = try Data(contentsOf: URL(filePath: directory.path("a.poster"))).count
    #expect(Int64(size * PosterPolicy.mostFilms) <= PosterPolicy.mostBytes)
  }
}

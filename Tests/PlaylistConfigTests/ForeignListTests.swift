import PlaybackCore
import PlaylistConfig
import Testing

/// Lists from other programs and other machines, and malicious ones.
@Suite("Lists of other machines")
struct ForeignListTests {
  private let media = [
    "/m/V/a.mp4": "x", "/m/V/My Film.mp4": "x", "/m/V/Bär.mp4": "x", "/m/V/100%.mp4": "x",
    "/m/V/Loud.MP4": "x", "/m/V/two.mp4": "x", "/m/V/TWO.mp4": "x",
  ]

  private func resolve(_ list: [UInt8], named name: String = "/m/list.m3u") -> ItemResolver<FakeFiles>.Resolution {
    var files = FakeFiles(media)
    files.files[name] = list
    return ItemResolver(files: files).resolve([name])
  }

  private func names(_ list: String, named name: String = "/m/list.m3u") -> [String] {
    resolve(Array(list.utf8), named: name).items.map { $0.uri.replacing("file:///m/V/", with: "") }
  }

  @Test(
    "A name that doesn't exist is tried in other spellings",
    arguments: [
      ("V\\a.mp4", "a.mp4"), (".\\V\\a.mp4", "a.mp4"), ("V/My%20Film.mp4", "My%20Film.mp4"),
      ("V\\My%20Film.mp4", "My%20Film.mp4"), ("V/B%C3%A4r.mp4", "B%C3%A4r.mp4"), ("V/B%E4r.mp4", "B%C3%A4r.mp4"),
      ("V/100%.mp4", "100%25.mp4"),
      ("v/A.MP4", "a.mp4"), ("V/loud.mp4", "Loud.MP4"), ("D:\\Clips\\V\\a.mp4", "a.mp4"),
      ("\\\\pc\\clips\\V\\a.mp4", "a.mp4"),
      ("\\V\\a.mp4", "a.mp4"), ("file:///D:/Clips/V/My%20Film.mp4", "My%20Film.mp4"),
      ("D:\\B\u{E4}\\V\\B\u{E4}R.mp4", "B%C3%A4r.mp4"),
    ])
  func otherNames(written: String, found: String) {
    #expect(names("#EXTM3U\r\n#EXTINF:1,A\r\n\(written)\r\n") == [found])
    #expect(names("[playlist]\r\nFile1=\(written)\r\nNumberOfEntries=1\r\n", named: "/m/list.pls") == [found])
  }

  @Test(
    "An existing name is used as it is; two names that differ only in case give no guess")
  func ownNames() {
    var files = FakeFiles(media)
    files.files["/m/V\\a.mp4"] = [1]
    files.files["/m/My%20Film.mp4"] = [1]
    files.files["/m/My Film.mp4"] = [1]
    files.files["/m/l.m3u"] = Array("V\\a.mp4\nMy%20Film.mp4\nV/TwO.mp4\n".utf8)
    let found = ItemResolver(files: files).resolve(["/m/l.m3u"])
    #expect(found.items.map(\.uri) == ["file:///m/V%5Ca.mp4", "file:///m/My%2520Film.mp4"])
    #expect(found.problems.map(\.configurationNumber) == [.mediaMissing])
  }

  @Test("UTF-16 of both kinds, with and without a mark, and the code page of Windows, for names and titles")
  func encodings() {
    let list = "#EXTM3U\r\n#EXTINF:1,Größe\r\nV/Bär.mp4\r\n"
    func utf16(_ isBig: Bool, _ mark: String) -> [UInt8] {
      (mark + list).utf16.flatMap { isBig ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)] }
    }
    let latin = list.unicodeScalars.map { UInt8($0.value) }
    for bytes in [utf16(true, "\u{FEFF}"), utf16(false, "\u{FEFF}"), utf16(true, ""), utf16(false, ""), latin] {
      let found = resolve(bytes)
      #expect(found.items.map(\.uri) == ["file:///m/V/B%C3%A4r.mp4"] && found.items.map(\.title) == ["Größe"])
    }
    // A euro sign and a curly quote are at bytes where the code page differs from Latin-1.
    #expect(resolve([0x80, 0x93] + Array(".mp4".utf8)).problems.first?.subject == "/m/list.m3u:1: €“.mp4")
  }

  @Test("xml:base, at each depth, with what is around it")
  func base() {
    func xspf(_ playlist: String, _ track: String, _ location: String) -> String {
      "<playlist version='1' \(playlist)><trackList><track \(track)><location>\(location)</location></track></trackList></playlist>"
    }
    for text in [
      xspf("xml:base=\"V/\"", "", "a.mp4"), xspf("xml:base = 'V/list.xspf'", "", "a.mp4"),
      xspf("xml:base=\"V/\"", "xml:base='./'", "a.mp4"), xspf("", "xml:base='V/'", "a.mp4"),
      xspf("xml:base=\"file:///m/V/\"", "", "a.mp4"), xspf("xml:base='W/'", "xml:base='file:///m/V/'", "a.mp4"),
      xspf("xml:base='W/'", "", "file:///m/V/a.mp4"), xspf("xml:base='W/'", "", "/m/V/a.mp4"),
      xspf("xml:base='file:///C:/clips/V/'", "", "a.mp4"),
    ] {
      #expect(names(text, named: "/m/l.xspf").map { $0.replacing("file:///m/V/./", with: "") } == ["a.mp4"], "\(text)")
    }
    let served = resolve(Array(xspf("xml:base='http://h/x/'", "", "b.mp4").utf8), named: "/m/l.xspf")
    #expect(served.items.map(\.uri) == ["http://h/x/b.mp4"])
  }

  @Test("A name that no spelling finds gets the nearest name as a hint, or a hint about Windows drives")
  func nearest() {
    let found = resolve(Array("V/My Flim.mp4\nD:\\x\\y.mp4\nV/nothing like it.mp4\n".utf8))
    #expect(
      found.problems.map(\.remedy) == [
        "did you mean My Film.mp4?",
        "a drive of Windows isn't here: put the file beside the list and write its name alone", "check the spelling",
      ])
  }

  @Test("Names in a stick's list, in any system's spelling, never lead off the stick")
  func confined() {
    var files = FakeFiles(["/etc/secret.mp4": "x", "/media/usb/sda1/a.mp4": "x"])
    files.files["/media/usb/sda1/l.m3u"] = Array(
      "..\\..\\..\\etc\\secret.mp4\n%2Fetc%2Fsecret.mp4\n..%2F..%2F..%2Fetc/secret.mp4\nC:\\..\\..\\etc\\secret.mp4\nB\\A.MP4\nA.MP4\n"
        .utf8)
    var found = ItemResolver<FakeFiles>.Resolution()
    let source = ConfigurationSource(
      path: "/media/usb/sda1/vitrine.toml", text: Array("version = 1\n[[playlist.main.item]]\nuri = \"l.m3u\"\n".utf8),
      origin: .stick(folder: FilePath("/media/usb/sda1")))
    let loaded = Configuration.check([source])
    guard let configuration = loaded.configuration, let playlist = configuration.mainPlaylist else {
      return #expect(Bool(false), "\(loaded.diagnostics)")
    }
    found = ItemResolver(files: files).resolve(playlist, of: configuration)
    #expect(found.items.map(\.uri) == ["file:///media/usb/sda1/a.mp4"])
  }

  // MARK: Harm

  @Test("Lists that name each other get one problem each, however often they are reached")
  func flood() {
    var files = FakeFiles(["/m/z.mp4": "x"])
    for (name, next) in zip("abcd", "bcde") {
      files.files["/m/\(name).m3u"] = Array(String(repeating: "\(next).m3u\n", count: 100).utf8)
    }
    let found = ItemResolver(files: files, problemsPerList: 1).resolve(["/m/z.mp4", "/m/a.m3u"])
    #expect(found.items.count == 1)
    #expect(found.problems.count <= 5, "\(found.problems.count)")
    #expect(found.problems.contains { $0.message.hasSuffix("more of its entries can't be had") })
  }

  @Test("After a thousand lists no further one is read, and the items found so far play")
  func total() {
    var files = FakeFiles(["/m/a.mp4": "x", "/m/x.m3u": "a.mp4\n"])
    files.files["/m/l.m3u"] = Array(String(repeating: "x.m3u\n", count: 1200).utf8)
    let found = ItemResolver(files: files).resolve(["/m/l.m3u"])
    #expect(found.items.count == 999)
    #expect(found.problems.map(\.message) == ["more than 1000 lists, or 32 MB of them, are named"])
    #expect(found.problems.first?.configurationNumber == .playlistTooLarge)
  }

  @Test("Missing entries are reported one by one up to a limit, and counted beyond it")
  func counted() {
    let list = Array((1...250).map { "gone\($0).mp4\n" }.joined().utf8)
    #expect(resolve(list).problems.count == 100)
    #expect(
      resolve(list).problems.last?.message == "no such file or directory, and 150 more of its entries can't be had")
    var files = FakeFiles(["/m/list.m3u": ""])
    files.files["/m/list.m3u"] = list
    let told = ItemResolver(files: files, problemsPerList: 1).resolve(["/m/list.m3u"]).problems
    #expect(told.map(\.subject) == ["/m/list.m3u:1: gone1.mp4"])
    #expect(told.first?.message == "no such file or directory, and 249 more of its entries can't be had")
    for index in 1...50 { files.denied.insert("/m/F/\(index).mp4") }
    for index in 1...50 { files.files["/m/F/\(index).mp4"] = [] }
    #expect(ItemResolver(files: files, problemsPerList: 1).resolve(["/m/F"]).problems.count <= 2)
  }

  @Test("Names that are nowhere cost little: after a thousand no other way is tried")
  func budget() {
    var files = FakeFiles(media)
    files.files["/m/list.m3u"] = Array((1...5000).map { "V\\gone%20\($0).mp4\n" }.joined().utf8)
    _ = ItemResolver(files: files).resolve(["/m/list.m3u"])
    #expect(files.log.all.count < 40_000, "\(files.log.all.count)")
  }
}

@Suite("Lines of a log")
struct ToldLinesTests {
  @Test("Up to forty, and how many more there are")
  func limit() {
    let lines = (1...50).map { "\($0)" }
    #expect(ToldLines.of(Array(lines.prefix(40))) == Array(lines.prefix(40)))
    #expect(ToldLines.of(lines) == Array(lines.prefix(40)) + ["and 10 more; vitrine check lists them"])
  }
}

/// A list that spells a film's name in other bytes than the disk. Swift's strings take both for equal.
private struct OneFilm: FileAccess {
  var name: [UInt8]
  var list: [UInt8]

  func status(of path: FilePath) throws(FileError) -> FileStatus {
    if path == FilePath("/m") { return FileStatus(kind: .directory, identity: .init(device: 1, inode: 1)) }
    guard path == FilePath("/m/list.m3u") || path.bytes == Array("/m/".utf8) + name else { throw FileError(.missing) }
    return FileStatus(kind: .regular, identity: .init(device: 1, inode: path.fileExtension == "m3u" ? 2 : 3))
  }
  func read(_ path: FilePath, limit: Int) throws(FileError) -> [UInt8] { path.fileExtension == "m3u" ? list : [] }
  func names(in directory: FilePath) throws(FileError) -> [[UInt8]] { [name, Array("list.m3u".utf8)] }
  func currentDirectory() throws(FileError) -> FilePath { FilePath("/") }
  func confined(to folder: FilePath) -> OneFilm { self }
}

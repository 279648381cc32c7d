import ContentStore
import Testing

@Suite("Folders that a store may use")
struct StoreClaimTests {
  private let index = "vitrine store 1\t2\nend\n"

  @Test("The store refuses a folder with other files in it, whatever their names are")
  func foreign() {
    #expect(StoreClaim.of(names: ["notes.txt", "1.mp4"], marker: nil, indexes: []) == .foreign("notes.txt"))
    #expect(StoreClaim.of(names: ["1.jpg", "2.jpg"], marker: nil, indexes: []) == .foreign("1.jpg"))
    #expect(StoreClaim.of(names: ["1.jpg", "index"], marker: nil, indexes: ["a list of mine\n"]) == .foreign("1.jpg"))
    #expect(StoreClaim.of(names: ["x", "index"], marker: nil, indexes: [index]) == .foreign("x"))
  }

  @Test("The store takes an empty folder, and one from a version that wrote no marker, even with a damaged index")
  func taken() {
    #expect(StoreClaim.of(names: [], marker: nil, indexes: []) == .toBeMarked)
    #expect(StoreClaim.of(names: ["lost+found", ".vitrine-store.new"], marker: nil, indexes: []) == .toBeMarked)
    let names = ["1.mp4", "2.mp4.part", "index", "index.new"]
    #expect(StoreClaim.of(names: names, marker: nil, indexes: [index]) == .toBeMarked)
    let damaged = "vXtrine store 1\t2\nwhole\t1.mp4\t5\t5\t0\t-\t-\t-\thttp://h/a.mp4\nend\n"
    #expect(StoreClaim.of(names: names, marker: nil, indexes: [damaged]) == .toBeMarked)
  }

  @Test("The store takes a marked folder with anything in it, unless a later version marked it")
  func marked() {
    #expect(StoreClaim.of(names: ["notes.txt", "1.mp4"], marker: StoreClaim.marker, indexes: []) == .ours)
    #expect(StoreClaim.of(names: ["1.mp4"], marker: "vitrine store 3\n", indexes: []) == .later)
    #expect(StoreClaim.of(names: ["1.mp4"], marker: "\u{0}", indexes: []) == .foreign("1.mp4"))
  }
}

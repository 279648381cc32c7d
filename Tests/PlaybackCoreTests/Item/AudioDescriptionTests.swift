import PlaybackCore
import Testing

@Suite("Sound tracks that describe the picture")
struct AudioDescriptionTests {
  @Test(
    "A title in the words of many languages says so, and AD as a word of its own",
    arguments: [
      "Audio Description", "English (AD)", "Audiodeskription", "Audiodescription", "Audiodescripción", "AD - English",
      "Descriptive Audio", "Deutsch, für Sehbehinderte: Hörfilm", "解説放送", "Synstolkning", "English, audio-described",
    ])
  func named(title: String) {
    #expect(AudioDescription.isNamed(in: title))
  }

  @Test("Other titles don't", arguments: ["", "English", "Commentary", "Adagio", "Radio", "5.1 lossless"])
  func unnamed(title: String) {
    #expect(!AudioDescription.isNamed(in: title))
  }

  private func big(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
  private func box(_ kind: String, _ content: [UInt8]...) -> [UInt8] {
    let content = Array(content.joined())
    return big(content.count + 8) + kind.utf8 + content
  }
  private func track(_ handler: String, name: String = "", _ facts: [UInt8]...) -> [UInt8] {
    box(
      "trak", box("mdia", box("hdlr", big(0), big(0), Array(handler.utf8), big(0) + big(0) + big(0), Array(name.utf8))),
      facts.isEmpty ? [] : box("udta", Array(facts.joined())))
  }
  private func find(_ bytes: [UInt8]) -> [Bool] {
    AudioDescription.find { place, count in
      guard let start = Int(exactly: place), start <= bytes.count, count <= bytes.count - start else { return nil }
      return Array(bytes[start..<(start + count)])
    }
  }
  private func film(_ tracks: [UInt8]...) -> [UInt8] {
    box("ftyp", big(0)) + box("moov", box("mvhd"), Array(tracks.joined()))
  }

  @Test("In an MP4 the name of its handler, its own name, its characteristics or its role say so")
  func mp4() {
    func kind(_ scheme: String, _ value: String) -> [UInt8] {
      box("kind", big(0), Array(scheme.utf8) + [0] + Array(value.utf8) + [0])
    }
    let bytes = film(
      track("vide", name: "Audio description"), track("soun", name: "SoundHandler"),
      track("soun", name: "English AD"), track("soun", box("name", Array("Audiodeskription".utf8))),
      track("soun", box("tagc", Array("public.accessibility.describes-video".utf8))),
      track("soun", kind("urn:mpeg:dash:role:2011", "main"), kind("urn:mpeg:dash:role:2011", "description")),
      track("soun", kind("urn:tva:metadata:cs:AudioPurposeCS:2007", "1")),
      track("soun", kind("urn:mpeg:dash:role:2011", "dub"), box("tagc", Array("public.subtitle".utf8))))
    #expect(find(bytes) == [false, true, true, true, true, true, false])
  }

  @Test("Files that are cut anywhere, others, and none give what can be read, and end")
  func broken() {
    let bytes = film(track("soun", name: "AD"), track("soun", name: "x"), track("vide"))
    #expect(find(bytes) == [true, false])
    for count in 0..<bytes.count { #expect(find(Array(bytes.prefix(count))).count <= 2) }
    #expect(find(Array("RIFF and so on, moov trak".utf8)).isEmpty)
  }
}

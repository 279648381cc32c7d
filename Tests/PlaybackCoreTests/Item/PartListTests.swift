import Testing

@testable import PlaybackCore

/// Lists of streams in parts, tested with an unsafe or a safe address at each place that takes one.
@Suite("Addresses that a list of parts may name")
struct PartListTests {
  private static let addresses: [(text: String, isHarmless: Bool)] = [
    ("part1.ts", true), ("/a/part:1.ts", true), ("//cdn.example/a.ts", true), ("https://cdn.example/a.ts", true),
    ("HTTP://cdn.example/a.ts", true), ("data:;base64,AAAA", true), ("1080p/a.ts", true), ("", true),
    ("file:///etc/passwd", false), ("FILE:///etc/passwd", false), ("file:/etc/passwd", false), (" file:///a", false),
    ("rtsp://a/b", false), ("udp://239.0.0.1:5", false), ("v4l2:///dev/video0", false), ("cdda://1", false),
    ("smb://server/a", false), ("appsrc://", false), ("playbin+file:///a", false),
  ]

  private static let playlists: [String] = [
    "#EXTM3U\n#EXTINF:2,\nADDRESS\n",
    "#EXTM3U\r\n#EXTINF:2,\r\nADDRESS\r\n#EXT-X-ENDLIST\r\n",
    "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nADDRESS\n",
    "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"ADDRESS\",IV=0x1\n",
    "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=ADDRESS\n",
    "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128, URI = \"ADDRESS\"\n",
    "#EXTM3U\n#EXT-X-MAP:URI=\"ADDRESS\",BYTERANGE=\"1@0\"\n",
    "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"x\",URI=\"ADDRESS\"\n",
    "#EXTM3U\n#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"ADDRESS\"\n",
    "#EXTM3U\n#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"ADDRESS\"\n",
    "#EXTM3U\n#EXT-X-SESSION-DATA:DATA-ID=\"x\",URI=\"ADDRESS\"\n",
    "#EXTM3U\n#EXT-X-PART:DURATION=1,URI=\"ADDRESS\"\n",
    "#EXTM3U\n#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"ADDRESS\"\n",
    "#EXTM3U\n#EXT-X-RENDITION-REPORT:URI=\"ADDRESS\"\n",
  ]

  @Test("HLS: every tag with an address, and every line that is an address, is checked", arguments: playlists)
  func hls(list: String) {
    for address in Self.addresses {
      let text = list.split(separator: "ADDRESS", omittingEmptySubsequences: false).joined(separator: address.text)
      // `data:` is harmless for a key or a map, but not as a list within the address.
      let mayHoldData = ["#EXT-X-KEY", "#EXT-X-SESSION-KEY", "#EXT-X-MAP"].contains { text.contains($0) }
      let isHarmless = address.isHarmless && (mayHoldData || !address.text.hasPrefix("data:"))
      #expect(PartList.isHarmlessHLS(Array(text.utf8)) == isHarmless, "\(text)")
    }
  }

  private static let manifests: [String] = [
    "<MPD><BaseURL>ADDRESS</BaseURL></MPD>",
    "<MPD><BaseURL serviceLocation=\"a>b\">\n  ADDRESS\n</BaseURL></MPD>",
    "<m:MPD xmlns:m=\"urn:mpeg:dash:schema:mpd:2011\"><m:BaseURL>ADDRESS</m:BaseURL></m:MPD>",
    "<MPD><BaseURL><!-- > --><![CDATA[ADDRESS]]></BaseURL></MPD>",
    "<MPD><Location>ADDRESS</Location></MPD>",
    "<MPD><PatchLocation ttl=\"1\">ADDRESS</PatchLocation></MPD>",
    "<MPD><SegmentTemplate media=\"ADDRESS\" startNumber=\"1\"/></MPD>",
    "<MPD><SegmentTemplate media='a$Number$' initialization='ADDRESS'/></MPD>",
    "<MPD><SegmentTemplate index = \"ADDRESS\"/></MPD>",
    "<MPD><SegmentTemplate bitstreamSwitching=\"ADDRESS\"/></MPD>",
    "<MPD><SegmentBase><Initialization sourceURL=\"ADDRESS\"/></SegmentBase></MPD>",
    "<MPD><SegmentBase><RepresentationIndex sourceURL=\"ADDRESS\"/></SegmentBase></MPD>",
    "<MPD><SegmentList><SegmentURL media=\"ADDRESS\"/></SegmentList></MPD>",
    "<MPD><SegmentList><SegmentURL index=\"ADDRESS\"/></SegmentList></MPD>",
    "<MPD><Period xlink:href=\"ADDRESS\" xlink:actuate=\"onLoad\"/></MPD>",
    "<MPD><AdaptationSet xlink:href=\"ADDRESS\"/></MPD>",
    "<MPD><UTCTiming schemeIdUri=\"urn:mpeg:dash:utc:http-xsdate:2014\" value=\"https://a/ ADDRESS\"/></MPD>",
  ]

  @Test("DASH: every element and attribute with an address is checked", arguments: manifests)
  func dash(manifest: String) {
    for address in Self.addresses {
      let text = manifest.split(separator: "ADDRESS", omittingEmptySubsequences: false).joined(separator: address.text)
      #expect(PartList.isHarmlessDASH(Array(text.utf8)) == address.isHarmless, "\(text)")
    }
  }

  @Test(
    "DASH: a manifest that can't be read to its end, or isn't written in UTF-8, isn't harmless",
    arguments: [
      "<?xml version=\"1.0\"?><?x '?><MPD><BaseURL>file:///a</BaseURL></MPD>",
      "<?xml version=\"1.0\" encoding=\"UTF-7\"?><MPD/>", "<?xml version='1.0' encoding = 'utf-16'?><MPD/>",
      "<MPD><!-- ", "<MPD><![CDATA[", "<MPD a=\"", "<MPD media=x href=\"file:///a\"/>",
      "<\u{0}M\u{0}P\u{0}D\u{0}>\u{0}",
    ])
  func unreadable(text: String) { #expect(!PartList.isHarmlessDASH(Array(text.utf8))) }

  @Test(
    "DASH: usual instructions and encodings are harmless",
    arguments: [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<MPD/>", "<?xml version='1.0' encoding='utf-8'?><MPD></MPD>",
      "<?xml version=\"1.0\"?><?made by='somebody'?><MPD/>",
    ])
  func usual(text: String) { #expect(PartList.isHarmlessDASH(Array(text.utf8))) }

  @Test(
    "DASH: a disguised address isn't harmless",
    arguments: [
      "<MPD><BaseURL>&#102;ile:///etc/passwd</BaseURL></MPD>", "<MPD><BaseURL>fi<!-- -->le:///a</BaseURL></MPD>",
      "<MPD><SegmentURL media=\"&#x66;ile:///a\"/></MPD>", "<MPD><BaseURL>f<?x?>ile:///a</BaseURL></MPD>",
      "<MPD><BaseURL>f<b>ile:///a</b></BaseURL></MPD>",
      "<!DOCTYPE MPD [<!ENTITY x \"file\">]><MPD><BaseURL>&x;:///a</BaseURL></MPD>",
    ])
  func disguises(manifest: String) {
    #expect(!PartList.isHarmlessDASH(Array(manifest.utf8)))
  }

  @Test("A manifest of many beginnings is read once in all, not once for each")
  func beginnings() {
    // Four times the length takes four times as long, not sixteen times.
    func cost(_ beginning: String, count: Int) -> Double {
      let text = Array(String(repeating: beginning, count: count).utf8)
      return processorTime {
        _ = PartList.isHarmlessDASH(text)
        _ = PartList.isHarmlessHLS(text)
      }
    }
    for beginning in ["<BaseURL>", "<BaseURL><!-- -->", "<a media='", "<BaseURL><![CDATA[", "<!--", "<"] {
      #expect(cost(beginning, count: 20_000) < 9 * cost(beginning, count: 5000), "\(beginning)")
    }
  }

  @Test("Lists that are cut at any byte are read without a crash")
  func cut() {
    for list in Self.manifests + Self.playlists {
      let bytes = Array(list.utf8)
      for end in bytes.indices {
        _ = PartList.isHarmlessDASH(bytes[..<end])
        _ = PartList.isHarmlessHLS(bytes[..<end])
      }
    }
  }
}

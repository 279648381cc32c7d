import Foundation
import JSONText
import KioskTestSupport
import PlaylistConfig
import Testing

@Suite("Documents of the configuration")
struct ConfigurationDocumentsTests {
  private func diagnostics(_ text: String) -> [String] {
    Configuration.parse(Array(text.utf8), path: "t").diagnostics.map(\.description)
  }

  @Test("docs/configuration.md is what `make reference` makes")
  func reference() throws {
    let page = try String(contentsOf: Tool.root.appending(path: "docs/configuration.md"), encoding: .utf8)
    #expect(page == ConfigurationDocuments.markdown, "run `make reference`")
  }

  @Test("The commented file is a configuration, with and without its comments")
  func commented() {
    let text = ConfigurationDocuments.commentedTOML
    #expect(diagnostics(text) == ["t: warning: [playlist.main]: missing, nothing plays by itself"])
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 120 })
    // Every default and example is accepted in its place, once the playlists that they name exist.
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix("#") && !line.hasPrefix("# ") ? String(line.dropFirst()) : String(line)
    }
    let playlists = ["films", "loop", "morning"].map { "[[playlist.\($0).item]]\nuri = \"a.mp4\"\n" }.joined()
    let found = diagnostics(lines.joined(separator: "\n") + playlists)
    #expect(found.isEmpty, "\(found)")
  }

  @Test("The JSON Schema has every key of the commented file, with its default")
  func schema() throws {
    let data = Data(ConfigurationDocuments.jsonSchema.pretty.utf8)
    let schema = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(schema["required"] as? [String] == ["version"])
    let tables = try #require(schema["properties"] as? [String: [String: Any]])
    #expect(
      tables.keys.sorted() == [
        "alert", "attract", "audio", "control", "cue", "display", "input", "network", "overlay", "playback", "playlist",
        "schedule", "screen", "store", "telemetry", "usb", "version", "warnings",
      ])
    let loop = try #require((tables["playback"]?["properties"] as? [String: [String: Any]])?["loop"])
    #expect(loop["type"] as? String == "boolean" && loop["default"] as? Bool == true)
    let playlist = try #require(tables["playlist"]?["additionalProperties"] as? [String: Any])
    let item = try #require((playlist["properties"] as? [String: [String: Any]])?["item"]?["items"] as? [String: Any])
    #expect(item["required"] as? [String] == ["uri"])
  }

  @Test("Every TOML text in the documents and every example is a configuration without errors", arguments: examples)
  func example(_ example: Example) {
    // A fragment may leave out the version; a page says it once.
    let isWhole = example.text.contains("version = 1") || example.path.hasSuffix(".toml")
    let found = Configuration.parse(
      Array(((isWhole ? "" : "version = 1\n") + example.text).utf8), path: example.path
    ).diagnostics.filter { $0.severity == .error }
    #expect(found == [])
  }

  struct Example: Sendable, CustomTestStringConvertible {
    var path: String
    var text: String
    var testDescription: String { path }
  }

  /// The files in config/, and the text between ```toml and ``` in any page.
  static let examples: [Example] = {
    var examples: [Example] = []
    for folder in ["config", "docs", ""] {
      let url = Tool.root.appending(path: folder)
      let names =
        folder.isEmpty ? ["README.md"] : FileManager.default.enumerator(atPath: url.path)?.allObjects as? [String]
      for name in (names ?? []).sorted() {
        guard let text = try? String(contentsOf: url.appending(path: name), encoding: .utf8) else { continue }
        if folder == "config", name.hasSuffix(".toml"), !name.hasPrefix("languages/") {
          examples.append(Example(path: "config/\(name)", text: text))
        }
        guard name.hasSuffix(".md") else { continue }
        for (index, part) in text.components(separatedBy: "```toml\n").dropFirst().enumerated() {
          examples.append(
            Example(path: "\(folder)/\(name) \(index + 1)", text: part.components(separatedBy: "```")[0]))
        }
      }
    }
    return examples
  }()

  @Test("There are examples to check")
  func someExamples() {
    #expect(Self.examples.contains { $0.path == "config/demo.toml" })
    #expect(Self.examples.contains { $0.path.hasPrefix("/README.md") })
    #expect(Self.examples.contains { $0.path.hasPrefix("docs/configuration.md") })
  }
}

public import FoundationEssentials
internal import MediaPipeline
public import PlaybackCore

// Items by what most programs have in hand: a path, or an address. What kind of item it is, is found out.

extension MediaItem {
  /// An item in a file of this machine. Its first bytes say whether it is a picture, a film or a list of a stream's parts; of a
  /// file that isn't there the player tells that.
  ///
  /// Reads from the file's disk, and waits for that.
  ///
  /// - Parameters:
  ///   - path: absolute, or from the process' current directory.
  ///   - title: what a view shows; empty shows nothing.
  public init(path: String, title: String = "") {
    let absolute = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    self.init(
      uri: FileAddress.uri(path: Array(absolute.utf8)), title: title,
      kind: MediaKind(fileStart: FileStart.read(absolute, count: ServedMedium.sniffedLength)), origin: path)
  }

  /// An item at an address. Of a file as for ``PlaybackCore/MediaItem/init(path:title:)``; of a server the address says what
  /// it is taken for, and what the server sends then has the last word.
  ///
  /// - Parameters:
  ///   - url: `file`, `http`, `https`, `rtsp` or `udp`; of any other scheme the item fails.
  ///   - title: what a view shows; empty shows nothing.
  public init(url: URL, title: String = "") {
    if url.isFileURL {
      self.init(path: url.path, title: title)
    } else {
      self.init(
        uri: url.absoluteString, title: title, kind: MediaKind(scheme: url.scheme ?? "", path: url.path),
        origin: url.absoluteString)
    }
  }
}

extension MediaKind {
  /// Of a local file, by how it begins; where it can't be read it is taken for a film, which then tells why not.
  init(fileStart start: [UInt8]) {
    switch ServedMedium(contentType: nil, start: start) {
    case .picture: self = .picture
    case .hls, .dash: self = .adaptive
    case .film, .m3u, .pls, .xspf, nil: self = .file
    }
  }

  /// Of something on a network. A wrong guess costs a connection and nothing else: see `ServedMedium`.
  init(scheme: String, path: String) {
    let name = path.lowercased()
    switch scheme.lowercased() {
    case "rtsp", "rtsps": self = .rtsp
    case "udp": self = .udp
    default: self = name.hasSuffix(".m3u8") || name.hasSuffix(".mpd") ? .adaptive : .progressive
    }
  }
}

public import FoundationEssentials
internal import MediaPipeline
public import PlaybackCore

// Items from a path or an address, as most programs have them. The kind of the item is found out.

extension MediaItem {
  /// An item in a file of this machine. The file's first bytes tell whether it is a picture, a film or a stream's
  /// manifest. A missing file is reported by the player.
  ///
  /// Reads from the file's disk and waits for it.
  ///
  /// - Parameters:
  ///   - path: absolute, or from the process' current directory.
  ///   - title: the title for views; empty for none.
  public init(path: String, title: String = "") {
    let absolute = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    self.init(
      uri: FileAddress.uri(path: Array(absolute.utf8)), title: title,
      kind: MediaKind(fileStart: FileStart.read(absolute, count: ServedMedium.sniffedLength)), origin: path)
  }

  /// An item at an address. For a file as ``PlaybackCore/MediaItem/init(path:title:)``; for a server the address
  /// suggests the kind, and the server's answer decides.
  ///
  /// - Parameters:
  ///   - url: `file`, `http`, `https`, `rtsp` or `udp`; with any other scheme the item fails.
  ///   - title: the title for views; empty for none.
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
  /// The kind of a local file, by its first bytes. An unreadable file counts as a film, so that playing it reports the
  /// reason.
  init(fileStart start: [UInt8]) {
    switch ServedMedium(contentType: nil, start: start) {
    case .picture: self = .picture
    case .hls, .dash: self = .adaptive
    case .film, .m3u, .pls, .xspf, nil: self = .file
    }
  }

  /// The kind of a network item, by its address. A wrong guess only costs a connection: see `ServedMedium`.
  init(scheme: String, path: String) {
    let name = path.lowercased()
    switch scheme.lowercased() {
    case "rtsp", "rtsps": self = .rtsp
    case "udp": self = .udp
    default: self = name.hasSuffix(".m3u8") || name.hasSuffix(".mpd") ? .adaptive : .progressive
    }
  }
}

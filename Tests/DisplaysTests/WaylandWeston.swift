import Foundation
import KioskTestSupport
import Testing

/// A headless Weston of the test's own, with a runtime directory of its own; both go with the object.
final class Weston {
  let directory: URL
  var socket: String { directory.appending(path: "wl-test").path }
  private let process = Process()

  /// The colour behind all windows.
  static let background = Pixel(0x20, 0x40, 0x60)

  static let isInstalled = ["weston", "weston-screenshooter", "convert"].allSatisfy { tool in
    ["/usr/local/bin", "/usr/bin", "/bin"].contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)") }
  }

  /// Starts the compositor and waits until its socket is there.
  init(width: Int, height: Int) async throws {
    directory = URL(filePath: "/tmp/vitrine-weston-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let config = """
      [shell]
      startup-animation=none
      animation=none
      close-animation=none
      panel-position=none
      locking=false
      background-color=0xff204060
      """
    try config.write(to: directory.appending(path: "weston.ini"), atomically: true, encoding: .utf8)
    process.executableURL = URL(filePath: "/usr/bin/env")
    // desktop-shell and not kiosk-shell, which shows nothing as long as there is no seat. --debug lets
    // weston-screenshooter in.
    process.arguments = [
      "weston", "--backend=headless-backend.so", "--use-pixman", "--shell=desktop-shell.so", "--width=\(width)",
      "--height=\(height)", "--socket=wl-test", "--idle-time=0", "--debug",
      "--config=\(directory.path)/weston.ini", "--log=\(directory.path)/weston.log",
    ]
    process.environment = environment
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    try await until("Weston's socket") { FileManager.default.fileExists(atPath: self.socket) }
    // The shell paints the background when it is ready for windows.
    try await until("Weston's background") { try self.picture()[0, 0] == Self.background }
  }

  deinit {
    kill()
    try? FileManager.default.removeItem(at: directory)
  }

  func kill() {
    guard process.isRunning else { return }
    Glibc.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Takes a screenshot.
  func picture() throws -> Picture {
    for file in try screenshots() { try FileManager.default.removeItem(at: file) }
    try run("weston-screenshooter")
    let file = try #require(try screenshots().first)
    // The last one stays for people to look at.
    try run("convert", file.path, "-depth", "8", "ppm:picture.ppm")
    if let keep = ProcessInfo.processInfo.environment["VITRINE_KEEP_SCREENSHOTS"] {
      try FileManager.default.copyItem(atPath: file.path, toPath: "\(keep)/\(UUID().uuidString).png")
    }
    return try #require(Picture(ppm: try Data(contentsOf: directory.appending(path: "picture.ppm"))))
  }

  /// Waits until the screen is as expected, or reports its picture.
  func expect(
    _ wanted: [(x: Int, y: Int, Pixel)], _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    var last: [Pixel] = []
    try? await eventually("the screen is as expected") {
      let picture = try picture()
      last = wanted.map { picture[$0.x, $0.y] }
      return last == wanted.map { $0.2 }
    }
    #expect(last == wanted.map { $0.2 }, comment, sourceLocation: sourceLocation)
  }

  /// Waits until the screen has changed three times.
  func expectMotion(_ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    var last = try picture()
    var changes = 0
    try? await eventually("three changes") {
      let picture = try picture()
      if picture != last { changes += 1 }
      last = picture
      return changes == 3
    }
    #expect(changes == 3, comment, sourceLocation: sourceLocation)
  }

  private func until(_ what: String, _ isDone: () throws -> Bool) async throws {
    try await eventually(what) { try isDone() }
  }

  private var environment: [String: String] {
    var environment = ProcessInfo.processInfo.environment
    environment["XDG_RUNTIME_DIR"] = directory.path
    environment["WAYLAND_DISPLAY"] = "wl-test"
    return environment
  }

  private func screenshots() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "png" }
  }

  private func run(_ arguments: String...) throws {
    let tool = Process()
    tool.executableURL = URL(filePath: "/usr/bin/env")
    tool.arguments = arguments
    tool.environment = environment
    tool.currentDirectoryURL = directory
    tool.standardError = FileHandle.nullDevice
    try tool.run()
    tool.waitUntilExit()
  }
}

struct Pixel: Equatable, CustomStringConvertible {
  let red: UInt8
  let green: UInt8
  let blue: UInt8
  init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }
  static let black = Pixel(0, 0, 0)
  var description: String { "(\(red) \(green) \(blue))" }
}

/// A screenshot as `convert` writes it: "P6", width, height, 255, pixels.
struct Picture: Equatable {
  let width: Int
  let height: Int
  private let pixels: [UInt8]

  init?(ppm: Data) {
    let header = ppm.prefix(32).split(separator: 0x0a, maxSplits: 3)
    guard header.count == 4, header[0].elementsEqual("P6".utf8), header[2].elementsEqual("255".utf8) else { return nil }
    let sizes = header[1].split(separator: 0x20).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    guard sizes.count == 2 else { return nil }
    (width, height) = (sizes[0], sizes[1])
    pixels = Array(ppm.dropFirst(header[0].count + header[1].count + header[2].count + 3))
    guard pixels.count == width * height * 3 else { return nil }
  }

  subscript(x: Int, y: Int) -> Pixel {
    let i = (y * width + x) * 3
    return Pixel(pixels[i], pixels[i + 1], pixels[i + 2])
  }
}

import FileModel
import FileSystem
import Testing

@Suite("The file system of the machine")
struct SystemFileAccessTests {
  private let files = SystemFileAccess()

  @Test("The system's file access answers as the in-memory one does")
  func answers() throws {
    // The path at compile time: Tests/FileSystemTests/... in the package.
    let package = FilePath(#filePath).directory.directory.directory
    let file = package.resolving(FilePath("Package.swift"))
    #expect(try files.status(of: file).kind == .regular)
    #expect(try files.status(of: file.directory).kind == .directory)
    #expect(try files.read(file, limit: 3) == Array("// ".utf8))
    #expect(try files.names(in: file.directory).contains(Array("Package.swift".utf8)))
    #expect(try files.currentDirectory().isAbsolute)
    let missing = #expect(throws: FileError.self) { try files.read(FilePath("/none/x"), limit: 1) }
    #expect(missing?.isMissing == true)
    #expect(throws: FileError(.missing)) { try files.status(of: FilePath(file.text + "\u{0}")) }
    #expect(throws: FileError(.missing)) { try files.names(in: file) }
  }
}

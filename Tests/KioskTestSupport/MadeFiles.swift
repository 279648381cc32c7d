import Foundation

/// Files made by a script of Tests/Tools, once in a process.
actor MadeFiles {
  private let script: String
  private let folder: String
  private var making: Task<String, any Error>?

  /// - Parameters:
  ///   - script: the script's name in Tests/Tools; it is called with the folder.
  ///   - folder: the folder within the repository.
  init(by script: String, in folder: String) {
    self.script = script
    self.folder = folder
  }

  func path(_ name: String) async throws -> String { try await directory() + "/" + name }

  func directory() async throws -> String {
    if let making { return try await making.value }
    let task = Task { [script, folder] in
      let directory = Tool.root.appending(path: folder).path
      let outcome = try await Tool.run(
        Tool.root.appending(path: "Tests/Tools/\(script)").path, [directory], limit: .infinity)
      guard outcome.status == 0 else { throw MediaError(description: "\(script) failed: \(outcome.errors)") }
      return directory
    }
    making = task
    return try await task.value
  }
}

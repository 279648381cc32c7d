internal import CLoadedPages

/// The pages that this process has read of the program and its libraries.
enum ProgramPages {
  /// Gives back the pages read so far. A start runs through much code that a film never needs again: the reader of
  /// configurations, the command line, the constructors of a hundred libraries. Pages that are needed come back one by
  /// one from the system's cache. See decision 0168.
  ///
  /// - Returns: the number of bytes that were given back.
  @discardableResult static func giveBack() -> Int { vit_give_back_loaded_pages() }
}

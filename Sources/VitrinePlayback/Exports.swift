// One import is enough for a client: what the player's own interface speaks of comes with it. Of the modules below the
// pipeline only single names do; the rest of them is nobody's business outside of this package.
@_exported public import class MainLoop.GLibExecutor
@_exported public import struct MediaPipeline.CapturedFrame
@_exported public import PlaybackCore
@_exported public import ScreenModel

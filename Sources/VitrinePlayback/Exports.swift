// One import is enough for a client: the types in the player's own interface come with it. From the modules below the
// pipeline only single names are exported; the rest isn't part of the interface.
@_exported public import class MainLoop.GLibExecutor
@_exported public import struct MediaPipeline.CapturedFrame
@_exported public import PlaybackCore
@_exported public import ScreenModel

internal import MediaPipeline
internal import PlaybackCore
public import PlaylistConfig

extension BoardProfile {
  /// Applies the board's facts. The configuration and the command line are applied later and override them.
  public func apply(to options: inout KioskOptions) {
    options.planeScales = planeScales
    options.modeLimit = modeLimit
    options.panelMillimetres = panelMillimetres
    if decoderMemory == .copy { options.decoders.copyFrames() }
    if let deinterlacing { options.decoders.deinterlacing = deinterlacing }
    options.decoders.picturesOfDecoder = picturesOfDecoder
    options.decoders.avoided = Set(avoidedDecoders ?? [])
    options.policy.decodesOneStream = decodesOneStream == true
    if forbiddenSeeks?.contains(.exact) == true {
      options.decoders.exactSeeks = forbiddenSeekDecoders.map { .forbiddenWith(Set($0)) } ?? .forbidden
    }
  }
}

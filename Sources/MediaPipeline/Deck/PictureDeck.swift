internal import CCrash
internal import CGStreamer
internal import PictureDecoder
internal import PictureFiles
internal import PlaybackCore

// A picture's pipeline: `source ! PictureFeed ! VideoChain`. The source is the same that films from that address use,
// so a picture from a network waits and tries again as a film does.

extension DeckPipeline {
  static func picture(_ recipe: DeckRecipe, _ format: DeckFormat) throws(VitrineError) -> DeckPipeline {
    // The decoder's process starts while the file is read.
    PictureDecoding.warmUp()
    let pipeline = try Element.pipeline(name: "\(recipe.id)")
    pipeline.observeParts { vit_record_element(recipe.id.generation, $0.name) }
    recipe.servers.apply(to: pipeline)
    pipeline.holdSources(to: recipe.item)
    let source = try pictureSource(recipe.item)
    var demand = format.video
    demand.shape = demand.shape.ofPictures(screen: format.screen)
    let feed = PictureFeed(recipe, shape: demand.shape, background: format.background)
    let frames = try feed.makeElement()
    let sink = try appsink("video", caps: format.videoCaps, lead: DeckTiming.videoLead, of: format)
    let chain = try VideoChain(into: [sink], accepting: format.videoCaps, demand: demand)
    pipeline.add(source, frames, chain.bin)
    try source.link(to: frames)
    try frames.link(to: chain.bin)
    return DeckPipeline(
      pipeline: pipeline, videoSink: sink, soundSink: nil, textSink: nil, tracks: nil, videoChain: chain,
      picture: feed)
  }

  private static func pictureSource(_ item: MediaItem) throws(VitrineError) -> Element {
    guard let pointer = gst_element_make_from_uri(GST_URI_SRC, item.uri, nil, nil) else {
      throw VitrineError(
        7202, subject: item.uri, message: "there is no GStreamer element that reads this address",
        remedy: "install the packages of deploy/packages.txt, section [run]")
    }
    let source = Element(sinking: pointer)
    // The whole file is wanted at once: larger blocks than those for playing.
    source.set("blocksize", int: 256 * 1024)
    if let reach = item.namedFrom { source.set("named-from", int: Int32(reach.rawValue)) }
    return source
  }
}

extension FrameShape {
  /// Pictures are always fitted: most have more pixels than any screen.
  func ofPictures(screen: PixelSize) -> FrameShape {
    switch self {
    case .fitted, .covering, .filling: self
    case .asDecoded: .fitted(screen: screen, pixelAspect: .one)
    case .placed: withoutPlane
    }
  }

  /// The size at which the screen can show a picture: a decoder needn't give more pixels.
  func wanted(of picture: PixelSize) -> PixelSize {
    switch self {
    case .asDecoded, .placed: picture
    case .fitted(let screen, let aspect), .covering(let screen, let aspect):
      PictureFit.contain(PresentationSize(pixels: picture), in: screen, screenPixelAspect: aspect).size
    case .filling(let screen, _, _):
      // The shorter side fills the screen.
      if picture.width * screen.height < picture.height * screen.width {
        PixelSize(
          width: screen.width, height: (picture.height * screen.width + picture.width - 1) / max(1, picture.width))
      } else {
        PixelSize(
          width: (picture.width * screen.height + picture.height - 1) / max(1, picture.height), height: screen.height)
      }
    }
  }
}

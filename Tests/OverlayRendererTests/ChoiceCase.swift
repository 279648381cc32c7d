import InteractionCore
import OverlayRenderer
import PlaybackCore
import Testing

/// A golden picture of the panel of choices, of captions as a visitor wants them, or of a bar that stands higher.
struct ChoiceCase: CustomTestStringConvertible, Sendable {
  var name: String
  var width: Int
  var height: Int
  /// Languages of the sound and of captions; the second list without a first means no panel.
  var sounds = ["en", "de", "fr"]
  var captions = ["en", "de", "fr"]
  var choices = VisitorChoices()
  var hasPanel = true
  var bar: TransportBar?
  var cues = [
    States.cue(
      "It was late when they came back,\nand nobody had lit the lamps.", spans: [StyleSpan(.italic, bytes: 7..<11)])
  ]
  var position = 0.0
  var focus: Choice?
  var pressed: Choice?
  var look = OverlayLook()
  /// Pixels per millimetre.
  var density: Double?
  var testDescription: String { name }
  var size: PixelSize { PixelSize(width: width, height: height) }

  static let seven = 480.0 / 86
  /// A screen of 55 inches, upright: 1209 mm high.
  static let upright = 1920.0 / 1209

  static let latin: [ChoiceCase] = [
    ChoiceCase(name: "choices-1280x720", width: 1280, height: 720, choices: chosen { $0.captions = .on(nil) }),
    ChoiceCase(name: "choices-1920x1080", width: 1920, height: 1080, focus: .size(.large)),
    ChoiceCase(name: "choices-640x480", width: 640, height: 480, pressed: .captions(.off)),
    ChoiceCase(name: "choices-1080x1920", width: 1080, height: 1920, focus: .description, density: upright),
    ChoiceCase(name: "choices-7-inch", width: 800, height: 480, focus: .close, density: seven),
    ChoiceCase(name: "choices-7-inch-upright", width: 480, height: 800, density: seven),
    ChoiceCase(
      name: "choices-many-800x480", width: 800, height: 480, captions: many, position: 12.4, density: seven),
    ChoiceCase(name: "choices-few-1280x720", width: 1280, height: 720, sounds: ["en", "de"], captions: []),
    ChoiceCase(
      name: "choices-german-800x480", width: 800, height: 480, position: 6, look: look(in: "de"), density: seven),
    ChoiceCase(name: "choices-french-1280x720", width: 1280, height: 720, look: look(in: "fr")),
    ChoiceCase(name: "choices-spanish-1280x720", width: 1280, height: 720, look: look(in: "es")),
    ChoiceCase(
      name: "choices-arabic-1280x720", width: 1280, height: 720, sounds: ["ar", "en"], captions: ["ar", "en"],
      cues: [States.cue("كان الوقت متأخراً عندما عادوا،\nولم يكن أحد قد أضاء المصابيح.")], focus: .highContrast,
      look: look(in: "ar")),
    ChoiceCase(
      name: "choices-contrast-1280x720", width: 1280, height: 720, focus: .captions(.off),
      look: look { $0.contrast = .high }),
    ChoiceCase(name: "choices-largest-1280x720", width: 1280, height: 720, look: look { $0.scale = 3 }),
    ChoiceCase(
      name: "choices-largest-720x1280", width: 720, height: 1280, position: 8, look: look { $0.scale = 3 }),
    ChoiceCase(
      name: "choices-raised-1080x1920", width: 1080, height: 1920, look: look { $0.heightMillimetres = 350 },
      density: upright),
    looks("captions-large-1280x720", 1280, 720) { $0.size = .large },
    looks("captions-larger-1280x720", 1280, 720) { $0.size = .larger },
    looks("captions-box-1280x720", 1280, 720) { $0.ground = .box },
    looks("captions-box-larger-720x1280", 720, 1280) {
      $0.size = .larger
      $0.ground = .box
    },
    looks("captions-contrast-1280x720", 1280, 720) { $0.hasHighContrast = true },
    looks("captions-contrast-box-640x480", 640, 480) {
      $0.size = .large
      $0.ground = .box
      $0.hasHighContrast = true
    },
    colors("captions-colors-1280x720", 1280, 720) { _ in },
    colors("captions-colors-box-1280x720", 1280, 720) { $0.ground = .box },
    colors("captions-colors-contrast-1280x720", 1280, 720) { $0.hasHighContrast = true },
    raised("raised-1080x1920", 1080, 1920, 350, upright), raised("raised-7-inch", 800, 480, 12, seven),
    raised("raised-most-1280x720", 1280, 720, 2000, 3),
    raised("raised-contrast-1080x1920", 1080, 1920, 350, upright, contrast: .high),
    raised("raised-dragging-1080x1920", 1080, 1920, 350, upright, isDragged: true),
  ]
  static let han = [
    ChoiceCase(
      name: "choices-japanese-1280x720", width: 1280, height: 720, sounds: ["ja", "en"], captions: ["ja", "en"],
      cues: [States.cue("帰ってきたのは遅い時間で、\n明かりはどこにもなかった。")], look: look(in: "ja"))
  ]

  private static let many = [
    "ar", "bg", "ca", "cs", "cy", "da", "de", "el", "en", "es", "et", "eu", "fa", "fi", "fr", "ga", "gl", "he", "hi",
    "hr", "hu", "is", "it", "ja", "ko", "lb", "lt", "lv", "mt", "nb", "nl", "pl", "pt", "ro", "ru", "sk", "sl", "sr",
    "sv", "th",
  ]

  private static func looks(
    _ name: String, _ width: Int, _ height: Int, _ change: (inout CaptionLook) -> Void
  ) -> ChoiceCase {
    var golden = ChoiceCase(name: name, width: width, height: height, hasPanel: false)
    change(&golden.choices.captions)
    golden.cues.append(States.cue("[a door slams]", placement: CuePlacement(line: .row(0), alignment: .left)))
    return golden
  }

  /// Speakers in colours of their own, one on a ground of its own, one in a region; and a colour that can't be read.
  private static func colors(
    _ name: String, _ width: Int, _ height: Int, _ change: (inout CaptionLook) -> Void
  ) -> ChoiceCase {
    var golden = looks(name, width, height, change)
    func cue(_ text: String, _ styles: [StyleSpan.Style], _ placement: CuePlacement? = nil) -> SubtitleCue {
      States.cue(text, spans: styles.map { StyleSpan($0, bytes: 0..<text.utf8.count) }, placement: placement)
    }
    var region = CueRegion()
    (region.width, region.viewportAnchor) = (40, CueRegion.Point(x: 5, y: 60))
    golden.cues = [
      cue("It was late when they came back.", [.color(RGBColor(0xFFFF00))]),
      cue("And nobody had lit the lamps.", [.background(RGBColor(0x0000FF)), .color(RGBColor(0x00FFFF))]),
      cue("[a door slams]", [.color(RGBColor(0x0000FF))], CuePlacement(line: .row(0), alignment: .left)),
      cue("An older line", [.color(RGBColor(0x00FF00))], CuePlacement(alignment: .start, region: region)),
      cue("and the newest below it", [.color(RGBColor(0xFF0000))], CuePlacement(alignment: .start, region: region)),
    ]
    return golden
  }

  /// A bar that stands higher than the screen's edge, with captions below or above it and at the top.
  private static func raised(
    _ name: String, _ width: Int, _ height: Int, _ millimetres: Double, _ density: Double,
    contrast: OverlayLook.Contrast = .normal, isDragged: Bool = false
  ) -> ChoiceCase {
    var golden = ChoiceCase(name: name, width: width, height: height, hasPanel: false, density: density)
    golden.look.heightMillimetres = millimetres
    golden.look.contrast = contrast
    golden.bar = States.playingBar
    golden.bar?.isDragged = isDragged
    golden.bar?.buttons = OverlayButton.allCases.filter { $0 != .tiles }
    golden.cues.append(States.cue("[a door slams]", placement: CuePlacement(line: .row(0), alignment: .left)))
    return golden
  }

  private static func chosen(_ change: (inout TrackWish) -> Void) -> VisitorChoices {
    var choices = VisitorChoices()
    change(&choices.tracks)
    return choices
  }

  private static func look(in language: String) -> OverlayLook { look { $0.language = LanguageTag(language) } }

  private static func look(_ change: (inout OverlayLook) -> Void) -> OverlayLook {
    var look = OverlayLook()
    change(&look)
    return look
  }

  var list: ChoiceList {
    var tracks = sounds.enumerated().map { number, language in
      MediaTrack(id: "audio-\(number)", kind: .audio, language: language, isEnabled: number == 0)
    }
    if let first = sounds.first, !captions.isEmpty {
      tracks.append(MediaTrack(id: "audio-ad", kind: .audio, language: first, isDescription: true, isEnabled: true))
    }
    tracks += captions.enumerated().map { number, language in
      MediaTrack(id: "text-\(number)", kind: .text, language: language, isEnabled: number == 0)
    }
    return ChoiceList(tracks, choices, hasSound: true, hasHighContrast: look.contrast == .high)
  }

  func model(_ renderer: OverlayRenderer) -> OverlayModel {
    var model = OverlayModel(bar: bar, subtitles: cues)
    model.captionLook = choices.captions
    if hasPanel {
      let list = list
      model.choices = ChoiceWall(
        list, renderer.choiceGrid(screen: size, density: density), position: position,
        focus: focus.flatMap { list.place(of: $0) }, pressed: pressed.flatMap { list.place(of: $0) })
    }
    return model
  }

  func render() throws -> Picture {
    let renderer = OverlayRenderer(theme: Theme(look, texts: Languages.texts(look)))
    let overlay = try #require(renderer.render(model(renderer), screen: size, density: density))
    return try Composition.render(
      screen: size, background: RGBColor(red: 128, green: 128, blue: 128), overlay: overlay)
  }
}

// swift-tools-version: 6.2
import PackageDescription

/// The settings of every Swift target; see decision 0001.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

let strictC: [CSetting] = [
  .enableWarning("all"), .enableWarning("extra"), .disableWarning("unused-parameter"), .treatAllWarnings(as: .error),
]

/// The condition for dependencies of the program alone. A client that embeds the library names no traits (`traits:
/// []`), and doesn't fetch them.
let kiosk = TargetDependencyCondition.when(traits: ["Kiosk"])

let package = Package(
  name: "vitrine",
  products: [
    .executable(name: "vitrine", targets: ["vitrine"]),
    .executable(name: "vitrine-pictures", targets: ["vitrine-pictures"]),
    .library(
      name: "VitrinePlayback", targets: ["VitrinePlayback", "PlaybackCore", "ScreenModel", "MediaPipeline", "MainLoop"]),
  ],
  traits: [
    .trait(
      name: "Kiosk", description: "The program vitrine; what embeds the library alone does without and fetches less."),
    .default(enabledTraits: ["Kiosk"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    // Only for `make docs`; no product links it.
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
  ],
  targets: [
    // One door to each C library.
    .systemLibrary(name: "CGLib", path: "Sources/C/CGLib", pkgConfig: "glib-2.0"),
    .systemLibrary(name: "CGStreamer", path: "Sources/C/CGStreamer", pkgConfig: "gstreamer-app-1.0"),
    .systemLibrary(name: "CSoup", path: "Sources/C/CSoup", pkgConfig: "libsoup-3.0"),
    .systemLibrary(name: "CMosquitto", path: "Sources/C/CMosquitto", pkgConfig: "libmosquitto"),
    .systemLibrary(name: "CDRM", path: "Sources/C/CDRM", pkgConfig: "libdrm"),
    // libinput, libseat and libudev: input devices, seats, and what is plugged in.
    .systemLibrary(name: "CDevices", path: "Sources/C/CDevices", pkgConfig: "libinput"),
    .systemLibrary(name: "CLibevdev", path: "Sources/C/CLibevdev", pkgConfig: "libevdev"),
    .systemLibrary(name: "CWaylandClient", path: "Sources/C/CWaylandClient", pkgConfig: "wayland-client"),
    .systemLibrary(name: "CGdkPixbuf", path: "Sources/C/CGdkPixbuf", pkgConfig: "gdk-pixbuf-2.0"),
    .systemLibrary(name: "CPangoCairo", path: "Sources/C/CPangoCairo", pkgConfig: "pangocairo"),
    // The parts of these libraries that Swift can't import: macros, variadic functions.
    .target(name: "CGLibShims", dependencies: ["CGLib"], path: "Sources/C/CGLibShims", cSettings: strictC),
    .target(
      name: "CGStreamerShims", dependencies: ["CGStreamer", "CElements"], path: "Sources/C/CGStreamerShims",
      cSettings: strictC,
      linkerSettings: [
        .linkedLibrary("gstvideo-1.0"), .linkedLibrary("gstpbutils-1.0"), .linkedLibrary("gstaudio-1.0"),
      ]),
    // Our own elements: an element is a GObject class, which Swift can't define. The source of network items; the filter
    // that converts HDR to SDR, and touches every pixel; a reader of files that no element of GStreamer opens. And the
    // resampler of sound, which touches every sample.
    .target(
      name: "CElements", dependencies: ["CGStreamer", "CSoup"], path: "Sources/C/CElements", cSettings: strictC,
      linkerSettings: [.linkedLibrary("gstvideo-1.0"), .linkedLibrary("m")]),
    // Loads libjxl when the first JPEG XL is shown; memory for pictures that another process decodes.
    .target(name: "CPictures", path: "Sources/C/CPictures", cSettings: strictC),
    // What Swift can't call of Linux itself: variadic functions, requests that are macros, structures with unions.
    .target(name: "CLinux", path: "Sources/C/CLinux", cSettings: strictC),
    .target(name: "CWaylandProtocols", dependencies: ["CWaylandClient"], path: "Sources/C/CWaylandProtocols"),
    .target(name: "CCrash", path: "Sources/C/CCrash", cSettings: strictC),
    .target(
      name: "CTOML", path: "Sources/C/CTOML",
      cxxSettings: [.enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error)]),

    // Pure cores: values in, actions out.
    .target(name: "PlaybackCore", swiftSettings: strict),
    .target(name: "FileModel", dependencies: ["PlaybackCore"], swiftSettings: strict),
    .target(name: "JSONText", dependencies: ["PlaybackCore"], swiftSettings: strict),
    .target(name: "ScreenModel", dependencies: ["PlaybackCore"], swiftSettings: strict),
    .target(name: "PictureFiles", dependencies: ["PlaybackCore"], swiftSettings: strict),
    .target(name: "ContentStore", dependencies: ["PlaybackCore"], swiftSettings: strict),
    .target(name: "InteractionCore", dependencies: ["PlaybackCore", "JSONText"], swiftSettings: strict),
    .target(
      name: "PlaylistConfig",
      dependencies: ["PlaybackCore", "PictureFiles", "InteractionCore", "FileModel", "JSONText", "CTOML"],
      swiftSettings: strict),
    .target(
      name: "KioskCore", dependencies: ["PlaybackCore", "InteractionCore", "JSONText"], swiftSettings: strict),
    // The protocol of the control socket, over which other programs control a running player.
    .target(
      name: "ControlProtocol", dependencies: ["PlaybackCore", "InteractionCore", "KioskCore", "JSONText"],
      swiftSettings: strict),
    // Monitoring from afar: figures, a web page, access rights, and the records kept for later. The page is part of the
    // program.
    .target(
      name: "TelemetryCore",
      dependencies: ["PlaybackCore", "InteractionCore", "KioskCore", "ControlProtocol", "JSONText"],
      resources: [
        .embedInCode("Web/Page/page.html"), .embedInCode("Web/Page/page.css"), .embedInCode("Web/Page/page.js"),
        .embedInCode("Web/Page/icon.svg"),
      ], swiftSettings: strict),

    // Shells.
    // Access to the file system.
    .target(
      name: "FileSystem", dependencies: ["FileModel", "PlaybackCore", "CLinux"], swiftSettings: strict),
    .target(
      name: "ConfigurationFiles", dependencies: ["FileSystem", "FileModel", "PlaybackCore", "PlaylistConfig"],
      swiftSettings: strict),
    .target(
      name: "OverlayRenderer",
      dependencies: ["PlaybackCore", "InteractionCore", "FileModel", "FileSystem", "CPangoCairo"], swiftSettings: strict
    ),
    .target(
      name: "Downloads",
      dependencies: ["ContentStore", "PlaybackCore", "FileModel", "FileSystem", "MainLoop", "CGLib", "CSoup"],
      swiftSettings: strict),
    // The connection to an MQTT broker.
    .target(name: "Mosquitto", dependencies: ["PlaybackCore", "MainLoop", "CMosquitto"], swiftSettings: strict),
    .target(
      name: "WebServer", dependencies: ["TelemetryCore", "PlaybackCore", "MainLoop", "CSoup"], swiftSettings: strict),
    .target(
      name: "MainLoop", dependencies: ["PlaybackCore", "FileModel", "FileSystem", "CGLib", "CGLibShims"],
      swiftSettings: strict),
    .target(
      name: "PictureDecoder",
      dependencies: ["PictureFiles", "PlaybackCore", "FileSystem", "MainLoop", "CGdkPixbuf", "CPictures", "CLinux"],
      swiftSettings: strict),
    .target(
      name: "MediaPipeline",
      dependencies: [
        "PlaybackCore", "ScreenModel", "FileModel", "FileSystem", "MainLoop", "PictureFiles", "PictureDecoder",
        "CGStreamer", "CGStreamerShims", "CElements", "CCrash",
      ],
      swiftSettings: strict),
    .target(
      name: "VitrinePlayback",
      dependencies: ["PlaybackCore", "ScreenModel", "MainLoop", "MediaPipeline", "PictureDecoder"],
      swiftSettings: strict),
    .target(
      name: "Displays",
      dependencies: [
        "PlaybackCore", "ScreenModel", "InteractionCore", "FileSystem", "MainLoop", "CDRM", "CDevices",
        "CWaylandClient", "CWaylandProtocols", "CLibevdev", "CLinux",
      ],
      swiftSettings: strict),
    // Supervision of this process by the processes that start it: the state that is kept, reported and counted across
    // crashes.
    .target(
      name: "Supervision",
      dependencies: [
        "PlaybackCore", "KioskCore", "FileModel", "FileSystem", "JSONText", "MainLoop", "CLinux", "CCrash",
      ],
      swiftSettings: strict),
    .target(
      name: "KioskRuntime",
      dependencies: [
        "Supervision", "ControlProtocol", "TelemetryCore", "CLinux", "FileModel",
        "PlaybackCore", "KioskCore", "InteractionCore", "ContentStore", "PlaylistConfig", "ConfigurationFiles",
        "FileSystem", "JSONText", "OverlayRenderer", "MainLoop", "MediaPipeline", "VitrinePlayback", "Displays",
        "Downloads", "PictureFiles", "PictureDecoder", "WebServer", "Mosquitto",
        .product(name: "Logging", package: "swift-log", condition: kiosk),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "vitrine",
      dependencies: [
        "KioskRuntime", "KioskCore", "Supervision", "ControlProtocol", "TelemetryCore", "VitrinePlayback",
        "MediaPipeline", "MainLoop", "PictureDecoder",
        "InteractionCore", "FileModel",
        "PlaybackCore",
        "PlaylistConfig",
        "ConfigurationFiles", "FileSystem", "JSONText", "Displays", "CLinux",
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: kiosk),
        .product(name: "Logging", package: "swift-log", condition: kiosk),
      ],
      swiftSettings: strict),

    // Decodes pictures for the player. It links nothing else, so that its start takes little time from the player's.
    .executableTarget(name: "vitrine-pictures", dependencies: ["PictureDecoder"], swiftSettings: strict),

    // Reads configurations for toml-test's protocol.
    .executableTarget(name: "toml-decoder", dependencies: ["PlaylistConfig", "JSONText"], swiftSettings: strict),
    // Work whose instructions are counted (Tests/Performance/counts).
    .executableTarget(
      name: "counted-work",
      dependencies: ["PlaybackCore", "InteractionCore", "KioskCore", "OverlayRenderer", "KioskTestSupport"],
      path: "Tests/Performance/CountedWork", swiftSettings: strict),

    // The examples are built here too, so that the tests can run them; `make examples` builds them as their users do.
    .executableTarget(
      name: "PlayerTour", dependencies: ["VitrinePlayback"], path: "Examples/PlayerTour/Sources/PlayerTour",
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .systemLibrary(name: "CGtk", path: "Examples/PlayInWindow/Sources/CGtk", pkgConfig: "gtk4-wayland"),
    .executableTarget(
      name: "PlayInWindow", dependencies: ["VitrinePlayback", "CGtk"],
      path: "Examples/PlayInWindow/Sources/PlayInWindow",
      swiftSettings: [.treatAllWarnings(as: .error)]),

    .target(
      name: "KioskTestSupport", dependencies: ["PlaybackCore", "InteractionCore", "MainLoop"],
      path: "Tests/KioskTestSupport",
      swiftSettings: strict),
    .target(
      name: "EngineTestSupport", dependencies: ["VitrinePlayback", "MediaPipeline", "PlaybackCore", "MainLoop"],
      path: "Tests/EngineTestSupport", swiftSettings: strict),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "vitrine", "KioskRuntime", "ControlProtocol", "JSONText", "KioskTestSupport", "PlaybackCore", "KioskCore",
        "InteractionCore", "OverlayRenderer", "counted-work",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SoundEndToEndTests",
      dependencies: [
        "VitrinePlayback", "MediaPipeline", "MainLoop", "PlaybackCore", "ScreenModel", "KioskTestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "MediaPipelineTests",
      dependencies: [
        "MediaPipeline", "PlaybackCore", "ScreenModel", "MainLoop", "KioskTestSupport", "CGStreamer", "CGStreamerShims",
        "CElements", "CClockThief", "CStandInDecoder",
      ],
      swiftSettings: strict, linkerSettings: [.linkedLibrary("gstallocators-1.0")]),
    // A GStreamer element of the tests, which is a GObject class.
    .target(name: "CClockThief", dependencies: ["CGStreamer"], path: "Tests/CClockThief", cSettings: strictC),
    // Another one, which is also a plugin on the virtual board.
    .target(
      name: "CStandInDecoder", dependencies: ["CGStreamer"], path: "Tests/CStandInDecoder", cSettings: strictC,
      linkerSettings: [
        .linkedLibrary("gstallocators-1.0"), .linkedLibrary("gstvideo-1.0"), .linkedLibrary("gstbase-1.0"),
      ]),
    .testTarget(
      name: "VitrinePlaybackTests",
      dependencies: [
        "VitrinePlayback", "PlaybackCore", "MainLoop", "MediaPipeline", "KioskTestSupport", "EngineTestSupport",
        "CGLib", "CGStreamer", "CGStreamerShims", "CElements", "PlayerTour", "PlayInWindow",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PlaybackCoreTests", dependencies: ["PlaybackCore", "KioskTestSupport"], exclude: ["Traces"],
      swiftSettings: strict),
    .testTarget(
      name: "SupervisionTests",
      dependencies: [
        "Supervision", "KioskCore", "PlaybackCore", "FileModel", "FileSystem", "MainLoop", "KioskTestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ControlProtocolTests",
      dependencies: ["ControlProtocol", "KioskCore", "InteractionCore", "PlaybackCore", "JSONText"],
      swiftSettings: strict),
    .testTarget(
      name: "TelemetryCoreTests",
      dependencies: [
        "TelemetryCore", "ControlProtocol", "KioskCore", "InteractionCore", "PlaybackCore", "JSONText",
        "KioskTestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "WebServerTests",
      dependencies: ["WebServer", "TelemetryCore", "MainLoop", "PlaybackCore", "KioskTestSupport"],
      swiftSettings: strict),
    .testTarget(name: "JSONTextTests", dependencies: ["JSONText", "PlaybackCore"], swiftSettings: strict),
    .testTarget(
      name: "ScreenModelTests", dependencies: ["ScreenModel", "PlaybackCore", "KioskTestSupport"], swiftSettings: strict
    ),
    .testTarget(
      name: "PictureTests",
      dependencies: [
        "PictureFiles", "PictureDecoder", "PlaybackCore", "MainLoop", "KioskTestSupport", "CPictures",
        "vitrine-pictures",
      ],
      swiftSettings: strict),
    .testTarget(name: "ContentStoreTests", dependencies: ["ContentStore", "PlaybackCore"], swiftSettings: strict),
    .testTarget(
      name: "DownloadsTests",
      dependencies: ["Downloads", "ContentStore", "MainLoop", "PlaybackCore", "KioskTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "PlaylistConfigTests",
      dependencies: [
        "PlaylistConfig", "ConfigurationFiles", "JSONText", "PlaybackCore", "InteractionCore", "KioskTestSupport",
        "toml-decoder",
      ],
      exclude: ["Slips"], swiftSettings: strict),
    .testTarget(
      name: "FileSystemTests",
      dependencies: ["FileSystem", "FileModel", "KioskTestSupport"], swiftSettings: strict),
    .testTarget(
      name: "ConfigurationFilesTests",
      dependencies: [
        "ConfigurationFiles", "FileSystem", "FileModel", "PlaylistConfig", "PlaybackCore", "KioskTestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "KioskCoreTests",
      dependencies: ["KioskCore", "PlaybackCore", "InteractionCore", "KioskTestSupport"], swiftSettings: strict),
    .testTarget(
      name: "InteractionCoreTests", dependencies: ["InteractionCore", "PlaybackCore", "KioskTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "OverlayRendererTests",
      dependencies: [
        "OverlayRenderer", "InteractionCore", "PlaybackCore", "PlaylistConfig", "ConfigurationFiles", "CPangoCairo",
        "KioskTestSupport",
      ],
      exclude: ["Golden"], swiftSettings: strict),
    .testTarget(
      name: "KioskRuntimeTests",
      dependencies: [
        "KioskRuntime", "KioskCore", "ControlProtocol", "TelemetryCore", "JSONText", "FileSystem", "FileModel",
        "InteractionCore", "MediaPipeline", "OverlayRenderer",
        "PlaybackCore", "PlaylistConfig", "VitrinePlayback", "Displays", "ScreenModel", "MainLoop", "Mosquitto",
        "EngineTestSupport",
        "ContentStore", "KioskTestSupport", "Supervision", "vitrine",
        .product(name: "Logging", package: "swift-log", condition: kiosk),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "MainLoopTests", dependencies: ["MainLoop", "PlaybackCore", "CGLibShims", "KioskTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "DisplaysTests",
      dependencies: [
        "Displays", "FileSystem", "InteractionCore", "OverlayRenderer", "MainLoop", "PlaybackCore", "ScreenModel",
        "KioskTestSupport", "CGStreamer", "CGStreamerShims", "CWaylandClient",
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx20
)

// The fuzzer has no main function of its own: only Tests/Fuzz/fuzz builds it.
if Context.environment["VITRINE_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "fuzzer",
      dependencies: [
        "PlaylistConfig", "ConfigurationFiles", "FileModel", "FileSystem", "JSONText", "ScreenModel", "KioskCore",
        "PlaybackCore", "ContentStore", "PictureFiles", "PictureDecoder", "ControlProtocol", "TelemetryCore",
        "MediaPipeline", "CGStreamer", "CElements", "Downloads", "InteractionCore",
      ],
      path: "Tests/Fuzz/Parsers", swiftSettings: [.unsafeFlags(["-parse-as-library"])]))
}

// Selects some tests for another architecture: its sysroot has no GTK, and emulated the others would take hours
// (deploy/package/cross).
if let names = Context.environment["VITRINE_TESTS"]?.split(separator: "|") {
  package.targets.removeAll { target in target.type == .test && !names.contains { $0 == target.name } }
}

import Foundation

/// The player as a service of the virtual board's systemd: the shell text of its tests, and their checks.
public enum BoardService {
  /// The program, its unit and user, and a configuration that plays one of the test clips.
  public static func install(_ clip: String) -> String {
    """
    exec 2>&1
    install -m 755 "$VITRINE" /usr/bin/vitrine
    # The user of the service may not look into the folder of a toolchain.
    ldd "$VITRINE" | awk '/swift/ && $3 ~ /^\\// { print $3 }' | xargs -r cp -t /usr/local/lib && ldconfig
    install -D -m 644 "$PROJECT/deploy/vitrine.service" /etc/systemd/system/vitrine.service
    install -D -m 644 -t /usr/share/vitrine/board "$PROJECT"/board/*.toml
    install -D -m 644 -t /srv/media "$MEDIA/\(clip)"
    echo 'u vitrine - "Vitrine" /var/lib/vitrine' > /usr/lib/sysusers.d/vitrine.conf; systemd-sysusers vitrine.conf
    mkdir -p /etc/vitrine
    printf 'version = 1\\n[[playlist.main.item]]\\nuri = "/srv/media/\(clip)"\\n' > /etc/vitrine/vitrine.toml

    """
  }

  /// The unit's text. Its log goes to the test. GStreamer's list of plug-ins is there already: otherwise the first
  /// start would write it, which takes a board a minute.
  ///
  /// - Parameter lines: more lines for the unit's `[Service]`.
  public static func unit(_ lines: [String] = []) -> String {
    """
    install -D -m 644 "$GST_REGISTRY" /run/gstreamer.bin
    mkdir -p /etc/systemd/system/vitrine.service.d
    cat > /etc/systemd/system/vitrine.service.d/test.conf <<'UNIT'
    [Service]
    StandardError=append:/run/out/log
    Environment=GST_REGISTRY=/run/gstreamer.bin GST_REGISTRY_UPDATE=no
    \(lines.joined(separator: "\n"))
    UNIT

    """
  }

  /// Shell functions: `value KEY` prints a key of the player's state; `confirmed` waits for that state for at most half
  /// a minute.
  public static let state = #"""
    value() { sed -n "s/^  \"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" /run/vitrine/configuration.json; }
    confirmed() { for try in $(seq 300); do [ "$(value state 2> /dev/null)" != confirmed ] || return 0; sleep 0.1; done; }

    """#
}

extension Board.Run {
  /// Whether a picture of the screen is the demonstration's poster, in the middle of the screen and as wide as it.
  public func isPoster(_ name: String) async throws -> Bool {
    let screen = try await Pixels(path: directory.path(name))
    let height = screen.width * 9 / 16
    let poster = directory.path("poster.png")
    let scaled = try await Tool.run(
      "convert",
      [Tool.root.appending(path: "build/demo/poster.png").path, "-resize", "\(screen.width)x\(height)!", poster])
    guard scaled.status == 0 else { throw MediaError(description: scaled.errors) }
    let shown = screen.cropped(x: 0, y: (screen.height - height) / 2, width: screen.width, height: height)
    let difference = shown.difference(from: try await Pixels(path: poster))
    return difference.mean < 4 && difference.share > 0.3
  }
}

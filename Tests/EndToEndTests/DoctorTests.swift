import Foundation
import KioskTestSupport
import Testing

@Suite(
  "vitrine doctor names what is broken, and its remedy works", .serialized,
  .enabled(if: geteuid() == 0, "mounts, and makes networks"))
struct DoctorTests {
  /// Links all plugins of GStreamer except `names` into a folder; a stand-in for apt adds the others.
  private static func plugins(without names: String) -> String {
    """
    folder=$(pkg-config --variable=pluginsdir gstreamer-1.0)
    mkdir "$DIR/plugins"; ln -s "$folder"/*.so "$DIR/plugins"; (cd "$DIR/plugins" && rm -f \(names))
    export GST_PLUGIN_SYSTEM_PATH=$DIR/plugins GST_REGISTRY=$DIR/registry
    tool apt "[ \\$1 = install ] && ln -sf $folder/*.so $DIR/plugins"
    """
  }

  /// A TLS server with the folder's certificate; it ends with the script's namespace.
  private static let server = """
    serve() {
        openssl s_server -accept 4433 -cert "$DIR/cert.pem" -key "$DIR/key.pem" -www -quiet > "$DIR/server" 2>&1 &
        SERVER=$!
        until (exec 3<> /dev/tcp/127.0.0.1/4433) 2> /dev/null; do kill -0 $SERVER || break; done
    }
    trap 'kill -9 $SERVER' EXIT
    """

  static let faults: [DoctorFault] = [
    DoctorFault(
      name: "No configuration", topic: "configuration", says: "there is no configuration",
      remedy: "vitrine config schema",
      breaks: "rm \"$DIR/k.toml\"",
      mends: "remedy configuration; printf '[[playlist.main.item]]\\nuri = \"%s\"\\n' \"$CLIP\" >> \"$DIR/k.toml\""),
    DoctorFault(
      name: "A broken configuration", topic: "configuration", says: "did you mean loop?", remedy: "vitrine check",
      breaks: "config '[playback]\\nlop = true'", mends: "remedy configuration; sed -i s/lop/loop/ \"$DIR/k.toml\""),
    DoctorFault(
      name: "A film that isn't there", topic: "configuration", verdict: "warning", says: "gone.mp4",
      remedy: "vitrine check",
      breaks: "config '' \"$DIR/gone.mp4\"", mends: "cp \"$CLIP\" \"$DIR/gone.mp4\""),
    DoctorFault(
      name: "No card", topic: "card", says: "no graphics card", remedy: "choose another output",
      breaks: "OUTPUT=kms; config; mkdir \"$DIR/dri\"; [ ! -d /dev/dri ] || mount --bind \"$DIR/dri\" /dev/dri",
      mends: "OUTPUT=headless; config", after: "none"),
    DoctorFault(
      name: "A plugin is missing", topic: "plugins", says: "h264parse", remedy: "apt install gstreamer1.0-plugins-bad",
      breaks: plugins(without: "libgstvideoparsersbad.so"), mends: "remedy plugins", after: "none"),
    DoctorFault(
      name: "No decoder for what plays", topic: "item", says: "no decoder for its format",
      remedy: "apt install gstreamer1.0-libav",
      breaks: plugins(without: "libgstlibav.so libgstopenh264.so libgstva.so libgstvaapi.so libgstde265.so"),
      mends: "remedy item", after: "none"),
    DoctorFault(
      name: "The disk is full", topic: "state", says: "is full", remedy: "du -xah",
      breaks: "mount -t tmpfs -o size=20m t \"$DIR/state\"; head -c 15M /dev/zero > \"$DIR/state/large\"",
      mends: "remedy state; grep -q large \"$DIR/remedy.out\" && rm \"$DIR/state/large\"", after: "warning"),
    DoctorFault(
      name: "A file system is mounted read-only", topic: "state", says: "mounted read-only",
      remedy: "mount -o remount,rw",
      breaks: "mount -t tmpfs t \"$DIR/state\"; mount -o remount,ro \"$DIR/state\"", mends: "remedy state"),
    DoctorFault(
      name: "No network", topic: "network", says: "no network is up", remedy: "plug the cable in",
      breaks: "config '' http://203.0.113.9/a.mp4",
      mends: "cable", isAlone: true),
    DoctorFault(
      name: "No way out", topic: "route", says: "no route out", remedy: "ip route add default via",
      breaks: """
        config '' http://192.0.2.1/a.mp4
        cable
        """, mends: "ip route add default via 203.0.113.1; config '' \"$CLIP\"", after: "none", isAlone: true),
    DoctorFault(
      name: "A name that can't be looked up", topic: "server", says: "can't be looked up", remedy: "/etc/hosts",
      breaks: """
        cable
        : > "$DIR/resolv.conf"; mount --bind "$DIR/resolv.conf" /etc/resolv.conf
        cp /etc/hosts "$DIR/hosts"; mount --bind "$DIR/hosts" /etc/hosts
        python3 -m http.server --bind 127.0.0.1 8099 > "$DIR/server" 2>&1 & trap "kill -9 $!" EXIT
        until (exec 3<> /dev/tcp/127.0.0.1/8099) 2> /dev/null; do kill -0 $! || break; done
        config '' http://films.test:8099/a.mp4
        """, mends: "echo 127.0.0.1 films.test >> /etc/hosts", isAlone: true),
    DoctorFault(
      name: "A server that is down", topic: "server", says: "can't be reached", remedy: "check that the server runs",
      breaks: """
        cable
        config '' http://127.0.0.1:8098/a.mp4
        """,
      mends: """
        python3 -m http.server --bind 127.0.0.1 8098 > "$DIR/server" 2>&1 & trap "kill -9 $!" EXIT
        until (exec 3<> /dev/tcp/127.0.0.1/8098) 2> /dev/null; do kill -0 $! || break; done
        """, isAlone: true),
    DoctorFault(
      name: "No loudspeaker of that name", topic: "sound", says: "no sound device alsa:hw:9", remedy: "audio.device",
      breaks: "config '[audio]\\ndevice = \"alsa:hw:9\"'", mends: "config '[audio]\\nenabled = false'"),
    DoctorFault(
      name: "Too little memory for the player", topic: "memory", says: "too little for the player",
      remedy: "MemoryMax=",
      breaks: """
        group=$ROOT/sys/fs/cgroup/system.slice/vitrine.service; mkdir -p "$group" "$ROOT/proc"
        echo 'MemTotal: 4000000 kB' > "$ROOT/proc/meminfo"; echo 100000000 > "$group/memory.max"
        """, mends: "echo 2800000000 > \"$group/memory.max\"", options: "--root \"$ROOT\""),
    DoctorFault(
      name: "Too little voltage", topic: "voltage", says: "too little voltage now", remedy: "power supply",
      breaks: """
        soc=$ROOT/sys/devices/platform/soc/soc:firmware; mkdir -p "$soc"; echo 50005 > "$soc/get_throttled"
        """, mends: "echo 0 > \"$soc/get_throttled\"", options: "--root \"$ROOT\""),
    DoctorFault(
      name: "A worn card", topic: "mmcblk0", says: "worn out", remedy: "replace it",
      breaks: """
        disk=$ROOT/sys/block/mmcblk0/device; mkdir -p "$disk"; echo 0x0b 0x02 > "$disk/life_time"
        """, mends: "echo 0x01 0x01 > \"$disk/life_time\"", options: "--root \"$ROOT\""),
    DoctorFault(
      name: "Boot settings that the board's profile asks for", topic: "boot", verdict: "warning",
      says: "lacks dtoverlay=vc4-kms-v3d,cma-512", remedy: "config.txt",
      breaks: """
        export VITRINE_BOARD=raspberry-pi-4 VITRINE_BOARD_DIR=$PROJECT/board
        mkdir -p "$ROOT/boot/firmware"; echo '[pi3]' > "$ROOT/boot/firmware/config.txt"
        echo console=tty1 root=/dev/mmcblk0p2 > "$ROOT/boot/firmware/cmdline.txt"
        """, mends: "remedy boot", options: "--root \"$ROOT\""),
    DoctorFault(
      name: "A socket that nothing listens to", topic: "player", says: "no player answers", remedy: "systemctl restart",
      breaks: """
        python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$DIR/run/control"
        tool systemctl "[ \\"\\$*\\" = 'restart vitrine.service' ] || exit 1
        export STATE_DIRECTORY=$DIR/state RUNTIME_DIRECTORY=$DIR/run
        setsid $VITRINE run --config $DIR/k.toml --no-wait-for-display --control $DIR/run/control > $DIR/player 2>&1 < /dev/null &
        echo \\$! > $DIR/pid
        for _ in {1..300}; do vitrine ctl status --socket $DIR/run/control 2>&1 | grep -q plays && exit; sleep 0.1; done"
        """, mends: "remedy player; trap 'kill -9 $(cat \"$DIR/pid\")' EXIT"),
  ]

  @Test("The doctor names each fault, and its remedy mends it", arguments: faults)
  func broken(_ fault: DoctorFault) async throws { try await DoctorBench().check(fault) }

  @Test("The doctor finds a certificate of an unknown authority, and an expired one")
  func certificates() async throws {
    let network = """
      cable; config '' https://127.0.0.1:4433/a.mp4; serve
      """
    var bench = try DoctorBench()
    try await Certificates.make(in: bench.directory, days: 10)
    try await bench.check(
      DoctorFault(
        name: "", topic: "server", says: "isn't trusted", remedy: "network.ca_file",
        breaks: Self.server + "\n" + network,
        mends: "config \"[network]\\nca_file = \\\"$DIR/ca.pem\\\"\" https://127.0.0.1:4433/a.mp4", isAlone: true))
    bench = try DoctorBench()
    try await Certificates.make(in: bench.directory, days: -10)
    let good = try TemporaryDirectory()
    try await Certificates.make(in: good, days: 10)
    let trusted = """
      cp "$DIR/ca.pem" "$DIR/all.pem"; cat '\(good.url.path)/ca.pem' >> "$DIR/all.pem"
      config "[network]\\nca_file = \\"$DIR/all.pem\\"" https://127.0.0.1:4433/a.mp4
      """
    try await bench.check(
      DoctorFault(
        name: "", topic: "server", says: "isn't valid at the time", remedy: "have the server get a new certificate",
        breaks: Self.server + "\n" + network + "\n" + trusted,
        mends: "kill -9 $SERVER; wait $SERVER; cp '\(good.url.path)'/{cert,key}.pem \"$DIR\"; serve", isAlone: true))
  }

  @Test("The doctor finds a service that isn't enabled and one without a watchdog, and its remedies mend both")
  func service() async throws {
    let bench = try DoctorBench()
    let outcome = try await bench.run(
      """
      config
      # A system of its own: what is written to /etc and /run stays here.
      for folder in /etc/systemd /run; do mount -t tmpfs t $folder; done
      mkdir -p /run/systemd/system /etc/systemd/system
      sed /^WatchdogSec=/d "$PROJECT/deploy/vitrine.service" > /etc/systemd/system/vitrine.service
      real=$(command -v systemctl)
      # As systemd notes that a unit runs.
      runs="mkdir -p /run/systemd/units; ln -sf 1 /run/systemd/units/invocation:vitrine.service"
      tool systemctl "case \\$1 in enable) $real --root=/ enable vitrine.service; $runs ;; daemon-*) ;; *) exit 1 ;; esac"
      doctor before
      remedy service && remedy watchdog
      doctor after
      """)
    let (before, after) = (try bench.report("before"), try bench.report("after"))
    for (topic, verdict) in [("service", "problem"), ("watchdog", "warning")] {
      #expect(before.lines.contains { $0.topic == topic && $0.verdict == verdict }, "\(before.lines)")
      #expect(
        after.lines.contains { $0.topic == topic && $0.verdict == "ok" },
        "\(after.lines) \(outcome.errors) \((try? bench.text("remedy.out")) ?? "")")
    }
  }

  @Test("The doctor's text has groups and a sum, wraps to the terminal, and has colour on a terminal only")
  func text() async throws {
    let bench = try DoctorBench()
    let outcome = try await bench.run(
      """
      config
      ask="$VITRINE doctor --config $DIR/k.toml --state $DIR/state --runtime $DIR/run --root $ROOT"
      $ask > "$DIR/wide"
      COLUMNS=40 $ask > "$DIR/narrow"
      TERM=xterm script -qec "$ask" "$DIR/coloured" > /dev/null
      NO_COLOR=1 TERM=xterm script -qec "$ask" "$DIR/plain" > /dev/null
      """)
    let (wide, narrow) = (try bench.text("wide"), try bench.text("narrow"))
    #expect(wide.hasPrefix("Board\n  ok       board") && wide.hasSuffix(" ok\n"), "\(wide) \(outcome.errors)")
    #expect(!wide.contains("\u{1B}") && narrow.contains("\n  ok       board\n    "), "\(narrow)")
    #expect(try bench.text("coloured").contains("\u{1B}[32mok       \u{1B}[0m"))
    #expect(try !bench.text("plain").contains("\u{1B}"))
  }
}

import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// `vitrine doctor` checks cards, users and clocks, on a kernel of its own where they can be broken.
@Suite(
  "vitrine doctor on a board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct DoctorBoardTests {
  private static let prelude =
    DoctorBench.functions.replacing(
      "set -u\n", with: "set -u\nexport DIR=/run/own CLIP=$MEDIA/h264-640x360-30-2s.mp4; mkdir $DIR\n")
      + """

      OUTPUT=kms; config
      # Into files of their own for each fault.
      fault() { FAULT=$1; doctor before; }
      done_with() { doctor after; for part in before after; do cp $DIR/$part.json /run/out/$FAULT-$part.json; done; }

      """

  private func report(_ run: Board.Run, _ name: String) throws -> DoctorReport {
    try JSONDecoder().decode(DoctorReport.self, from: Data(run.text("\(name).json").utf8))
  }

  private func expect(_ run: Board.Run, _ name: String, _ fault: DoctorFault) throws {
    DoctorBench.expect(
      fault, try report(run, "\(name)-before"), try report(run, "\(name)-after"), "\(name) \(run.outcome.errors)")
  }

  @Test(
    "The doctor finds a busy card, a missing connector, mode or group, and a clock of 1999, and mends them"
  )
  func board() async throws {
    let run = try await Board.run(
      Self.prelude + """
        doctor well; cp $DIR/well.json /run/out/

        kms-hold /dev/dri/card0 > $DIR/holder & holder=$!
        until [ -s $DIR/holder ]; do kill -0 $holder || break; done
        # As the words say: whoever the command names is stopped.
        fault master; remedy screen; cp $DIR/remedy.sh /run/out/status.sh; grep -qwF $holder $DIR/remedy.out && named=$holder
        cp $DIR/remedy.out /run/out/status.out
        kill ${named:-$holder}; wait $holder; echo "${named:-nobody}" > /run/out/named; done_with

        config 'connector = "HDMI-A-9"'; fault connector
        config 'connector = "Virtual-1"'; done_with

        config '[[screen]]\\nname = "window"\\nconnector = "Virtual-1"\\n[[screen]]\\nname = "wall"\\nconnector = "HDMI-A-9"'
        fault screens
        config; done_with

        config 'mode = "1111x777"'; fault mode
        config 'mode = "1024x768"'; done_with

        chgrp video /dev/dri/card0; chmod 660 /dev/dri/card0
        mkdir -p $DIR/open; chmod 777 $DIR $DIR/open
        as_nobody() {
            (doctor() { "$VITRINE" doctor --json --config "$DIR/k.toml" --state $DIR/open --runtime $DIR/open > "$DIR/$1.json" 2> /dev/null; }
             config; export -f doctor; chmod 666 "$DIR"/*.json
             setpriv --reuid=65534 --regid=65534 --init-groups env HOME=$DIR/open bash -c "doctor $1")
        }
        touch $DIR/before.json $DIR/after.json
        FAULT=groups; config; as_nobody before; remedy permissions; cp $DIR/remedy.sh /run/out/; as_nobody after
        for part in before after; do cp $DIR/$part.json /run/out/groups-$part.json; done

        date -s 1999-01-01 > $DIR/date; fault clock
        date -s 2027-01-01 > $DIR/date; done_with
        """, limit: 240)
    let well = try report(run, "well")
    for topic in ["card", "connector", "plane", "chosen", "permissions", "kernel", "memory"] {
      #expect(well.lines.contains { $0.topic == topic && $0.verdict == "ok" }, "\(topic) in \(well.lines)")
    }
    try expect(
      run, "master",
      DoctorFault(
        name: "", topic: "screen", says: "another program drives the screen: kms-hold", remedy: "stop kms-hold",
        breaks: "",
        mends: "", after: "none"))
    let status = "\(try run.text("status.sh")) \(try run.text("status.out"))"
    #expect(try run.text("named") != "nobody\n", "\(status)")
    #expect(try report(run, "master-after").lines.contains { $0.topic == "chosen" })
    try expect(
      run, "connector",
      DoctorFault(
        name: "", topic: "connector", says: "HDMI-A-9", remedy: "display.connector = \"Virtual-1\"", breaks: "",
        mends: ""))
    try expect(
      run, "screens",
      DoctorFault(
        name: "", topic: "connector", says: "wall: HDMI-A-9", remedy: "in its [[screen]]", breaks: "", mends: ""))
    #expect(
      try report(run, "screens-before").lines.contains { $0.topic == "chosen" && $0.finding.hasPrefix("window: ") })
    try expect(
      run, "mode",
      DoctorFault(
        name: "", topic: "mode", verdict: "warning", says: "no mode 1111x777", remedy: "1024x768", breaks: "", mends: ""
      ))
    try expect(
      run, "groups",
      DoctorFault(
        name: "", topic: "permissions", says: "nobody may not open /dev/dri/card0", remedy: "usermod -aG video nobody",
        breaks: "", mends: ""))
    try expect(
      run, "clock",
      DoctorFault(
        name: "", topic: "clock", says: "before 2026", remedy: "timedatectl set-ntp true", breaks: "", mends: "",
        after: "warning"))
  }

  @Test(
    "--self-test has the next start avoid a decoder with too few pictures, and use one that works again",
    .enabled(if: Board.mediaMissing == nil, "\(Board.mediaMissing ?? "")"))
  func selfTest() async throws {
    let run = try await Board.run(
      Self.prelude + """
        cp -r "$PROJECT/deploy/self-test" $DIR/clips
        for _ in 1 2 3; do sed -n '/^h264.mp4/p;/^h264.mp4/q' $DIR/clips/checksums; done > $DIR/more
        cat $DIR/more >> $DIR/clips/checksums
        doctor bad --self-test --clips $DIR/clips
        cp $DIR/state/decoders /run/out/record
        doctor next
        STATE_DIRECTORY=$DIR/state RUNTIME_DIRECTORY=$DIR/run "$VITRINE" run --config $DIR/k.toml --no-audio --for 1 \\
            --report /run/out/r.json > $DIR/log 2>&1
        doctor good --self-test --clips "$PROJECT/deploy/self-test"
        cp $DIR/{bad,next,good}.json $DIR/{bad,good}.status /run/out/
        cp $DIR/state/decoders /run/out/record-after
        """, hasMedia: true, limit: 300)
    let (bad, next, good) = (try report(run, "bad"), try report(run, "next"), try report(run, "good"))
    #expect(try run.text("bad.status") == "2\n")
    #expect(
      bad.lines.contains { $0.topic == "h264.mp4" && $0.verdict == "problem" && $0.finding.contains("gave 30 of 33") },
      "\(bad.lines) \(run.outcome.errors)")
    #expect(
      bad.lines.contains { $0.topic == "vp8.webm" && $0.verdict != "problem" && $0.finding.contains("in a second") })
    // The plane doesn't scale.
    #expect(
      good.lines.contains {
        $0.topic == "h264.mp4" && $0.finding.hasSuffix("in hardware; the processor reads frames back")
      },
      "\(good.lines)")
    #expect(try run.text("record").hasPrefix("v4l2slh264dec\t"))
    #expect(next.lines.contains { $0.topic == "avoided" && $0.finding.hasPrefix("v4l2slh264dec") }, "\(next.lines)")
    #expect(try Report.read(run.directory.path("r.json"))?.items.first?.decoder == "avdec_h264")
    #expect(good.lines.contains { $0.topic == "h264.mp4" && $0.verdict != "problem" }, "\(good.lines)")
    #expect(try run.text("record-after").isEmpty)
  }

  @Test("The doctor tells a stopped service from one that runs and one with its screen off")
  func service() async throws {
    let run = try await Board.run(
      BoardService.install("h264-60s-640x360-30.mp4") + BoardService.unit() + BoardService.state + """
        ask() { vitrine doctor --json > /run/out/$1.json 2>> /run/out/errors; }
        systemctl daemon-reload; systemctl enable vitrine.service
        ask stopped
        systemctl start vitrine.service; confirmed
        ask running
        vitrine ctl pause; sleep 1
        ask paused
        vitrine ctl play; vitrine ctl screen off; sleep 1
        ask asleep
        systemctl stop vitrine.service
        ask again
        # A unit of an administrator's own can't be masked; that of the package is elsewhere.
        mv /etc/systemd/system/vitrine.service /usr/lib/systemd/system/; systemctl daemon-reload
        systemctl mask vitrine.service
        ask masked
        """, isSystemd: true)
    func line(_ name: String, _ topic: String) throws -> DoctorReport.Line {
      let lines = try report(run, name).lines.filter { $0.topic == topic }
      return try #require(lines.first, "\(name) has no \(topic): \((try? run.text("errors")) ?? "")")
    }
    for name in ["stopped", "again"] {
      let service = try line(name, "service")
      #expect(service.verdict == "problem" && service.finding.contains("is stopped"), "\(service)")
      #expect(service.command == "systemctl start vitrine.service")
      // Only systemd makes this folder.
      let runtime = try line(name, "runtime")
      #expect(runtime.verdict == "ok" && runtime.finding.contains("makes it when it starts"), "\(runtime)")
      #expect(try line(name, "record").verdict == "ok")
    }
    let running = try (line("running", "service"), line("running", "player"))
    #expect(running.0.verdict == "ok" && running.0.finding.contains("runs"), "\(running.0)")
    #expect(running.1.finding == "it plays, and all is well", "\(running.1)")
    let paused = try line("paused", "player")
    #expect(paused.finding.contains("paused") && paused.command == "vitrine ctl play", "\(paused)")
    let asleep = try line("asleep", "player")
    #expect(asleep.verdict == "ok" && asleep.finding.contains("the screen is switched off"), "\(asleep)")
    let masked = try line("masked", "service")
    #expect(masked.command.hasPrefix("systemctl unmask"), "\(masked)")
  }
}

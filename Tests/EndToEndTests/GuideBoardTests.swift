import Foundation
import InteractionCore
import KioskTestSupport
import OverlayRenderer
import PlaybackCore
import Testing

@Suite("Guides as tests")
struct GuideTests {
  @Test("A guide's commands, files and expected output are found; a block of an unknown kind is an error")
  func steps() throws {
    let guide = try Guide("A\n```sh package\na\n```\n\n```text\nb\n```\n```toml /etc/c\nd\n```\n")
    #expect(
      guide.steps == [.commands("a\n", words: ["package"], printed: "b\n"), .file("/etc/c", text: "d\n")])
    for text in ["```bash\na\n```\n", "```text\na\n```\n", "```sh\na\n"] {
      #expect(throws: Guide.Unknown.self) { try Guide(text) }
    }
  }

  @Test("A command's output matches the page, where … stands for anything")
  func printed() {
    for (printed, shown) in [("a b c\n", "a … c"), ("a\n", "a…"), ("a\nb\nc\n", "a\n…\nc"), ("a\nc", "a\n…\nc")] {
      #expect(Guide.matches(printed, shown), "\(printed)")
    }
    for (printed, shown) in [("a b d\n", "a … c"), ("a\nb\n", "a"), ("", "a"), ("ab\n", "ab…b"), ("a\nd\n", "…\nc")] {
      #expect(!Guide.matches(printed, shown), "\(printed)")
    }
  }
}

/// Follows the guides in docs/guide from an empty board to their result, under systemd and on the card's planes.
/// Installs the packages of `make deb` where there are some.
@Suite(
  "The guides on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct GuideBoardTests {
  /// Sets up a reader's machine: films in a folder, a screen, and no player yet.
  private static let machine = """
    exec 2>&1
    mkdir -p /root/desk /srv/www
    # Whoever is asked by apt says yes. There is no network for recommended packages that the host doesn't have.
    printf 'APT::Get::Assume-Yes "yes";\\nAPT::Sandbox::User "root";\\nAPT::Install-Recommends "no";\\n' \\
      > /etc/apt/apt.conf.d/99-test
    rm -f /usr/sbin/policy-rc.d /etc/apt/apt.conf.d/docker-clean
    # The index of manual pages of the whole machine is none of ours.
    rm -f /var/lib/man-db/auto-update
    cp "$PROJECT"/build/demo/{hall.mp4,garden.webm,poster.png} /root/desk/
    cd /root/desk
    file() { case $1 in "~"*) printf '%s' "/root${1#\\~}" ;; *) printf '%s' "$1" ;; esac; }
    put() { mkdir -p "$(dirname "$(file "$1")")"; cat > "$(file "$1")"; }
    step() { # NUMBER: the commands of that step, as a reader's shell takes them
      HOME=/root bash -euo pipefail "/run/out/$1.sh" > "/run/out/$1.printed" 2> "/run/out/$1.errors"
      echo $? > "/run/out/$1.status"
    }

    """ + BoardService.unit() + BoardService.state

  /// Installs the same files in the same places without a package, with the service's user.
  private static let installed = """
    make -s -C "$PROJECT" install PREFIX=/usr BINARY="$VITRINE"
    ldd "$VITRINE" | awk '/swift/ && $3 ~ /^\\// { print $3 }' | xargs -r cp -t /usr/local/lib && ldconfig
    echo 'u vitrine - "Vitrine" /var/lib/vitrine' > /usr/lib/sysusers.d/vitrine.conf; systemd-sysusers vitrine.conf
    install -D -m 644 "$PROJECT/deploy/package/vitrine.toml" /etc/vitrine/vitrine.toml
    install -D -m 644 -t /usr/share/vitrine/demo "$PROJECT"/build/demo/{hall.mp4,garden.webm,poster.png}
    install -m 755 "$PROJECT/deploy/package/vitrine-deploy" /usr/bin/vitrine-deploy
    install -D -m 755 -t /usr/share/vitrine-deploy "$PROJECT"/deploy/{push,rollback,boards.sh,board-side.sh}
    systemctl daemon-reload; systemctl enable -q vitrine; systemctl start vitrine; confirmed

    """

  /// Carries out the steps of a guide.
  ///
  /// - Parameters:
  ///   - date: the time of the first step; a Tuesday morning where it doesn't matter.
  ///   - before: a script that runs before the first step.
  ///   - beside: scripts that run during the steps with these texts in them.
  ///   - after: scripts that run after the first steps with these texts in them.
  private func run(
    _ name: String, date: String = "2026-11-24 10:00:00Z", before: String = "", beside: [String: String] = [:],
    after: [String: String] = [:]
  ) async throws -> Board.Run {
    let page = Tool.root.appending(path: "docs/guide/\(name)")
    let guide = try Guide(String(contentsOf: page, encoding: .utf8))
    let made = try await Tool.run(
      Tool.root.appending(path: "deploy/demo-media").path,
      [
        Tool.root.appending(path: "build/demo").path
      ], limit: .infinity)
    try #require(made.status == 0, "\(made.errors)")
    var script = "date -s '\(date)' > /dev/null\n" + Self.machine + before + "\n"
    var isToCome = after
    for (index, step) in guide.steps.enumerated() {
      switch step {
      case .file(let path, let text):
        script += "put '\(path)' <<'GUIDE'\n\(text)GUIDE\n"
      case .commands(let commands, let words, _):
        let isOfPackage = !words.isEmpty
        if isOfPackage && BuiltPackage.path == nil {
          script += commands.contains("install") ? Self.installed : ""
          script += "touch /run/out/\(index).printed; echo 0 > /run/out/\(index).status\n"
        } else {
          if isOfPackage { script += "cp \(BuiltPackage.all.map { "'\($0)'" }.joined(separator: " ")) /root/desk/\n" }
          script += "cat > /run/out/\(index).sh <<'GUIDE'\n\(commands)GUIDE\n"
          for (text, meanwhile) in beside where commands.contains(text) { script += "{ \(meanwhile)\n} &\n" }
          script += "step \(index)\n"
          if isOfPackage && commands.contains("install") { script += "confirmed\n" }
        }
        for text in isToCome.keys where commands.contains(text) {
          script += (isToCome.removeValue(forKey: text) ?? "") + "\n"
        }
      }
    }
    #expect(isToCome.isEmpty, "\(name) has no such step any more: \(isToCome.keys)")
    let run = try await Board.run(script + "true\n", isSystemd: true, limit: 500)
    #expect(run.outcome.status == 0, "\(run.outcome.output) \(run.outcome.errors)")
    for (index, step) in guide.steps.enumerated() {
      guard case .commands(let commands, _, let printed) = step else { continue }
      let errors = (try? run.text("\(index).errors")) ?? ""
      let was = try run.text("\(index).printed")
      #expect(try run.text("\(index).status") == "0\n", "\(name): \(commands)\(was)\(errors)")
      guard let printed else { continue }
      #expect(Guide.matches(was, printed), "\(name): \(commands)prints\n\(was)\(errors)")
    }
    return run
  }

  @Test(
    "The guide of a screen over a shop works from an empty board to its removal, step by step and again",
    arguments: Board.cases(
      usual: 1,
      // Opening hours: midnight, morning and ten in the evening, in Berlin.
      [
        (date: "2026-11-24 22:58:30Z", isOpen: false), ("2026-11-24 10:00:00Z", true), ("2026-11-24 21:00:00Z", false),
      ]))
  func shop(date: String, isOpen: Bool) async throws {
    let lit = "grep -c 'active=1' /sys/kernel/debug/dri/0/state"
    let run = try await run(
      "shop.md", date: date,
      after: [
        "apt install": "kms-planes > /run/out/planes",
        // A film of eight seconds and a poster for eight seconds, in turn.
        "vitrine reload": "kms-screenshot /run/out/one.ppm; sleep 8; kms-screenshot /run/out/other.ppm",
        // Until then the screen has been on.
        "rm /etc/vitrine/conf.d/20-screen.toml": "\(lit) > /run/out/evening",
        "--week": "sleep 3; \(lit) > /run/out/hours",
        "journalctl": """
        systemctl is-active vitrine > /run/out/active; date -s '2026-11-25 07:30:00Z' > /dev/null; sleep 3; \(lit) > /run/out/day
        date -s '2026-11-25 19:30:00Z' > /dev/null; sleep 3; \(lit) > /run/out/night
        """,
      ])
    #expect(try Board.planes(try run.text("planes")).contains { $0.type == "overlay" && $0.isLit })
    let posters = [try await run.isPoster("one.ppm"), try await run.isPoster("other.ppm")]
    #expect(posters[0] != posters[1], "\(posters)")
    #expect(try run.text("active") == "active\n")
    #expect(try run.text("evening") == "1\n", "\(try? run.text("log"))")
    #expect(try run.text("hours") == (isOpen ? "1\n" : "0\n"), "\(try? run.text("log"))")
    // Half past eight in Berlin, in the morning and in the evening.
    #expect(try run.text("day") == "1\n")
    #expect(try run.text("night") == "0\n", "\(try? run.text("log"))")
  }

  @Test("The guide of an info booth: a touch brings the films, another one starts one, and then the poster returns")
  func booth() async throws {
    var look = OverlayLook()
    (look.contrast, look.scale) = (.high, 1.25)
    // The card's own mode; the touchscreen counts in other steps.
    let screen = PixelSize(width: 1024, height: 768)
    let tile = OverlayRenderer(theme: Theme(look)).tileGrid(count: 2, screen: screen).area(of: 0)
    let (x, y) = (Int(tile.x + 40) * 1920 / screen.width, Int(tile.y + 40) * 1080 / screen.height)
    let run = try await run(
      "booth.md",
      before: """
        mkfifo /tmp/touch
        virtual-touch --size 1920x1080 < /tmp/touch > /dev/null & exec 3> /tmp/touch
        sleep 0.5
        """,
      beside: ["inputs --for": "sleep 4; printf 'key 59\\n' >&3"],
      after: [
        "vitrine check": """
        kms-screenshot /run/out/attract.ppm
        printf 'down 0 900 900\\nup 0\\n' >&3; sleep 2; kms-screenshot /run/out/tiles.ppm
        printf 'down 0 \(x) \(y)\\nup 0\\n' >&3
        sleep 5; kms-screenshot /run/out/film.ppm; vitrine ctl status > /run/out/first
        sleep 70; kms-screenshot /run/out/again.ppm
        # F2: the second film, at the first press. Here the buttons are a whole keyboard.
        mkdir -p /etc/vitrine/conf.d; printf '[input]\\nkeyboards = true\\n' > /etc/vitrine/conf.d/40-buttons.toml
        vitrine reload > /dev/null
        printf 'key 60\\n' >&3; sleep 5; vitrine ctl status > /run/out/second
        rm /etc/vitrine/conf.d/40-buttons.toml
        """
      ])
    let log = try run.text("log")
    #expect(try await run.isPoster("attract.ppm"), "\(log)")
    for name in ["tiles.ppm", "film.ppm"] { #expect(!(try await run.isPoster(name)), "\(name)") }
    let first = try run.text("first")
    #expect(first.contains("The hall"), "\(first)")
    #expect(try await run.isPoster("again.ppm"))
    let second = try run.text("second")
    #expect(second.contains("The garden"), "\(second)")
  }

  @Test(
    "A hundred boards are pushed, kept and rolled back by sshd", .enabled(if: SSHBoard.missing == nil),
    .long)
  func boards() async throws {
    let run = try await run(
      "boards.md",
      before: """
        # The boards have the player; the desk doesn't.
        \(BuiltPackage.path.map { "dpkg -i --no-triggers '\($0)' > /dev/null" } ?? "")
        # Three players at once decode it, while two more check it.
        cp "$MEDIA/h264-640x360-30-2s.mp4" hall.mp4
        mkdir -p /run/sshd /root/.ssh
        ssh-keygen -q -t ed25519 -N '' -f /root/.ssh/id_ed25519; cp /root/.ssh/id_ed25519.pub /root/.ssh/authorized_keys
        (cd /srv/www && exec python3 -m http.server --bind 127.0.0.1 8080 > /dev/null 2>&1) &
        # Three boards on one machine: each has an sshd and a player of its own, which see folders of their own.
        board() {
          mount -t tmpfs -o mode=755 none /etc/vitrine; mount -t tmpfs none /run/vitrine; mount -t tmpfs none /var/lib/vitrine
          printf 'version = 1\\n[[playlist.main.item]]\\nuri = "/root/desk/poster.png"\\n' > /etc/vitrine/vitrine.toml
          /usr/sbin/sshd -p 220$1 -o ListenAddress=127.0.0.1 -o PidFile=none -o StrictModes=no -o UsePAM=no
          STATE_DIRECTORY=/var/lib/vitrine RUNTIME_DIRECTORY=/run/vitrine exec vitrine run --output headless --no-audio \\
            > /run/out/board-$1 2>&1
        }
        boards() {
          systemctl stop vitrine; mkdir -p /run/vitrine /etc/vitrine /var/lib/vitrine
          export -f board
          for n in 1 2 3; do
            printf 'Host shop%s\\n  HostName 127.0.0.1\\n  HostKeyAlias shop%s\\n  Port 220%s\\n' $n $n $n >> /etc/ssh/ssh_config
            unshare -m bash -c "board $n" &
          done
          for n in 1 2 3; do
            for try in $(seq 100); do ssh-keyscan -t ed25519 -p 220$n 127.0.0.1 2> /dev/null | grep -q . && break; sleep 0.1; done
            ssh-keyscan -t ed25519 -p 220$n 127.0.0.1 2> /dev/null | sed "s/^[^ ]*/shop$n/" >> /root/.ssh/known_hosts
          done
        }
        """, after: ["vitrine-deploy_": "boards"])
    let files = try FileManager.default.contentsOfDirectory(atPath: run.directory.url.path)
    #expect(files.contains("board-3"), "\(files)")
  }
}

import Foundation
import KioskTestSupport
import Testing

/// The virtual board's kernel has no consoles: a pseudo-terminal and a shim for its requests stand in for one. A real
/// console is tested by hand (docs/board-checklist.md).
@Suite(
  "The console behind the picture, on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct ConsoleBoardTests {
  @Test("The player turns off its own console's keyboard while it runs, and leaves a shell's on")
  func keyboard() async throws {
    let run = try await Board.run(
      """
      gcc -shared -fPIC -o /tmp/shim.so "$PROJECT/Tests/Tools/console-shim.c"
      export LD_PRELOAD=/tmp/shim.so
      cat > /tmp/with-terminal.py <<'PYTHON'
      import os, pty, signal, sys, time
      name, number, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
      def child_of(pid):
          for entry in filter(str.isdigit, os.listdir("/proc")):
              try:
                  if open(f"/proc/{entry}/stat").read().rsplit(")", 1)[1].split()[1] == str(pid):
                      return int(entry)
              except OSError:
                  pass
          sys.exit(f"{pid} has no child")
      os.environ["CONSOLE_LOG"] = f"/run/out/{name}"
      pid, terminal = pty.fork()
      if pid == 0:
          os.execv(command[0], command)
      time.sleep(2)
      # Of the player, in the shell's case too.
      player = pid if name != "shell" else child_of(pid)
      open(f"/run/out/{name}.running", "w").write(open(f"/run/out/{name}").read() if os.path.exists(f"/run/out/{name}") else "")
      os.kill(player, number)
      os.waitpid(pid, 0)
      PYTHON
      play="play --output kms --no-audio $MEDIA/h264-60s-640x360-30.mp4"
      python3 /tmp/with-terminal.py ours 15 "$VITRINE" $play
      python3 /tmp/with-terminal.py killed 9 "$VITRINE" $play
      python3 /tmp/with-terminal.py shell 15 /bin/sh -c "'$VITRINE' $play; true"
      """)
    #expect(run.outcome.status == 0, "\(run.outcome.errors)")
    let taken = "keyboard 4\ngraphics 1\nactivate 1\n"
    #expect(try run.text("ours.running") == taken)
    #expect(try run.text("ours") == taken + "graphics 0\nkeyboard 1\n")
    // A killed player can't give the console back: the service does (TTYReset=).
    #expect(try run.text("killed") == taken)
    #expect(try run.text("shell.running").isEmpty)
  }
}

"""What long lists cost, and the player that does nothing: a picture that stays, a screen that sleeps, and ten thousand transitions."""

import json
import time

from . import clips, starts
from .places import BUILD, Trouble
from .processes import cpu_seconds, descriptors, expect_alive, memory, running, wakes
from .seeks import line_socket


def ask(link, request):
    link.sendall(json.dumps(request).encode() + b"\n")
    answer = b""
    while not answer.endswith(b"\n"):
        more = link.recv(1 << 16)
        if not more:
            raise Trouble("the player closed the control socket")
        answer += more
    return json.loads(answer)


def control_path(name):
    # A socket's path is short.
    path = BUILD / f"run/{name}.sock"
    if len(str(path)) > 100:
        raise Trouble(f"{path} is too long for a socket")
    path.unlink(missing_ok=True)
    return path


def long_list(players, items, film="film-360p"):
    """First frame, memory, and how long `next` takes to be answered, with so many items."""
    result = starts.measure(players, "vitrine", "nothing", film, items)
    path = control_path(f"items-{items}")
    command = [word if word != "none" else path for word in starts.run_command(players, "nothing", items, clips.clip(film))]
    with running(command) as (process, _):
        link = line_socket(path, starts.LIMIT)
        time.sleep(2)
        expect_alive(process, "vitrine")
        result |= memory(process.pid)
        ask(link, {"verb": "status"})
        taken = []
        for _ in range(10):
            begun = time.perf_counter()
            answer = ask(link, {"verb": "next"})
            taken.append((time.perf_counter() - begun) * 1000)
            if not answer.get("ok"):
                raise Trouble(f"next: {answer}")
            time.sleep(0.3)
        link.close()
    return {**result, "next": sorted(taken)[len(taken) // 2]}


def quiet(players, is_asleep, seconds):
    """Wake-ups a second of a player that has nothing to do, and its processor time."""
    BUILD.joinpath("run").mkdir(parents=True, exist_ok=True)
    configuration = BUILD / f"run/quiet-{is_asleep}.toml"
    if is_asleep:
        configuration.write_text(f'version = 1\n[playback]\nloop = true\n[[playlist.main.item]]\nuri = "{clips.clip("film-360p")}"\n')
    else:
        configuration.write_text(f'version = 1\n[[playlist.main.item]]\nuri = "{clips.picture()}"\nduration = 3600\n')
    path = control_path("quiet")
    command = [players.binary, "run", "--config", configuration, "--output", "headless", "--osd", "auto", "--no-audio", "--control", path]
    with running(command) as (process, _):
        link = line_socket(path)
        time.sleep(2)
        if is_asleep:
            ask(link, {"verb": "screen", "on": False})
        # Whoever is connected is looked after once a second.
        link.close()
        time.sleep(8)
        expect_alive(process, "vitrine")
        before, used = wakes(process.pid), cpu_seconds(process.pid)
        time.sleep(seconds)
        woken, used = wakes(process.pid) - before, cpu_seconds(process.pid) - used
    return {"wakes": woken / seconds, "cpu": used * 100 / seconds}


def transitions(players, wanted):
    """Memory and descriptors over many transitions of three frames each, after the first tenth and at the end."""
    clip = clips.clip("short-360p")
    configuration = BUILD / "run/transitions.toml"
    configuration.parent.mkdir(parents=True, exist_ok=True)
    items = f'[[playlist.main.item]]\nuri = "{clip}"\n' * 2
    configuration.write_text(f"version = 1\n[playback]\nloop = true\n{items}")
    path = control_path("transitions")
    command = [players.binary, "run", "--config", configuration, "--output", "headless", "--osd", "never", "--no-audio", "--control", path]
    samples = []
    with running(command) as (process, begun):
        link = line_socket(path)
        done = 0
        while done < wanted:
            time.sleep(1)
            expect_alive(process, "vitrine")
            done = played(ask(link, {"verb": "status"}))
            samples.append((done, memory(process.pid)["rss"], descriptors(process.pid)))
            if time.monotonic() - begun > wanted * 0.6 + 60:
                raise Trouble(f"only {done} transitions in {time.monotonic() - begun:.0f} s")
        link.close()
    settled = [sample for sample in samples if sample[0] >= wanted / 10] or samples[-1:]
    half = len(settled) // 2
    # The most of each half: what comes and goes is no growth.
    early, late = settled[:half] or settled, settled[half:]
    return {"transitions": done, "rss_early": max(sample[1] for sample in early), "rss_late": max(sample[1] for sample in late),
            "fds_early": max(sample[2] for sample in early), "fds_late": max(sample[2] for sample in late)}


def played(status):
    try:
        return status["result"]["screens"][0]["counters"]["transitions"]
    except (KeyError, IndexError, TypeError):
        raise Trouble(f"status has no count of transitions: {json.dumps(status)[:400]}")

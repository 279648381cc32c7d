"""Files with random damage from a seed: the player has to play each one or report an error number, in time, and must not crash."""

import concurrent.futures
import json
import os
import random
import tempfile
from dataclasses import dataclass
from pathlib import Path

from . import board

# Files in one process.
CHUNK = 10
# Larger files only cost time: parsers work at a file's beginning and end.
LARGEST = 400_000
# Seconds of virtual time for each file, which lasts a second or two; the player's watch over it takes ten.
SECONDS_EACH = 30
# Seconds of the host for each file. A decoder that computes without end stops the virtual clock.
HOST_SECONDS_EACH = 15

@dataclass(frozen=True)
class Damage:
    """The damaged file with number `seed`: the same bytes each time it is made."""
    seed: int
    kind: object
    way: str
    name: str


def flip(data, chance):
    """Flips single bits, a few or many, anywhere or in the first part."""
    reach = len(data) if chance.random() < 0.5 else min(len(data), 2048)
    for _ in range(chance.choice([1, 4, 16, 64])):
        data[chance.randrange(reach)] ^= 1 << chance.randrange(8)
    return data


def cut(data, chance):
    return data[:chance.randrange(len(data))]


def swap(data, chance):
    length = max(1, int(len(data) * chance.choice([0.01, 0.05, 0.2])))
    one, other = sorted(chance.randrange(max(1, len(data) - length)) for _ in range(2))
    first, second = data[one:one + length], data[other:other + length]
    data[other:other + len(second)] = first[:len(second)]
    data[one:one + len(second)] = second
    return data


def hole(data, chance):
    """Writes zeros, as a failing card leaves them."""
    start = chance.randrange(len(data))
    length = min(len(data) - start, chance.choice([16, 512, 4096, 65536]))
    data[start:start + length] = bytes(length)
    return data


def noise(data, chance):
    start = chance.randrange(len(data))
    length = min(len(data) - start, chance.choice([4, 64, 4096]))
    data[start:start + length] = chance.randbytes(length)
    return data


def beheaded(data, chance):
    return data[chance.randrange(1, min(len(data), 4096)):]


WAYS = [flip, flip, cut, swap, hole, noise, beheaded]


def choose(kinds, folder, count):
    """The first `count` damaged files: each kind in turn, so that a few files cover all kinds."""
    small = [kind for kind in kinds if (folder / kind.name).stat().st_size <= LARGEST]
    random.Random(0).shuffle(small)
    for seed in range(count):
        kind, way = small[seed % len(small)], WAYS[random.Random(seed).randrange(len(WAYS))]
        yield Damage(seed, kind, way.__name__, f"{seed:03}-{way.__name__}-{kind.name}")


def make(damage, folder, place):
    chance = random.Random(damage.seed)
    way = WAYS[chance.randrange(len(WAYS))]
    (place / damage.name).write_bytes(way(bytearray((folder / damage.kind.name).read_bytes()), chance))


def playlist(damages, place):
    text = "version = 1\n[playback]\nloop = false\n"
    for damage in damages:
        text += f'[[playlist.main.item]]\nuri = "{place / damage.name}"\n'
        if damage.kind.group in ("picture", "animation"):
            text += "duration = 0.5\n"
    return text


def boot(chunks, media, binary):
    """The result for each file; None for the files of a process that crashed or didn't end."""
    with tempfile.TemporaryDirectory(dir=board.ROOT / "build") as work:
        work = Path(work)
        for number, damages in enumerate(chunks):
            board.leave_for_guest(work / "lists" / f"{number:03}", playlist(damages, media),
                                  ["--output", "headless", "--size", "320x240", "--no-audio", "--for",
                                   str(SECONDS_EACH * len(damages))])
        limit = 60 + HOST_SECONDS_EACH * sum(len(chunk) for chunk in chunks)
        outcome = board.run_guest(work, binary, limit)
        fates = {}
        for number, damages in enumerate(chunks):
            fates.update(judge(damages, work / "out" / f"{number:03}", outcome.returncode))
        return fates


def judge(damages, out, board_status):
    def all_of_them(fate):
        return {damage: fate for damage in damages}

    if not (out / "status").exists():
        return all_of_them(("HANG" if board_status == 124 else "BOARD", f"the board ended with {board_status}"))
    status = int((out / "status").read_text())
    if status > 128 or not (out / "report.json").exists():
        errors = (out / "errors").read_text(errors="replace").strip().splitlines()
        return all_of_them(("CRASH", f"status {status}: " + " / ".join(errors[-3:])[:300]))
    story = json.loads((out / "report.json").read_text())
    fates = {}
    is_late = story["seconds"] >= SECONDS_EACH * len(damages)
    for damage, item in zip(damages, story["items"]):
        numbers = sorted({error["number"] for error in item["errors"]})
        if item["status"] == "failed" and numbers:
            fates[damage] = ("told", f"error {', '.join(map(str, numbers))}")
        elif item["status"] == "played" and not is_late:
            fates[damage] = ("played", f"{item['frames_rendered']} frames" +
                             (f", error {', '.join(map(str, numbers))}" if numbers else ""))
        elif is_late:
            fates[damage] = ("HANG", f"{item['status']}, {item['played_seconds']:.1f} s played, "
                                     f"duration {item['duration_seconds']}")
        else:
            fates[damage] = ("SILENT", f"{item['status']}, without a number")
    return fates


def play(kinds, folder, count, binary, place):
    """The results of the first `count` damaged files, by their descriptions."""
    damages = list(choose(kinds, folder, count))
    place.mkdir(parents=True, exist_ok=True)
    for damage in damages:
        make(damage, folder, place)

    def rounds(chunks):
        boots = max(1, min(os.cpu_count() or 1, len(chunks)))
        fates = {}
        with concurrent.futures.ThreadPoolExecutor(boots) as pool:
            for part in pool.map(lambda number: boot(chunks[number::boots], place, binary), range(boots)):
                fates.update(part)
        return fates

    fates = rounds([damages[start:start + CHUNK] for start in range(0, count, CHUNK)])
    # If a process with ten files failed, each file is played alone to find the bad one, on a separate board if the board stopped.
    suspects = [damage for damage, fate in fates.items() if fate[0].isupper()]
    if suspects:
        fates.update(rounds([[damage] for damage in suspects]))
    stopped = [damage for damage, fate in fates.items() if fate[0] in ("HANG", "BOARD") and "board" in fate[1]]
    for damage in stopped:
        fates.update(boot([[damage]], place, binary))
    return fates

"""Makes each file of the zoo once."""

import concurrent.futures
import fcntl
import hashlib
import json
import os
import subprocess
import tempfile
from pathlib import Path


class MakingFailed(Exception):
    pass


def fingerprint(kind):
    return hashlib.sha256(repr((kind.commands, kind.recipe())).encode()).hexdigest()[:16]


def make(kind, folder):
    """Makes one file under a temporary name first, so that files in the folder are always complete."""
    with tempfile.TemporaryDirectory(dir=folder, prefix=".work-") as work:
        finished = Path(work) / kind.name
        for command in kind.commands:
            filled = [word.replace("WORK/", f"{work}/") if word != "OUT" else str(finished) for word in command]
            outcome = subprocess.run(filled, stdin=subprocess.DEVNULL, capture_output=True)
            if outcome.returncode != 0:
                raise MakingFailed(f"{' '.join(filled)}\n{outcome.stderr.decode(errors='replace')}")
        if kind.patch:
            finished.write_bytes(kind.patch(finished.read_bytes()))
        finished.replace(folder / kind.name)


def make_all(kinds, folder):
    """Makes missing and outdated files; returns their number."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / ".lock", "w") as lock:
        # A second run waits until the first has made the files.
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp = folder / ".made.json"
        made = json.loads(stamp.read_text()) if stamp.exists() else {}
        missing = [kind for kind in kinds
                   if made.get(kind.name) != fingerprint(kind) or not (folder / kind.name).exists()]
        failures = []
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            tasks = {pool.submit(make, kind, folder): kind for kind in missing}
            for task in concurrent.futures.as_completed(tasks):
                try:
                    task.result()
                    made[tasks[task].name] = fingerprint(tasks[task])
                except (MakingFailed, OSError, ValueError) as error:
                    failures.append(f"{tasks[task].name}: {str(error)[-600:]}")
        stamp.write_text(json.dumps(made, indent=1, sort_keys=True) + "\n")
    if failures:
        raise MakingFailed("\n".join(sorted(failures)))
    return len(missing)

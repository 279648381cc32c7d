"""What has been measured: a line of JSON each, in a file for this machine, these programs and this build, so that a run goes on where
it was broken off and never mixes two builds."""

import hashlib
import json
import statistics

from .places import BUILD


class Results:
    def __init__(self, key, is_quick):
        directory = BUILD / "results"
        directory.mkdir(parents=True, exist_ok=True)
        self.path = directory / f"{key}{'-quick' if is_quick else ''}.jsonl"
        self.lines = {}
        if self.path.exists():
            for line in self.path.read_text().splitlines():
                try:
                    entry = json.loads(line)
                    self.lines[entry["id"]] = entry
                except (ValueError, KeyError):
                    continue  # broken off while it was written: measured again

    def has(self, job):
        """What went wrong is tried again with the next run."""
        return job in self.lines and "trouble" not in self.lines[job]

    def add(self, job, values):
        entry = {"id": job, **values}
        self.lines[job] = entry
        with open(self.path, "a") as file:
            file.write(json.dumps(entry) + "\n")

    def values(self, case, key):
        """Of each round of a case that has it, in the order in which they were measured; lists are put together."""
        found = []
        for job, entry in self.lines.items():
            if job.rpartition("/")[0] == case and key in entry:
                found += entry[key] if isinstance(entry[key], list) else [entry[key]]
        return found

    def troubles(self):
        """What could not be measured, once for each case, with the reason."""
        return {job.rpartition("/")[0]: entry["trouble"] for job, entry in self.lines.items() if "trouble" in entry}


def build_key(binary, versions):
    digest = hashlib.sha256(binary.read_bytes())
    digest.update("\n".join(versions).encode())
    return digest.hexdigest()[:12]


def median(values):
    return statistics.median(values) if values else None


def share(values, part):
    """The value below which so large a part lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else None


def spread(values, digits):
    """Median with its range."""
    if not values:
        return ""
    if len(values) == 1:
        return f"{values[0]:.{digits}f}"
    return f"{median(values):.{digits}f} ({min(values):.{digits}f} to {max(values):.{digits}f})"

"""Where things lie, and what every module needs of it."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BUILD = ROOT / "build/bench"
DOCUMENT = ROOT / "docs/performance.md"
PICTURES = ROOT / "docs/performance"


class Trouble(Exception):
    """What one measurement could not do. The others go on."""

"""How HDR colours have to look on a screen without HDR: the formulas of tone-map-reference, which uses none of Vitrine's code."""

import functools
import importlib.machinery
import importlib.util
from pathlib import Path

import numpy

# The assumed peak of films that don't state one, in cd/m2.
PEAK = 1000
# Points of the table in each direction: linear interpolation between them is exact to a hundredth of an 8-bit step.
POINTS = 49


@functools.cache
def formulas():
    path = str(Path(__file__).resolve().parents[1] / "tone-map-reference")
    loader = importlib.machinery.SourceFileLoader("tone_map_reference", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


@functools.cache
def table(curve):
    steps = [index / (POINTS - 1) for index in range(POINTS)]
    shown = formulas().shown
    return numpy.array([[[shown(curve, PEAK, (r, g, b)) for b in steps] for g in steps] for r in steps], numpy.float32)


def on_plain_screen(frames, curve):
    """Converts the film's frames (R'G'B' of BT.2020, 16 bits) to 8 bits for a screen without HDR."""
    return numpy.stack([mapped(frame, table(curve)) for frame in frames])


def mapped(frame, values):
    place = frame.astype(numpy.float32) * ((POINTS - 1) / 65535)
    low = numpy.minimum(place.astype(numpy.int32), POINTS - 2)
    part = (place - low)[..., None]
    result = numpy.zeros(frame.shape, numpy.float32)
    for corner in range(8):
        r, g, b = corner & 1, corner >> 1 & 1, corner >> 2 & 1
        weight = 1
        for channel, side in enumerate((r, g, b)):
            weight = weight * (part[..., channel, :] if side else 1 - part[..., channel, :])
        result += weight * values[low[..., 0] + r, low[..., 1] + g, low[..., 2] + b]
    return numpy.rint(result * 255).astype(numpy.uint8)

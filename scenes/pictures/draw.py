#!/usr/bin/env python3
"""Draws the gallery's pictures anew: a frame of each scene, 400 × 250, in at most 192 colours.

    scenes/pictures/draw.py [--muslin PROGRAM] [--caches DIR] [NAME ...]

Simulates each scene into DIR/NAME.muslin up to its frame below (`--resume`: what is there is not simulated
again), draws the frame, and writes NAME.png beside this file. Needs Python alone.
"""

import argparse
import pathlib
import struct
import subprocess
import zlib

COLORS = 192
SIZE = (400, 250)
HERE = pathlib.Path(__file__).parent

# The frame at which each scene shows what it is about.
FRAMES = {
    "balloon": 33,
    "cape-run": 85,
    "curtain-ball": 106,
    "curtain-breeze": 90,
    "curtain-open": 150,
    "curtain-walk": 70,
    "curtains": 120,
    "cylinder-drape": 46,
    "dancer-long-skirt": 80,
    "dancer-short-skirt": 33,
    "drape-sphere": 45,
    "flag": 120,
    "grab": 34,
    "hang": 30,
    "pattern-shirt": 34,
    "pleats": 70,
    "robe": 34,
    "rotating-sphere": 50,
    "skirt-kick": 120,
    "stack": 40,
    "stage-drape": 140,
    "tablecloth-legs": 40,
    "tight-torso": 26,
    "twist": 31,
    "twisting-shirt": 50,
    "two-particles": 39,
    "walking-man": 98,
    "water-bottle": 30,
}


def pixels(png):
    """Rows of RGB triples of an 8-bit PNG without interlacing."""
    at, data, width, height, channels = 8, b"", 0, 0, 3
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        body = png[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", body[:10])
            assert depth == 8 and color in (2, 6), "expected 8-bit RGB or RGBA"
            channels = 3 if color == 2 else 4
        elif kind == b"IDAT":
            data += body
        at += 12 + length
    raw, stride, before, rows = zlib.decompress(data), width * channels, bytearray(width * channels), []
    for y in range(height):
        kind, *line = raw[y * (stride + 1) : (y + 1) * (stride + 1)]
        for k in range(stride):
            a = line[k - channels] if k >= channels else 0
            b, c = before[k], before[k - channels] if k >= channels else 0
            p = a + b - c
            near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            line[k] = (line[k] + (0, a, b, (a + b) // 2, near)[kind]) & 255
        before = line
        rows.append([tuple(line[k : k + 3]) for k in range(0, stride, channels)])
    return rows


def palette(counts):
    """Median cut: boxes of colours, always the one with the largest spread by count is halved."""

    def spread(box):
        ranges = [max(c[k] for c in box) - min(c[k] for c in box) for k in range(3)]
        widest = max(range(3), key=lambda k: ranges[k])
        return ranges[widest] * sum(counts[c] for c in box) ** 0.5, widest

    boxes = [(*spread(list(counts)), list(counts))]
    while len(boxes) < COLORS and max(boxes)[0] > 0:
        _, axis, box = boxes.pop(boxes.index(max(boxes)))
        box.sort(key=lambda c: c[axis])
        total, half, cut = sum(counts[c] for c in box), 0, 0
        while cut < len(box) - 1 and half + counts[box[cut]] <= total / 2:
            half, cut = half + counts[box[cut]], cut + 1
        for part in (box[: max(cut, 1)], box[max(cut, 1) :]):
            boxes.append((*spread(part), part))
    index, colors = {}, []
    for number, (_, _, box) in enumerate(boxes):
        total = sum(counts[c] for c in box)
        colors.append(tuple(round(sum(c[k] * counts[c] for c in box) / total) for k in range(3)))
        index.update((c, number) for c in box)
    return index, colors


def reduced(rows):
    """A PNG of the pixels with a palette."""
    counts = {}
    for row in rows:
        for color in row:
            counts[color] = counts.get(color, 0) + 1
    index, colors = palette(counts)
    lines = b"".join(b"\0" + bytes(index[color] for color in row) for row in rows)
    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 3, 0, 0, 0)
    parts = [(b"IHDR", head), (b"PLTE", bytes(sum(colors, ()))), (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b"")]
    chunk = lambda kind, body: struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)


def draw(name, muslin, caches):
    cache, frame = caches / f"{name}.muslin", FRAMES[name]
    if not (cache / "frames" / f"frame_{frame:06}.npz").exists():
        run = ["run", f"@{name}", "-o", cache, "--resume", "--no-check", "--no-sheet", "-q", "--set", f"frames={frame}"]
        subprocess.run([muslin, *run], check=True)
    large = caches / f"{name}.png"
    size = ["--width", str(SIZE[0]), "--height", str(SIZE[1])]
    subprocess.run([muslin, "render", cache, "-o", large, "--overwrite", "-q", "--frame", str(frame), *size], check=True)
    picture = reduced(pixels(large.read_bytes()))
    (HERE / f"{name}.png").write_bytes(picture)
    print(f"{name}: frame {frame}, {len(picture) / 1000:.1f} kB")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", default=[])
    parser.add_argument("--muslin", default="muslin")
    parser.add_argument("--caches", type=pathlib.Path, default=pathlib.Path("pictures"))
    chosen = parser.parse_args()
    chosen.caches.mkdir(exist_ok=True)
    for name in chosen.names or FRAMES:
        draw(name, chosen.muslin, chosen.caches)


if __name__ == "__main__":
    main()

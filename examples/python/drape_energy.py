"""A sheet falls on a ball; its energies over time become a plot.

    python drape_energy.py [frames] [folder]

Writes `energy.svg` (or `energy.png` where matplotlib is installed) into the folder.
"""

import pathlib
import sys

import muslin

COLOURS = {"kinetic": "#b8422e", "membrane": "#3b6ea5", "bend": "#5a8050", "gravity": "#cc9938"}


def scene(frames: int) -> muslin.Scene:
    made = muslin.Scene(frames=frames, fps=24)
    made.cloth(
        grid={"size": [0.8, 0.8], "vertices": [24, 24]},
        position=[0, 0, 0.45],
        fabric="cotton poplin",
    )
    made.body(sphere={"radius": 0.2}, position=[0, 0, 0.2], name="ball")
    made.body(plane={}, name="ground")
    return made


def svg(times: list[float], energies: dict[str, list[float]]) -> str:
    """A plot by hand: one line an energy, over time."""
    width, height, margin = 640, 360, 40
    values = [value for line in energies.values() for value in line]
    low, high = min(values), max(values)
    span = (high - low) or 1.0

    def place(time: float, value: float) -> str:
        x = margin + (width - 2 * margin) * time / (times[-1] or 1.0)
        y = height - margin - (height - 2 * margin) * (value - low) / span
        return f"{x:.1f},{y:.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{margin}" y="20">energy, {low:.3f} J to {high:.3f} J, over {times[-1]:.2f} s</text>',
    ]
    for number, (name, line) in enumerate(energies.items()):
        points = " ".join(place(time, value) for time, value in zip(times, line))
        colour = COLOURS[name]
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        x = margin + 120 * number
        parts.append(f'<text x="{x}" y="{height - 12}" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>\n"])


def main(frames: int, folder: pathlib.Path) -> None:
    simulation = muslin.Simulation(scene(frames))
    times: list[float] = []
    energies: dict[str, list[float]] = {name: [] for name in COLOURS}

    def note(now: muslin.Simulation) -> None:
        times.append(now.time)
        for name, value in now.report["energy"].items():
            energies[name].append(value)

    note(simulation)
    simulation.run(callback=note)
    print(f"lowest point {simulation.positions[:, 2].min():.3f} m at {simulation.time:.2f} s")
    try:
        from matplotlib import pyplot
    except ImportError:
        path = folder / "energy.svg"
        path.write_text(svg(times, energies))
    else:
        path = folder / "energy.png"
        for name, line in energies.items():
            pyplot.plot(times, line, label=name, color=COLOURS[name])
        pyplot.xlabel("time [s]")
        pyplot.ylabel("energy [J]")
        pyplot.legend()
        pyplot.savefig(path)
    print(path)


if __name__ == "__main__":
    frames = int(sys.argv[1]) if len(sys.argv) > 1 else 48
    main(frames, pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "."))

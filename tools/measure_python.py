"""What Python costs: overhead per step, and memory over many frames (R9).

    python tools/measure_python.py [frames]

Prints one JSON object; exits with 1 where a limit is broken.
"""

import json
import resource
import statistics
import sys
import time

import numpy as np

import muslin

#: Most overhead of a step [µs], and most growth of memory over the run [bytes].
MOST_OVERHEAD, MOST_GROWTH = 20.0, 4 << 20


def memory() -> int:
    """Memory of this process now [bytes]; its peak where the system does not say."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def scene(frames: int) -> muslin.Scene:
    made = muslin.Scene(frames=frames, solver={"steps_per_frame": 1})
    made.cloth(grid={"size": [0.5, 0.5], "vertices": [6, 6]}, position=[0, 0, 1])
    return made.pin({"edge": "v1"})


def main(frames: int) -> int:
    simulation = muslin.Simulation(scene(frames))
    forces = np.zeros_like(simulation.positions)
    overhead = []
    warm = frames // 10
    for frame in range(frames):
        if frame == warm:
            before = memory()
        start = time.perf_counter()
        simulation.step()
        taken = time.perf_counter() - start
        overhead.append(1e6 * (taken - simulation.seconds))
        simulation.set_forces(forces)
        simulation.report["energy"]
    growth = memory() - before
    answer = {
        "frames": frames,
        "vertices": len(simulation.positions),
        "overhead_us": {
            "least": round(min(overhead), 2),
            "quartile": round(statistics.quantiles(overhead)[0], 2),
            "median": round(statistics.median(overhead), 2),
        },
        "memory_growth_bytes": growth,
    }
    print(json.dumps(answer))
    # Whatever else the machine does only adds to the time: the lower quartile is near the truth.
    return int(answer["overhead_us"]["quartile"] > MOST_OVERHEAD or growth > MOST_GROWTH)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))

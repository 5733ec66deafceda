"""What Python costs: overhead per step, and memory over many frames (R9).

    python tools/measure_python.py [frames]

The overhead of a step is all that `step()` takes beyond the engine's own time for the frame, which is
measured around the engine alone: the call, giving Python's lock up and taking it again, handing the frame
to the engine's threads and waiting for them, copying positions and velocities. Steps are taken in batches;
whatever else the machine does only adds to a batch, so the batch with the least median is judged. It is a
median, so half of its steps are at or below it.

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
#: Steps in a batch.
BATCH = 50


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
    frames = max(frames, 10 * BATCH)
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
    batches = [overhead[k : k + BATCH] for k in range(warm, frames - BATCH + 1, BATCH)]
    medians = sorted(statistics.median(batch) for batch in batches)
    answer = {
        "frames": frames,
        "vertices": len(simulation.positions),
        "overhead_us": {
            "least": round(min(overhead), 2),
            "best_batch": round(medians[0], 2),
            "median_batch": round(medians[len(medians) // 2], 2),
            "worst_batch": round(medians[-1], 2),
        },
        "memory_growth_bytes": growth,
    }
    print(json.dumps(answer))
    return int(medians[0] > MOST_OVERHEAD or growth > MOST_GROWTH)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))

"""Simulations: the command line's bits, views, forces, targets, bodies of Python."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import muslin
from conftest import DRAPE, command, free_scene, grid

G = 9.81


def lumped_masses(simulation):
    """A third of each triangle's mass to each of its vertices [kg], in units of its density."""
    a, b, c = (simulation.positions[simulation.triangles[:, k]] for k in range(3))
    areas = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
    masses = np.zeros(len(simulation.positions))
    for k in range(3):
        np.add.at(masses, simulation.triangles[:, k], areas / 3)
    return masses


def test_same_bits_as_the_command_line(here):
    (here / "drape.toml").write_text(DRAPE)
    code, _ = command("run", "drape.toml", "-o", "drape.muslin", "--no-sheet")
    assert code == 0
    simulation = muslin.Simulation("drape.toml")
    simulation.run(progress=False, cache="own.muslin")
    theirs, own = muslin.Cache.open("drape.muslin"), muslin.Cache.open("own.muslin")
    assert len(theirs) == len(own) == 9
    for a, b in zip(theirs, own):
        assert np.array_equal(a.positions, b.positions)
        assert np.array_equal(a.velocities, b.velocities)
        assert a.time == b.time and a.report == b.report
    assert np.array_equal(theirs[-1].positions, simulation.positions)
    assert theirs.manifest["fingerprint"] == own.manifest["fingerprint"]


def test_views_are_read_only_and_never_move():
    simulation = muslin.Simulation(free_scene())
    positions, velocities = simulation.positions, simulation.velocities
    assert positions.shape == (25, 3) and positions.dtype == np.float64
    start, before = positions.ctypes.data, positions.copy()
    simulation.run(3, progress=False)
    assert simulation.positions is positions and positions.ctypes.data == start
    assert (positions[:, 2] < before[:, 2]).all() and (velocities[:, 2] < 0).all()
    for array in (positions, velocities, simulation.triangles, simulation.uv):
        with pytest.raises(ValueError):
            array[0] = 0
    del simulation
    assert np.isfinite(positions).all()


def test_forces_move_the_middle_as_newton_says():
    simulation = muslin.Simulation(free_scene(gravity=[0, 0, 0]))
    masses = lumped_masses(simulation)
    start = (masses @ simulation.positions) / masses.sum()
    force = np.zeros((25, 3))
    force[7] = [0.02, -0.01, 0.03]
    simulation.set_forces(force)
    frames = 6
    simulation.run(frames, progress=False)
    end = (masses @ simulation.positions) / masses.sum()
    velocity = (masses @ simulation.velocities) / masses.sum()
    # Momentum is mass times speed of the middle: the mass follows from one axis, the others check it.
    seconds = frames / 24
    mass = force[7, 2] * seconds / velocity[2]
    density = mass / masses.sum()
    assert 0.05 < density < 0.3
    assert np.allclose(velocity, force[7] * seconds / mass, rtol=1e-3)
    assert np.allclose(end - start, 0.5 * force[7] * seconds**2 / mass, rtol=1e-3)


def test_a_force_as_large_as_the_weight_holds_cloth_in_the_air():
    simulation = muslin.Simulation(free_scene())
    simulation.step()
    # Free fall: the potential energy lost is mass g height.
    energy = simulation.report["energy"]
    mass = energy["kinetic"] / (0.5 * (G / 24) ** 2)
    shares = lumped_masses(muslin.Simulation(free_scene()))
    held = muslin.Simulation(free_scene())
    weight = np.zeros((25, 3))
    weight[:, 2] = mass * shares / shares.sum() * G
    held.set_forces(weight)
    before = held.positions.copy()
    held.run(24, progress=False)
    assert np.abs(held.positions - before).max() < 1e-9
    held.set_forces(None)
    held.run(24, progress=False)
    fallen = before[:, 2] - held.positions[:, 2]
    assert np.allclose(fallen, 0.5 * G, rtol=1e-6)


def test_targets_are_met_exactly_and_let_go():
    simulation = muslin.Simulation(free_scene())
    corners = [0, 4]
    places = simulation.positions[corners] + [0, 0.01, 0.02]
    simulation.set_targets(corners, places)
    simulation.step()
    assert np.allclose(simulation.positions[corners], places, atol=1e-12)
    simulation.run(5, progress=False)
    assert np.allclose(simulation.positions[corners], places, atol=1e-12)
    simulation.set_targets(None)
    simulation.run(3, progress=False)
    assert (simulation.positions[corners, 2] < places[:, 2] - 0.01).all()


def test_bad_forces_and_targets_change_nothing():
    scene = free_scene().pin([3])
    simulation, untouched = muslin.Simulation(scene), muslin.Simulation(scene)
    wrong = [
        lambda: simulation.set_forces(np.zeros((24, 3))),
        lambda: simulation.set_forces(np.full((25, 3), np.inf)),
        lambda: simulation.set_forces("much"),
        lambda: simulation.set_targets([0, 0], np.zeros((2, 3))),
        lambda: simulation.set_targets([25], np.zeros((1, 3))),
        lambda: simulation.set_targets([3], np.zeros((1, 3))),
        lambda: simulation.set_targets([1], np.zeros((2, 3))),
        lambda: simulation.set_targets([1]),
        lambda: simulation.run(-1),
        lambda: simulation.run(2.5),
    ]
    for call in wrong:
        with pytest.raises(muslin.Error):
            call()
    simulation.run(2, progress=False)
    untouched.run(2, progress=False)
    assert np.array_equal(simulation.positions, untouched.positions)


def lifted(time_of_failure=np.inf, motion=lambda seconds: 0.2 * seconds):
    """A scene in which a plate, moved by Python, lifts a sheet; and how often Python was asked."""
    x, t = grid(4, 4, 0.6)
    low = np.concatenate([x - [0.05, 0.05, 0.05], x - [0.05, 0.05, 0.01]])
    box = np.concatenate([t[:, ::-1], t + 16, sides(4)])
    calls = []

    def plate(seconds):
        calls.append(seconds)
        if seconds > time_of_failure:
            raise RuntimeError("the plate broke")
        return low + [0, 0, motion(seconds)]

    sheet, triangles = grid(6, 6, 0.5)
    scene = muslin.Scene(frames=20).cloth(sheet, triangles, uv=sheet[:, :2])
    return scene.body(plate, box), calls, low, box


def sides(n):
    """Triangles around two n x n grids, one above the other, facing outward."""
    row = np.arange(n)
    around = np.concatenate([row[:-1], row[:-1] * n + n - 1, (n * n - 1) - row[:-1], (n - 1 - row[:-1]) * n])
    after = np.roll(around, -1)
    up = n * n
    return np.concatenate(
        [np.stack([around, after, after + up], 1), np.stack([around, after + up, around + up], 1)]
    )


def test_a_body_of_a_python_function_carries_cloth():
    scene, calls, low, box = lifted()
    simulation = muslin.Simulation(scene)
    simulation.run(12, progress=False)
    assert len(calls) > 12
    top = simulation.body_positions[16:, 2]
    assert np.allclose(top, -0.01 + 0.2 * simulation.time)
    middle = simulation.positions[14:16, 2]
    assert (middle > top[0]).all()


def test_a_body_of_arrays_over_time_goes_straight_from_frame_to_frame():
    _, _, low, box = lifted()
    frames = np.stack([low + [0, 0, 0.01 * k] for k in range(5)])
    sheet, triangles = grid(6, 6, 0.5)
    arrays = muslin.Scene(frames=20).cloth(sheet, triangles, uv=sheet[:, :2])
    arrays.body(frames, box, fps=12)

    def straight(seconds):
        at = min(max(seconds * 12, 0.0), 4.0)
        first = min(int(at), 4)
        a, b = frames[first], frames[min(first + 1, 4)]
        return a + (b - a) * (at - first)

    function = muslin.Scene(frames=20).cloth(sheet, triangles, uv=sheet[:, :2]).body(straight, box)
    one, two = muslin.Simulation(arrays), muslin.Simulation(function)
    for frame in range(1, 11):
        one.step()
        two.step()
        height = 0.01 * min(frame / 2, 4)
        assert np.allclose(one.body_positions, low + [0, 0, height], atol=1e-12)
        assert np.array_equal(one.positions, two.positions)


def test_a_body_function_that_raises_leaves_the_simulation_sound():
    scene, *_ = lifted(time_of_failure=0.2)
    simulation = muslin.Simulation(scene)
    with pytest.raises(RuntimeError, match="the plate broke"):
        simulation.run(progress=False)
    frame = simulation.frame
    assert frame == 4
    good = muslin.Simulation(lifted()[0]).run(frame, progress=False)
    assert np.array_equal(simulation.positions, good.positions)
    with pytest.raises(RuntimeError, match="the plate broke"):
        simulation.step()
    assert simulation.frame == frame and np.array_equal(simulation.positions, good.positions)


def test_a_body_function_of_the_wrong_shape():
    x, t = grid(4, 4)
    box = np.concatenate([t[:, ::-1], t + 16, sides(4)])
    both = np.concatenate([x - [0, 0, 0.2], x - [0, 0, 0.1]])
    scene = free_scene().body(lambda time: both if time < 0.1 else both[:5], box)
    with pytest.raises(muslin.Error, match=r"expected shape \(32, 3\), got \(5, 3\)"):
        muslin.Simulation(scene).run(10, progress=False)


def test_a_callback_that_raises_comes_out_and_the_frames_are_kept(here):
    simulation = muslin.Simulation(free_scene())

    def callback(now):
        if now.frame == 3:
            raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        simulation.run(10, callback, progress=False, cache="cut.muslin")
    assert simulation.frame == 3
    cache = muslin.Cache.open("cut.muslin")
    assert len(cache) == 4 and cache.manifest["status"] == "stopped"
    simulation.run(2, progress=False)
    other = muslin.Simulation(free_scene()).run(5, progress=False)
    assert np.array_equal(simulation.positions, other.positions)


def test_a_callback_can_end_the_run():
    simulation = muslin.Simulation(free_scene())
    simulation.run(10, lambda now: now.frame < 4, progress=False)
    assert simulation.frame == 4


def test_ctrl_c_ends_a_step_and_the_run_goes_on_with_the_same_bits():
    scene = muslin.Scene(frames=4, solver={"steps_per_frame": 400})
    scene.cloth(grid={"size": [1, 1], "vertices": [40, 40]}, position=[0, 0, 2]).pin({"edge": "v1"})
    simulation = muslin.Simulation(scene)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        simulation.run(progress=False)
    assert time.monotonic() - started < 20
    frame = simulation.frame
    before = simulation.positions.copy()
    again = muslin.Simulation(scene)
    if frame:
        again.run(frame, progress=False)
    assert np.array_equal(before, again.positions)


def test_other_threads_run_while_a_step_computes():
    scene = muslin.Scene(frames=1, solver={"steps_per_frame": 40})
    scene.cloth(grid={"size": [1, 1], "vertices": [30, 30]}).pin({"edge": "v1"})
    simulation = muslin.Simulation(scene)
    worker = threading.Thread(target=simulation.step)
    worker.start()
    turns = 0
    while worker.is_alive():
        time.sleep(0.001)
        turns += 1
    worker.join()
    assert turns > 10 and simulation.frame == 1


def test_reports_surfaces_and_words():
    scene = muslin.Scene.parse(DRAPE)
    simulation = muslin.Simulation(scene).run(2, progress=False)
    report = simulation.report
    assert report["frame"] == 2 and report["time"] == pytest.approx(2 / 24)
    assert set(report["energy"]) == {"kinetic", "membrane", "bend", "gravity"}
    cloth, ball = simulation.surfaces["cloth-0"], simulation.surfaces["body-0"]
    assert simulation.positions[cloth.vertices].shape == (81, 3) and ball.kind == "body"
    radii = np.linalg.norm(simulation.body_positions[ball.vertices] - [0, 0, 0.2], axis=1)
    assert np.allclose(radii, 0.2)
    assert simulation.body_triangles.max() == len(radii) - 1
    assert simulation.uv.shape == (128, 3, 2)
    assert "81 vertices" in repr(simulation) and simulation.seconds > 0


def test_progress_is_shown_where_it_is_asked_for():
    import io

    stream = io.StringIO()
    muslin.Simulation(free_scene()).run(3, progress=stream)
    assert "frame 3 of 3" in stream.getvalue()

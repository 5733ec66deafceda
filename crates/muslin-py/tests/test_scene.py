"""Scenes from files, text, dicts and code."""

import numpy as np
import pytest

import muslin
from conftest import DRAPE, command, grid


def test_file_text_and_dict_give_the_same_bits(here):
    (here / "drape.toml").write_text(DRAPE)
    as_dict = {
        "frames": 8,
        "cloth": [{"grid": {"size": [0.5, 0.5], "vertices": [9, 9]}, "position": [0, 0, 0.42]}],
        "body": [{"sphere": {"radius": 0.2}, "position": [0, 0, 0.2]}],
    }
    scenes = [
        muslin.Scene.load("drape.toml"),
        muslin.Scene.parse(DRAPE),
        muslin.Scene.from_dict(as_dict),
    ]
    ends = [muslin.Simulation(s).run(3, progress=False).positions.copy() for s in scenes]
    assert np.array_equal(ends[0], ends[1]) and np.array_equal(ends[0], ends[2])
    assert scenes[0].frames == 8 and scenes[0].fps == 24.0 and scenes[0].name == "drape"


def test_the_gallery_and_overrides():
    scene = muslin.Scene.load("@hang", overrides=["frames=2"])
    assert scene.frames == 2


def test_a_scene_built_in_code_is_the_scene_that_was_written():
    code = muslin.Scene(frames=8)
    code.cloth(grid={"size": [0.5, 0.5], "vertices": [9, 9]}, position=[0, 0, 0.42])
    code.body(sphere={"radius": 0.2}, position=np.array([0, 0, 0.2]))
    a = muslin.Simulation(code).run(3, progress=False)
    b = muslin.Simulation(muslin.Scene.parse(DRAPE)).run(3, progress=False)
    assert np.array_equal(a.positions, b.positions)


@pytest.mark.parametrize(
    "text",
    [
        "frames = 8\nclth = 1",
        "frames = -1",
        "frames = 'many'",
        "[[cloth]]\ngrid = { size = [1, 1], vertices = [5, 5] }\nfabric = { density = 150 }",
        "not toml",
        "[[cloth]]\nmesh = 'missing.obj'",
    ],
)
def test_errors_are_those_of_the_command_line(here, text):
    (here / "bad.toml").write_text(text)
    code, answer = command("run", "bad.toml")
    assert code == 2
    with pytest.raises(muslin.Error) as caught:
        muslin.Scene.load("bad.toml")
    error = caught.value
    assert {"kind": error.kind, "where": error.where, "message": error.message} == answer["error"]


def test_a_scene_that_is_not_there(here):
    with pytest.raises(muslin.Error) as caught:
        muslin.Scene.load("nowhere.toml")
    assert caught.value.kind == "unreadable" and "nowhere.toml" in caught.value.where


def test_arrays_of_the_wrong_shape_or_type_are_refused():
    x, t = grid(3, 3)
    scene = muslin.Scene()
    cases = [
        (lambda: scene.cloth(x[:, :2], t), "(n, 3)"),
        (lambda: scene.cloth(x, t[:, :2]), "(n, 3)"),
        (lambda: scene.cloth(x, t + 1), "vertex 9"),
        (lambda: scene.cloth(x, t - 1), "vertex -1"),
        (lambda: scene.cloth(x, t.astype(float)), "whole numbers"),
        (lambda: scene.cloth(x.astype(str), t), "numbers [m]"),
        (lambda: scene.cloth(x * np.nan, t), "(0, 0) is not finite"),
        (lambda: scene.cloth([[1, 2, 3], [1]], t), "no array"),
        (lambda: scene.cloth(x), "triangles"),
        (lambda: scene.cloth(x, t, uv=x), "(9, 2)"),
        (lambda: scene.cloth(triangles=t), "positions"),
        (lambda: scene.body(np.zeros((0, 9, 3)), t), "no frames"),
        (lambda: scene.body(np.stack([x, x]), t, fps=0), "no rate"),
        (lambda: scene.pin([0]), "no cloth"),
        (lambda: scene.wind([1, 2]), "(3,)"),
        (lambda: scene.cloth(grid=object()), "object"),
    ]
    for call, words in cases:
        with pytest.raises(muslin.Error) as caught:
            call()
        assert caught.value.kind == "argument" and words in str(caught.value)
    assert scene._settings.get("cloth", []) == []


def test_a_mesh_that_is_no_cloth_is_refused():
    x, t = grid(3, 3)
    twice = np.concatenate([t, t])
    with pytest.raises(muslin.Error):
        muslin.Simulation(muslin.Scene().cloth(x, twice))


def test_copies_are_independent():
    x, t = grid(3, 3)
    one = muslin.Scene(frames=1).cloth(x, t)
    two = one.copy().set(frames=5).pin([0])
    assert (one.frames, two.frames) == (1, 5)
    assert "pin" in two.text and "pin" not in one.text

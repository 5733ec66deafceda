"""Caches, exports, checks and pictures."""

import html

import numpy as np
import pytest

import muslin
from conftest import DRAPE, command


@pytest.fixture
def cache(here):
    muslin.Simulation(muslin.Scene.parse(DRAPE)).run(3, progress=False, cache="drape.muslin")
    return here / "drape.muslin"


def test_frames_are_read_when_asked_for(cache):
    opened = muslin.Cache.open(cache)
    assert len(opened) == 4 and opened.frames == [0, 1, 2, 3]
    last = opened[-1]
    assert last.number == 3 and last.positions.shape == (81, 3) and last.report["frame"] == 3
    assert [frame.number for frame in opened] == [0, 1, 2, 3]
    assert opened.scene_text == DRAPE and opened.manifest["status"] == "finished"
    assert opened.report["summary"]["frames"] == 4
    with pytest.raises(IndexError, match="4 frames"):
        opened[4]
    # Nothing is read before it is asked for: a damaged frame hurts only those who read it.
    path = cache / "frames" / "frame_000001.npz"
    path.write_bytes(path.read_bytes()[:100])
    opened = muslin.Cache.open(cache)
    assert opened[2].number == 2
    with pytest.raises(muslin.Error) as caught:
        opened[1]
    assert caught.value.kind == "damaged"
    path.unlink()
    with pytest.raises(muslin.Error) as caught:
        opened.frame(1)
    assert caught.value.kind == "missing-frame"


def test_what_is_no_cache_is_refused(here):
    with pytest.raises(muslin.Error) as caught:
        muslin.Cache.open(here)
    assert caught.value.kind == "not-a-cache"


def test_a_cache_is_not_overwritten_by_accident(cache):
    simulation = muslin.Simulation(muslin.Scene.parse(DRAPE))
    with pytest.raises(muslin.Error) as caught:
        simulation.run(1, progress=False, cache=cache)
    assert caught.value.kind == "exists" and len(muslin.Cache.open(cache)) == 4
    simulation.run(1, progress=False, cache=cache, overwrite=True)
    assert len(muslin.Cache.open(cache)) == 2


def test_exports_are_those_of_the_command_line(cache, here):
    assert muslin.export(cache, "own.npz") == ["own.npz"]
    assert command("export", cache, "-o", "other.npz")[0] == 0
    assert (here / "own.npz").read_bytes() == (here / "other.npz").read_bytes()
    assert np.load("own.npz")["positions"].shape == (4, 81, 3)
    files = muslin.export(muslin.Cache.open(cache), "still.obj", frames=2, up="y")
    assert files == ["still.obj"]
    with pytest.raises(muslin.Error, match="overwrite"):
        muslin.export(cache, "own.npz")
    muslin.export(cache, "own.npz", overwrite=True, frames=(1, 2))
    assert np.load("own.npz")["positions"].shape == (2, 81, 3)
    with pytest.raises(muslin.Error) as caught:
        muslin.export(cache, "own.xyz")
    assert caught.value.kind == "format"


def test_checks_are_those_of_the_command_line(cache):
    own = muslin.check(cache)
    assert own["ok"] and len(own["frames"]) == 4
    assert command("check", cache) == (0, own)
    with pytest.raises(muslin.Error, match="check the path"):
        muslin.check("nowhere")


def test_pictures_are_arrays(cache):
    image = muslin.render(cache, width=64, height=48)
    assert image.shape == (48, 64, 3) and image.dtype == np.uint8
    assert image.std() > 5
    above = muslin.render(cache, 0, width=64, height=48, eye=[0, -0.01, 2], target=[0, 0, 0.3])
    assert not np.array_equal(image, above)
    strain = muslin.render(cache, width=64, height=48, strain=0.05)
    assert not np.array_equal(image, strain)
    for wrong in ({"frame": 9}, {"width": 0}, {"eye": [1, 2]}, {"eye": [0, 0, float("nan")]}):
        with pytest.raises(muslin.Error):
            muslin.render(cache, **wrong)


def test_notebooks_show_the_player(cache):
    shown = muslin.Cache.open(cache)._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and shown.endswith("</iframe>")
    assert "&lt;script" in shown and "<script" not in shown
    assert command("export", cache, "-o", "player.html")[0] == 0
    page = html.unescape(shown.split('"')[1])
    with open("player.html", encoding="utf-8") as file:
        assert page == file.read()

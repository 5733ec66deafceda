"""Damaged files of other programs: errors, the same as the command line's, and a sound interpreter."""

import json
import struct

import pytest

import muslin
from conftest import DRAPE, command


@pytest.fixture
def cache(here):
    muslin.Simulation(muslin.Scene.parse(DRAPE)).run(4, progress=False, cache="a.muslin")
    return here / "a.muslin"


def refused(here, name):
    """The words with which a file is refused as cloth and as a body, here and on the command line."""
    sheet = {"grid": {"size": [1, 1], "vertices": [3, 3]}, "position": [0, 0, 9]}
    messages = []
    for scene in ({"cloth": [{"mesh": name}]}, {"cloth": [sheet], "body": [{"mesh": name}]}):
        with pytest.raises(muslin.Error) as caught:
            muslin.Simulation(scene)
        messages.append(caught.value.message)
        (here / "scene.toml").write_text(muslin._native.toml_of(json.dumps(scene)))
        code, answer = command("run", "scene.toml")
        assert code == 2 and answer["error"]["message"] == caught.value.message
        assert not (here / "scene.muslin").exists()
    assert all(name in message and "\n" not in message for message in messages)
    return messages


def test_a_damaged_usd(cache, here):
    muslin.export(cache, "a.usda")
    path = here / "a.usda"
    whole = path.read_text()
    twisted = whole.replace("faceVertexIndices = [0,", "faceVertexIndices = [900,")
    assert twisted != whole
    for text in (whole[: len(whole) // 2], "no USD", "", twisted):
        path.write_text(text)
        refused(here, "a.usda")


def test_a_gltf_with_accessors_out_of_range(cache, here):
    muslin.export(cache, "a.glb")
    path = here / "a.glb"
    whole = path.read_bytes()
    length = struct.unpack("<I", whole[12:16])[0]

    def changed(change):
        root = json.loads(whole[20 : 20 + length])
        change(root)
        text = json.dumps(root).encode()
        text += b" " * (-len(text) % 4)
        rest = whole[20 + length :]
        head = whole[:8] + struct.pack("<II", 20 + len(text) + len(rest), len(text)) + b"JSON"
        path.write_bytes(head + text + rest)

    def position(root):
        return root["accessors"][root["meshes"][0]["primitives"][0]["attributes"]["POSITION"]]

    changed(lambda root: position(root).update(count=4_000_000_000))
    refused(here, "a.glb")
    changed(lambda root: position(root).update(bufferView=777))
    assert "777" in refused(here, "a.glb")[0]
    changed(lambda root: position(root).update(byteOffset=10**12))
    refused(here, "a.glb")
    path.write_bytes(whole[:-40])
    refused(here, "a.glb")


def test_a_cache_with_missing_frames(cache, here):
    (cache / "frames" / "frame_000002.npz").unlink()
    opened = muslin.Cache.open(cache)
    assert opened.frames == [0, 1, 3, 4] and len(list(opened)) == 4
    with pytest.raises(muslin.Error) as caught:
        opened.frame(2)
    assert caught.value.kind == "missing-frame"
    for name in ("a.usda", "a.abc", "a.html"):
        with pytest.raises(muslin.Error, match="between 1 and 3") as caught:
            muslin.export(cache, name)
        assert caught.value.kind == "missing-frame" and not (here / name).exists()
    assert muslin.check(cache)["problems"][0]["kind"] == "missing-frames"
    assert muslin.export(cache, "a.usda", frames=(3, 4)) == ["a.usda"]
    assert muslin.render(cache, width=32, height=24).shape == (24, 32, 3)

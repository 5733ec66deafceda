"""The examples run, and show what they say."""

import os
import subprocess
import sys


def run(examples, name, *words):
    line = [sys.executable, os.path.join(examples, name), *map(str, words)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_drape_energy(examples, here):
    answer = run(examples, "drape_energy.py", 8, here)
    lowest = float(answer.split()[2])
    assert 0.0 < lowest < 0.4
    assert (here / "energy.svg").exists() or (here / "energy.png").exists()


def test_fabric_sweep(examples):
    lines = run(examples, "fabric_sweep.py", 12).splitlines()[1:]
    sags = {line[:16].strip(): float(line.split()[-2]) for line in lines}
    # Chiffon and poplin are both limp on so coarse a mesh; denim is not.
    assert min(sags["chiffon"], sags["cotton poplin"]) > sags["denim"] > 0.0


def test_custom_force(examples, here):
    answer = run(examples, "custom_force.py", 8, here)
    assert float(answer.split()[4]) > 0.01
    assert (here / "magnet.ppm").stat().st_size > 320 * 240 * 3


def test_the_example_of_the_documentation(examples, here):
    with open(os.path.join(examples, "..", "..", "docs", "python.md"), encoding="utf-8") as file:
        code = file.read().split("```python\n")[1].split("```")[0]
    for long, short in (("frames=48", "frames=3"), ("[40, 40]", "[8, 8]")):
        assert long in code
        code = code.replace(long, short)
    (here / "example.py").write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "example.py"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert 0.5 < float(done.stdout) < 0.8
    assert (here / "drape.usda").stat().st_size > 1000

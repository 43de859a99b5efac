"""firefox-esr takes eight headless screenshots of a page, each the same, with no child that dies."""

import glob
import os

PACKAGES = ["firefox-esr"]
SECONDS = 600

# Fonts differ from machine to machine, not from run to run.
PAGE = """<!doctype html><meta charset="utf-8"><title>page</title>
<body style="background:#fff; font:20px monospace"><h1>A page</h1>
<canvas id="canvas" width="400" height="200"></canvas><table id="table"></table><p id="sum"></p>
<script>
const paint = document.getElementById('canvas').getContext('2d');
for (let i = 0; i < 40; i++) {
  paint.fillStyle = `rgb(${i * 6}, ${255 - i * 6}, ${(i * 37) % 256})`;
  paint.fillRect(i * 10, i * 3, 9, 60);
}
const kept = [];
for (let round = 0; round < 5; round++) {
  kept.length = 0;
  for (let i = 0; i < 200000; i++) kept.push({ i, text: 'x'.repeat(i % 50), list: [i, round] });
}
for (let i = 0; i < 300; i++) {
  const cell = document.getElementById('table').insertRow().insertCell();
  cell.textContent = JSON.stringify(kept[i * 17]);
}
document.getElementById('sum').textContent = kept.reduce((sum, one) => sum + one.text.length, 0);
</script>
"""


def without_ours(text):
    """Without our line, and what children are denied that write statistics as they end."""
    ours = (b"mmt: ", b"/staging/stats/")
    return b"\n".join(line for line in text.split(b"\n") if not any(word in line for word in ours))


def case(lab):
    page = lab.write("page.html", PAGE)
    for round_ in range(8):
        profile = lab.path(f"profile{round_}")
        os.makedirs(profile)
        picture = f"picture{round_}.png"
        words = ["firefox-esr", "--headless", "--no-remote", "--profile", profile]
        words += ["--window-size=800,600", "--screenshot", lab.path(picture), f"file://{page}"]
        done = lab.run(words, clean=without_ours, timeout=120, label=f"screenshot {round_}")
        dumps = glob.glob(os.path.join(profile, "minidumps", "*"))
        lab.require(b"exited on signal" not in done.stderr, f"a child died: {done.stderr.decode()}")
        lab.require(not dumps, f"a child died and left {dumps}")
        lab.observe(picture, lab.read(picture))
    lab.require(len({lab.read(f"picture{i}.png") for i in range(8)}) == 1, "pictures differ")

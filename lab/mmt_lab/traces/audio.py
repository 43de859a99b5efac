"""A small file of MPEG audio, layer 3: a few chords of our own, coded by lame."""

import array
import math
import sys
import wave

from ..peers import commands

_RATE = 22_050
_SECONDS = 6
_CHORDS = ((220, 277, 330), (247, 311, 370), (196, 247, 294), (165, 220, 262))


def _samples():
    for at in range(_RATE * _SECONDS):
        chord = _CHORDS[at * len(_CHORDS) // (_RATE * _SECONDS)]
        tones = sum(math.sin(2 * math.pi * tone * at / _RATE) for tone in chord)
        yield int(8000 * tones * math.exp(-(at % (_RATE // 2)) / _RATE))


def make(folder):
    """The path of the file, made in a folder."""
    samples = array.array("h", _samples())
    if sys.byteorder == "big":
        samples.byteswap()
    with wave.open(str(folder / "chords.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(_RATE)
        file.writeframes(samples.tobytes())
    words = ["lame", "--quiet", "-b", "64", "chords.wav", "chords.mp3"]
    commands.run("code the audio", words, folder)
    return folder / "chords.mp3"

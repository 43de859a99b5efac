"""Trace files (docs/trace_format.md) that are small and unpack to much: columns that repeat a byte."""

import struct
import zlib

MOST_EVENTS = 1 << 16
_MOST_OF_BLOCK = 1 << 17


def varint(number):
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def zstd(byte, count, window=None):
    """A zstd frame of so many equal bytes: some bytes for 128 KiB. `window`: log2; without, the frame
    tells its length."""
    frame = struct.pack("<IBI", 0xFD2FB528, 0xA0, count)
    if window:
        frame = struct.pack("<IBB", 0xFD2FB528, 0, window - 10 << 3)
    while count:
        part = min(count, _MOST_OF_BLOCK)
        count -= part
        frame += struct.pack("<I", part << 3 | 1 << 1 | (count == 0))[:3] + bytes([byte])
    return frame


def zstd_stored(content):
    """A zstd frame of less than 128 KiB that is not compressed."""
    return struct.pack("<IBI", 0xFD2FB528, 0xA0, len(content)) + struct.pack("<I", len(content) << 3 | 1)[:3] + content


def column(packed, size):
    return varint(size) + (varint(len(packed)) + packed if size else b"")


def repeated(byte, count):
    return column(zstd(byte, count), count)


def stored(content):
    return column(zstd_stored(content), len(content)) if content else varint(0)


class CraftedTrace:
    def __init__(self):
        self._blocks = [(1, varint(4) + b"evil" + varint(4) + b"test" + varint(0) + varint(1))]
        self._frames = []  # (place of the block among others, summary)
        self._sites = []
        self.events = self.objects = 0

    def block(self, kind, content):
        self._blocks.append((kind, content))

    def frame(self, kinds, sizes, events, births, distances=b"\0", sites=b"\0"):
        """Columns as they stand in the file; one thread."""
        summary = b"".join(map(varint, (events, self.events, self.objects, births, 1, 2)))
        threads = stored(varint(0) + varint(events))
        self._frames.append((len(self._blocks), summary))
        self.block(2, summary + kinds + threads + sizes + distances + varint(0) + sites)
        self.events += events
        self.objects += births

    def births(self, size=64, events=MOST_EVENTS):
        """Objects of a size below 128, which stay."""
        self.frame(repeated(0, events), repeated(size, events), events, events)

    def birth(self, size, site=0):
        """One object of any size; `site`: a call site's number."""
        kind = 0x20 if site else 0
        self.frame(stored(bytes([kind])), stored(varint(size)), 1, 1, sites=stored(varint(site)) if site else b"\0")

    def sites(self, count, first=1):
        """Texts of no length."""
        self._sites.append(len(self._blocks))
        self.block(3, varint(first) + varint(count) + repeated(0, count))

    def bytes(self):
        out, places = bytearray(b"mmttrace" + struct.pack("<I", 1)), []
        for kind, content in self._blocks:
            places.append(len(out))
            out += self._whole(kind, content)
        index = varint(len(self._frames))
        index += b"".join(varint(places[at]) + summary for at, summary in self._frames)
        index += varint(len(self._sites)) + b"".join(varint(places[at]) for at in self._sites)
        end = len(out)
        return bytes(out + self._whole(4, index) + struct.pack("<Q", end) + b"mmtindex")

    @staticmethod
    def _whole(kind, content):
        head = struct.pack("<II", kind, len(content))
        return head + struct.pack("<I", zlib.crc32(head + content)) + content

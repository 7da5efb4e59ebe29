#!/usr/bin/env python3
"""Spreads a part of a mapped level over as many bytes as the complete level has.

    scripts/spread_level.py PART.map SPREAD.map BYTES

Every diagram keeps its nodes. A diagram that the part lacks gets as many bytes as those beside it have on average,
and the blocks that it lacks share the rest, which the file system stores as holes. Questions then
read as much from the disk and the page cache as with the complete level; the answers are those of
the part. For levels
from 20 cards on. Needs xxhash. The layout of the file is in docs/format.md.
"""

import os
import struct
import sys

import xxhash

RELATIVES = 20
CHECKSUM = 4
PADDING = 16


def checksum(first, data):
    return struct.pack("<I", xxhash.xxh3_64_intdigest(data, seed=first) & 0xFFFFFFFF)


def main():
    part, spread, total = sys.argv[1], sys.argv[2], int(float(sys.argv[3]))
    file = os.open(part, os.O_RDONLY)
    fields = list(struct.unpack("<8s3IBBH4Q", os.pread(file, 56, 0)))
    level, lines, sharing = fields[2], fields[3], fields[6]
    if sharing:
        sys.exit("diagrams of this level share their nodes")
    width = 3 if level < 7 else 4
    bounds_at = CHECKSUM * (1 + RELATIVES)
    places_at = bounds_at + RELATIVES
    head = places_at + width * (RELATIVES + 1)
    index = bytearray(os.pread(file, 64 * lines, 64))
    entries = []
    for line in range(lines):
        for number in range(7):
            at = 64 * line + 8 + 8 * number
            (entry,) = struct.unpack_from("<Q", index, at)
            if entry & (1 << 40) - 1 > 1:
                entries.append((entry & (1 << 40) - 1, at, entry >> 40))
    entries.sort()

    def moved(place):
        """The block at an offset: its diagrams' nodes, and the bytes between them."""
        data = os.pread(file, head, place)
        places = [int.from_bytes(data[places_at + width * i :][:width], "little") for i in range(RELATIVES + 1)]
        sizes = [places[i + 1] - places[i] for i in range(RELATIVES)]
        is_held = [data[bounds_at + i] & 15 <= data[bounds_at + i] >> 4 for i in range(RELATIVES)]
        mean = sum(sizes) // max(1, sum(is_held))
        new = [head]
        for i in range(RELATIVES):
            new.append(new[-1] + (sizes[i] if is_held[i] else mean))
        return data, places, new

    held = sum(moved(place)[2][-1] for place, _, _ in entries)
    blocks_at = 64 + 64 * lines
    gap = max(0, total - blocks_at - held) // max(1, len(entries))
    out = os.open(spread, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o644)
    end = blocks_at
    for place, at, rest in entries:
        data, places, new = moved(place)
        data, first = bytearray(data), end + gap // 2
        for i in range(RELATIVES):
            nodes = os.pread(file, places[i + 1] - places[i], place + places[i])
            nodes += bytes(new[i + 1] - new[i] - len(nodes))
            if any(nodes):
                os.pwrite(out, nodes, first + new[i])
            data[CHECKSUM * (1 + i) : CHECKSUM * (2 + i)] = checksum(first + new[i], nodes)
        for i, to in enumerate(new):
            data[places_at + width * i : places_at + width * (i + 1)] = to.to_bytes(width, "little")
        data[:CHECKSUM] = checksum(first + CHECKSUM, bytes(data[CHECKSUM:]))
        os.pwrite(out, bytes(data), first)
        struct.pack_into("<Q", index, at, first | rest << 40)
        end = first + new[-1] + (gap - gap // 2)
    for line in range(lines):
        entries = bytes(index[64 * line + 8 : 64 * line + 64])
        struct.pack_into("<Q", index, 64 * line, xxhash.xxh3_64_intdigest(entries, seed=line))
    fields[10] = end
    header = struct.pack("<8s3IBBH4Q", *fields)
    os.pwrite(out, header + struct.pack("<Q", xxhash.xxh3_64_intdigest(header)) + bytes(index), 0)
    os.ftruncate(out, end + PADDING)
    os.close(out)


if __name__ == "__main__":
    main()

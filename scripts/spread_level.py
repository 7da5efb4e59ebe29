#!/usr/bin/env python3
"""Spreads a part of a level at work over as many bytes as the whole level has.

    scripts/spread_level.py PART.map SPREAD.map BYTES

Every shard keeps its nodes, and the shards that the part lacks share the bytes between them, which the file
system stores as holes. What questions read of the disk and of the page cache is then what they would read of
the whole level (24 cards have 16.7e9 bytes), and the answers are those of the part. Needs numpy and xxhash.
The layout of the file is in docs/format.md.
"""

import os
import struct
import sys

import numpy
import xxhash

PAGE = 4096


def main():
    part, spread, total = sys.argv[1], sys.argv[2], int(float(sys.argv[3]))
    file = numpy.memmap(part, dtype=numpy.uint8, mode="r")
    fields = list(struct.unpack("<8s4I4Q", bytes(file[:56])))
    level, per_shard, partitions, nodes_end = fields[2], fields[3], fields[5], fields[8]
    shards = -(-partitions // per_shard)
    record = 8 + (4 * per_shard + 7) // 8 * 8
    digits = level + 1
    records_at = (64 + 8 * digits**4 + 6 * (digits * (digits + 1) // 2) ** 4 + 7) // 8 * 8
    records_end = records_at + record * shards
    records = file[records_at:records_end].reshape(shards, record)
    places = numpy.append(records[:, :8].copy().view(numpy.int64)[:, 0], nodes_end)
    sizes = numpy.diff(places)
    nodes_at = int(places[0])

    gap = (total - nodes_at - int(sizes.sum())) / max(1, int((sizes == 0).sum()))
    gaps = numpy.cumsum(numpy.where(sizes == 0, gap, 0)).astype(numpy.int64) // 4 * 4
    moved = nodes_at + numpy.append(0, numpy.cumsum(sizes) + gaps)
    end = int(moved[-1])
    fields[8] = end
    header = struct.pack("<8s4I4Q", *fields)
    head = numpy.array(file[:nodes_at])
    head[:64] = numpy.frombuffer(header + struct.pack("<Q", xxhash.xxh3_64_intdigest(header)), numpy.uint8)
    head[records_at:records_end].reshape(shards, record)[:, :8] = moved[:-1, None].copy().view(numpy.uint8)
    head[records_end : records_end + 8] = numpy.frombuffer(struct.pack("<Q", end), numpy.uint8)

    out = os.open(spread, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o644)
    os.ftruncate(out, end + 8 * -(-end // PAGE))
    os.pwrite(out, head.tobytes(), 0)
    pages = set(range(nodes_at // PAGE))
    for shard in numpy.nonzero(sizes)[0]:
        place, size, to = int(places[shard]), int(sizes[shard]), int(moved[shard])
        os.pwrite(out, bytes(file[place : place + size]), to)
        pages.update(range(to // PAGE, (to + size - 1) // PAGE + 1))
    for page in sorted(pages):
        bytes_of_page = os.pread(out, min(PAGE, end - page * PAGE), page * PAGE)
        os.pwrite(out, struct.pack("<Q", xxhash.xxh3_64_intdigest(bytes_of_page, seed=page)), end + 8 * page)
    os.close(out)


if __name__ == "__main__":
    main()

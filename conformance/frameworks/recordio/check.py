"""pyrecordio's half of the check: reads the RecordIO files that EDL wrote, and writes some for EDL to read."""
import os
import random
import struct
import sys

import recordio


def raw(path):
    with open(path, "rb") as file:
        data = file.read()
    records, at = [], 0
    while at < len(data):
        (length,) = struct.unpack(">i", data[at : at + 4])
        records.append(data[at + 4 : at + 4 + length])
        at += 4 + length
    return records


def scanned(path, start, count):
    scanner = recordio.Scanner(path, start, count)
    records = []
    while True:
        record = scanner.record()
        if record is None:
            break
        records.append(record)
    scanner.close()
    return records


def read(folder):
    files = sorted(name for name in os.listdir(folder) if name.endswith(".recordio"))
    total = 0
    for name in files:
        path = os.path.join(folder, name)
        expected = raw(path.replace(".recordio", ".raw"))
        count = len(expected)
        index = recordio.Index(path)
        seen = index.num_records()
        index.close()
        if seen != count:
            sys.exit("%s: EDL wrote %d records, pyrecordio counts %d" % (name, count, seen))
        for start, length in ((0, -1), (count // 3, count // 5), (max(0, count - 1), 1)):
            want = expected[start:] if length < 0 else expected[start : start + length]
            if scanned(path, start, length) != want:
                sys.exit("%s: pyrecordio reads other records than EDL wrote, from %d on" % (name, start))
        total += count
    print("%d files, %d records" % (len(files), total))


def records(rng):
    yield b""
    yield b"\0"
    yield bytes(100000)
    for length in (1, 65535, 65536, 65537, 300000):
        yield bytes(bytearray(rng.getrandbits(8) for _ in range(length)))
    yield b""
    for i in range(3000):
        yield bytes(bytearray([i % 251])) * rng.randrange(200)
    yield b""


def write(folder, seed):
    rng = random.Random(seed)
    # The second is more than the 32 MiB that pyrecordio puts into a chunk.
    big = (bytes([i]) * (1 << 20) for i in range(70))
    for name, content in (("mixed", records(rng)), ("big", big), ("empty", ())):
        writer = recordio.Writer(os.path.join(folder, name + ".recordio"))
        with open(os.path.join(folder, name + ".raw"), "wb") as file:
            for record in content:
                writer.write(record)
                file.write(struct.pack(">i", len(record)) + record)
        writer.close()


if __name__ == "__main__":
    if sys.argv[1] == "read":
        read(sys.argv[2])
    else:
        write(sys.argv[2], int(sys.argv[3]))

# SPDX-License-Identifier: Apache-2.0
"""Libraries that ask for a newer version of a function than they need."""

import re
import struct
import subprocess

# glibc 2.29 gave these new versions, which differ from those of before in not setting matherr's structure; a library
# built since then asks for the new ones, unless there are only the old.
RENEWED = {"GLIBC_2.29": ("GLIBC_2.2.5", {"exp", "exp2", "log", "log2", "pow"})}


def elf_hash(name):
    value = 0
    for byte in name.encode():
        value = (value << 4) + byte
        high = value & 0xF0000000
        value = (value ^ (high >> 24)) & ~high & 0xFFFFFFFF
    return value


def sections(data):
    offset, = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    entries = [struct.unpack_from("<IIQQQQII", data, offset + i * size) for i in range(count)]
    start = entries[names][4]
    return {data[start + e[0]:data.index(b"\0", start + e[0])].decode(): (e[4], e[5]) for e in entries}


def age(path):
    """Makes a library ask for the old versions, where it asks for nothing else of the new."""
    table = subprocess.run(["objdump", "-T", path], capture_output=True, text=True, check=True).stdout
    data = bytearray(path.read_bytes())
    found = sections(data)
    strings, strings_size = found[".dynstr"]
    for new, (old, functions) in RENEWED.items():
        asked = set(re.findall(rf"\*UND\*.*\({re.escape(new)}\)\s+(\S+)", table))
        if not asked:
            continue
        if not asked <= functions:
            raise SystemExit(f"{path.name}: {', '.join(sorted(asked - functions))} are {new}, which older systems lack")
        name = data.find(old.encode() + b"\0", strings, strings + strings_size)
        if name < 0 or data[name - 1] != 0:
            raise SystemExit(f"{path.name}: it has no string {old}")
        at = found[".gnu.version_r"][0]
        while True:  # a library after another, and its versions
            count, _, first, following = struct.unpack_from("<HIII", data, at + 2)
            one = at + first
            for _ in range(count):
                text = strings + struct.unpack_from("<I", data, one + 8)[0]
                if data[text:].startswith(new.encode() + b"\0"):
                    struct.pack_into("<I", data, one, elf_hash(old))
                    struct.pack_into("<I", data, one + 8, name - strings)
                one += struct.unpack_from("<I", data, one + 12)[0]
            if following == 0:
                break
            at += following
    path.write_bytes(data)

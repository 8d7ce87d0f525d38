#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Copies a compiler cache for tests: reduce_cache.py FROM TO. Of each cubin only the parts that say
how it is launched stay, of the IR only the lines that make block sizes, PTX and LLVM IR go."""

import pathlib
import re
import struct
import sys

KEPT_LINES = re.compile(r"get_program_id|make_range|get_num_programs|arith\.(muli|addi|divsi|ext|constant) .* : (i32|i64)|"
                        r"tt\.func|^\s*%\w+ = arith.constant -?\d+ : i")


def reduced_cubin(data: bytes) -> bytes:
    """The same sections in the same order; code, debug information and constants lose their bytes."""
    offset, = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    heads = [list(struct.unpack_from("<IIQQQQIIQQ", data, offset + i * size)) for i in range(count)]
    table = data[heads[names][4]:heads[names][4] + heads[names][5]]
    out = bytearray(data[:64])
    for head in heads:
        name = table[head[0]:table.index(b"\0", head[0])].decode()
        keep = re.match(r"\.(shstrtab|strtab|symtab|nv\.info|note\.nv\.cuinfo)", name)
        body = data[head[4]:head[4] + head[5]] if keep and head[1] != 8 else b""
        out += b"\0" * (-len(out) % 8)
        head[4] = len(out)
        if head[1] != 8:
            head[5] = len(body)
        out += body
    out += b"\0" * (-len(out) % 8)
    struct.pack_into("<QQ", out, 0x20, 0, len(out))
    struct.pack_into("<H", out, 0x38, 0)
    for head in heads:
        out += struct.pack("<IIQQQQIIQQ", *head)
    return bytes(out)


def main() -> None:
    source, target = map(pathlib.Path, sys.argv[1:3])
    for path in sorted(source.rglob("*")):
        if not path.is_file() or path.suffix in (".ptx", ".llir", ".ttgir", ".txt"):
            continue
        data = path.read_bytes()
        if path.suffix == ".cubin":
            data = reduced_cubin(data)
        elif path.suffix in (".source", ".ttir"):
            lines = (re.sub(r" loc\(.*", "", line) for line in data.decode().splitlines())
            kept = [line for line in lines if KEPT_LINES.search(line)]
            where = re.search(r'loc\("[^"]*/([^/"]+\.py)"', data.decode())
            data = ("\n".join([f'#loc = loc("/cache/{where.group(1)}":1:0)'] + kept) + "\n").encode()
        elif path.name.startswith("__grp__"):
            continue
        copy = target / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(data)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An archive of everything for any x86-64 Linux with glibc 2.28 or later: make_archive.py TREE VERSION OUT DOWNLOADS.

TREE is what `cmake --install` made of the preset archive. Qt comes from PyPI, built for glibc 2.28 by its makers; what a
system without a desktop lacks for it, from Debian 11, whose libraries are old enough, is used only where the system has none
(kinetoscope.sh). The same input gives the same archive. Prints its path."""

import gzip
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tarfile
import zipfile

from old_symbols import age

HERE = pathlib.Path(__file__).parent
QT = "PyQt6-Qt6==6.8.2 --hash=sha256:fb6d0acdd7d43c33fb8b9d2dd7922d381cdedd00da316049fbe01fc1973e6f05"
PLUGINS = ("platforms/libqxcb.so", "platforms/libqoffscreen.so", "platforms/libqwayland-generic.so",
           "wayland-shell-integration/libxdg-shell.so", "wayland-decoration-client/libbradient.so",
           "platforminputcontexts/libcomposeplatforminputcontextplugin.so",
           "platforminputcontexts/libibusplatforminputcontextplugin.so", "platformthemes/libqxdgdesktopportal.so",
           "iconengines/libqsvgicon.so", "imageformats/libqsvg.so", "imageformats/libqjpeg.so")
MIRROR = os.environ.get("KINETOSCOPE_DEBIAN_MIRROR", "http://deb.debian.org/debian")
SUITE = "bullseye"
FALLBACK = """libbrotli1 libbsd0 libdbus-1-3 libegl1 libexpat1 libffi7 libfontconfig1 libfreetype6 libgl1 libglib2.0-0 libglvnd0 libglx0 libmd0
    libpcre3 libpng16-16 libuuid1 libwayland-client0 libwayland-cursor0 libx11-6 libx11-xcb1 libxau6 libxcb-cursor0 libxcb-icccm4
    libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 libxcb-render0 libxcb-shape0 libxcb-shm0 libxcb-sync1
    libxcb-util1 libxcb-xfixes0 libxcb-xkb1 libxcb1 libxdmcp6 libxkbcommon-x11-0 libxkbcommon0 libzstd1 zlib1g""".split()
FONTS = "fonts-dejavu-core"
# Every system with a glibc and a program in C++ has these.
SYSTEM = re.compile(r"lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.so\.\d+|ld-linux-x86-64\.so\.2")


def run(*command, **extra):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True, **extra).stdout


def needed(path):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", path))


def soname(path):
    found = re.search(r"\(SONAME\).*\[(.*)\]", run("readelf", "-d", path))
    return found[1] if found else path.name


def download_qt(downloads):
    """The folder Qt6 of the wheel, unpacked."""
    folder = downloads / "qt"
    if not (folder / "done").exists():
        listed = downloads / "qt.txt"
        listed.write_text(QT + "\n")
        run(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--require-hashes", "--only-binary", ":all:", "--platform",
            "manylinux_2_28_x86_64", "-d", downloads, "-r", listed)
        with zipfile.ZipFile(next(downloads.glob("PyQt6_Qt6-*.whl"))) as wheel:
            wheel.extractall(folder)
        (folder / "done").touch()
    return folder


def download_debian(downloads):
    """Packages of an old Debian, unpacked into one tree; apt checks their signatures."""
    tree = downloads / SUITE
    if (tree / "done").exists():
        return tree
    apt = downloads / "apt"
    for part in ("lists/partial", "cache/archives/partial", "debs"):
        (apt / part).mkdir(parents=True, exist_ok=True)
    (apt / "sources.list").write_text(f"deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] {MIRROR} {SUITE} main\n")
    (apt / "apt.conf").write_text("".join(f'{key} "{value}";\n' for key, value in {
        "Dir::Etc::SourceList": apt / "sources.list", "Dir::Etc::SourceParts": "-", "Dir::State::Lists": apt / "lists",
        "Dir::State::status": "/dev/null", "Dir::Cache": apt / "cache", "APT::Architecture": "amd64", "APT::Architectures": "amd64",
        "Acquire::Languages": "none", "APT::Sandbox::User": "root"}.items()))
    settings = {**os.environ, "APT_CONFIG": str(apt / "apt.conf")}
    run("apt-get", "update", "-qq", env=settings)
    run("apt-get", "download", "-qq", *FALLBACK, FONTS, cwd=apt / "debs", env=settings)
    for package in sorted((apt / "debs").glob("*.deb")):
        run("dpkg-deb", "-x", package, tree)
    (tree / "done").touch()
    return tree


def install(source, target, executable=False):
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(0o755 if executable else 0o644)


def add_qt(root, qt):
    """Plugins, and the libraries that they and the window need."""
    place, source = root / "lib/kinetoscope/qt", qt / "PyQt6/Qt6"
    waiting = [root / "bin/kinetoscope-window"]
    custom = pathlib.Path(run("g++", "-print-file-name=libQCustomPlotQt6.so.2.1").strip())
    install(custom, place / "lib" / custom.name)
    age(place / "lib" / custom.name)
    waiting.append(place / "lib" / custom.name)
    for plugin in PLUGINS:
        install(source / "plugins" / plugin, place / "plugins" / plugin)
        waiting.append(place / "plugins" / plugin)
    while waiting:
        for name in needed(waiting.pop()):
            if (source / "lib" / name).exists() and not (place / "lib" / name).exists():
                install(source / "lib" / name, place / "lib" / name)
                waiting.append(place / "lib" / name)


def add_fallback(root, tree):
    """What Qt needs of a desktop, each library in a folder of its own, so that one can be taken without the others."""
    there = {path.name for path in root.rglob("*.so*")}
    offered = {}
    for path in sorted(tree.rglob("*.so*")):
        if path.is_file() and not path.is_symlink() and path.read_bytes()[:4] == b"\x7fELF":
            offered[soname(path)] = path
    waiting = [path for path in root.rglob("*") if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"]
    while waiting:
        for name in needed(waiting.pop()):
            target = root / "lib/kinetoscope/fallback" / name / name
            if name in there or SYSTEM.fullmatch(name) or target.exists():
                continue
            if name == "libsystemd.so.0":  # of libdbus; only for servers that systemd starts
                target.parent.mkdir(parents=True)
                run("g++", "-shared", "-nostdlib", "-O2", "-fPIC", "-fno-lto", f"-Wl,-soname,{name}",
                    f"-Wl,--version-script={HERE / 'no_systemd.map'}", "-o", target, HERE / "no_systemd.cpp")
                continue
            install(offered[name], target)
            age(target)
            waiting.append(target)
    install(HERE / "fonts.conf", root / "share/kinetoscope/fonts/fonts.conf")
    for font in ("DejaVuSans", "DejaVuSans-Bold", "DejaVuSansMono", "DejaVuSansMono-Bold"):
        install(tree / f"usr/share/fonts/truetype/dejavu/{font}.ttf", root / f"share/kinetoscope/fonts/{font}.ttf")


def add_licences(root, qt, tree):
    place = root / "share/doc/kscope/LICENSES"
    install(next(qt.glob("*.dist-info/LICENSE")), place / "Qt-LGPL-3.0.txt")
    install(pathlib.Path("/usr/share/doc/libqcustomplot2.1-qt6/copyright"), place / "libqcustomplot2.1-qt6.txt")
    for package in [*FALLBACK, FONTS]:
        found = tree / f"usr/share/doc/{package}/copyright"
        if found.exists():
            install(found, place / f"{package}.txt")


def pack(root, path):
    """Sorted, without times and owners."""
    def plain(entry):
        entry.mtime, entry.uid, entry.gid, entry.uname, entry.gname = 0, 0, 0, "", ""
        entry.mode = 0o755 if entry.isdir() or entry.mode & stat.S_IXUSR else 0o644
        return entry
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as packed, tarfile.open(fileobj=packed, mode="w") as tar:
        tar.add(root, root.name, recursive=False, filter=plain)
        for entry in sorted(root.rglob("*")):
            tar.add(entry, f"{root.name}/{entry.relative_to(root)}", recursive=False, filter=plain)


def make(tree, version, out, downloads):
    if not (tree / "bin/kinetoscope").exists():
        raise SystemExit(f"make_archive.py: '{tree}': there is no bin/kinetoscope in it; give what cmake --install made")
    downloads.mkdir(parents=True, exist_ok=True)
    out.mkdir(parents=True, exist_ok=True)
    qt, system = download_qt(downloads), download_debian(downloads)
    root = out / f"kinetoscope-{version}-linux-x86_64"
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(tree, root)
    (root / "bin/kinetoscope").rename(root / "bin/kinetoscope-window")
    install(HERE / "kinetoscope.sh", root / "bin/kinetoscope", executable=True)
    add_qt(root, qt)
    add_fallback(root, system)
    add_licences(root, qt, system)
    path = out / f"{root.name}.tar.gz"
    pack(root, path)
    shutil.rmtree(root)
    return path


if __name__ == "__main__":
    print(make(*(kind(word) for kind, word in zip((pathlib.Path, str, pathlib.Path, lambda word: pathlib.Path(word).resolve()), sys.argv[1:5]))))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tries built packages in systems with nothing in them: try_packages.py ROOTS FOLDER…   (as root, with debootstrap)

ROOTS gets a minimal Debian 11, 12 and 13, once. The archive is unpacked and started in each as it is; the wheel goes into a new
environment, with and without pandas; the .debs are installed in 12 by apt. Each reports on the sample and draws its picture."""

import pathlib
import shutil
import subprocess
import sys

MIRROR = "http://deb.debian.org/debian"
PNG = b"\x89PNG\r\n"
MODULE = """
import sys, kinetoscope
try:
    import pandas
    tables = pandas.DataFrame
except ImportError:
    tables = list
path = sys.argv[1]
kernels = kinetoscope.kernels(path)
assert isinstance(kernels, tables) and len(kernels) > 0, kernels
assert isinstance(kinetoscope.steps(path), tables) and isinstance(kinetoscope.findings(path), dict)
assert len(kinetoscope.query([path], "SELECT name, sum(dur) AS ns FROM gpu_ops GROUP BY name")) > 0
assert kinetoscope.compare(path, path)
try:
    kinetoscope.report("/none")
    raise SystemExit("a file that is not there is reported on")
except kinetoscope.Error as error:
    assert "does not exist" in str(error), error
print("tables are", tables)
"""


class Root:
    def __init__(self, place, suite):
        self.path, self.suite = place / suite, suite
        if not (self.path / "usr").exists():
            subprocess.run(["debootstrap", "--variant=minbase", suite, self.path, MIRROR], check=True, stdout=subprocess.DEVNULL)
        self.mounts = []

    def __enter__(self):
        for kind in ("proc", "dev"):
            target = self.path / kind
            if not target.is_mount():
                how = ["-t", "proc", "proc"] if kind == "proc" else ["--bind", "/dev"]
                subprocess.run(["mount", *how, target], check=True)
                self.mounts.append(target)
        return self

    def __exit__(self, *unused):
        for target in self.mounts:
            subprocess.run(["umount", target], check=True)

    def run(self, *command):
        done = subprocess.run(["chroot", self.path, "/usr/bin/env", "-i", "PATH=/usr/bin:/bin:/usr/sbin:/sbin", "HOME=/root", "LC_ALL=C.UTF-8",
                               "DEBIAN_FRONTEND=noninteractive", *map(str, command)], capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{self.suite}: {' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def fresh(self, name):
        folder = self.path / "opt" / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def programs_work(self, kscope, window, sample, where):
        if "GPU busy" not in self.run(kscope, "report", sample):
            raise SystemExit(f"{self.suite}: {kscope} reports no GPU")
        said = self.run(kscope, "doctor")
        if "libkinetoscope-inject.so" not in said:
            raise SystemExit(f"{self.suite}: {kscope} finds no recorder:\n{said}")
        if window:
            picture = where / "picture.png"
            said = self.run(window, "--screenshot", "/" + str(picture.relative_to(self.path)), sample)
            if said or not picture.read_bytes().startswith(PNG) or picture.stat().st_size < 60_000:
                raise SystemExit(f"{self.suite}: the picture is wrong: {said}")
            print(f"{self.suite}: {self.run(window, '--version').splitlines()[0]}, {picture} has {picture.stat().st_size} bytes")

    def try_archive(self, archive):
        folder = self.fresh("archive")
        subprocess.run(["tar", "-xzf", archive, "-C", folder], check=True)
        inside = "/opt/archive/" + next(folder.iterdir()).name
        self.programs_work(f"{inside}/bin/kscope", f"{inside}/bin/kinetoscope", f"{inside}/share/kinetoscope/samples/sample.json.gz", folder)
        print(f"{self.suite}: {archive.name} works with nothing installed")

    def install(self, *packages):
        self.run("apt-get", "update", "-qq")
        self.run("apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages)

    def try_wheel(self, wheel):
        folder = self.fresh("wheel")
        shutil.copy(wheel, folder)
        self.install("python3-venv", "ca-certificates")
        self.run("python3", "-m", "venv", "/opt/wheel/venv")
        self.run("/opt/wheel/venv/bin/pip", "install", "--no-index", f"/opt/wheel/{wheel.name}")
        sample = "/opt/wheel/venv/share/kinetoscope/samples/sample.json.gz"
        self.programs_work("/opt/wheel/venv/bin/kscope", None, sample, folder)
        for pandas in (False, True):
            if pandas:
                bundle = "etc/ssl/certs/ca-certificates.crt"
                shutil.copy("/" + bundle, self.path / bundle)
                self.run("/opt/wheel/venv/bin/pip", "install", "-q", "pandas")
            print(f"{self.suite}: {wheel.name}: {self.run('/opt/wheel/venv/bin/python', '-c', MODULE, sample).strip()}")

    def try_debs(self, debs):
        folder = self.fresh("debs")
        for deb in debs:
            shutil.copy(deb, folder)
        self.install(*(f"/opt/debs/{deb.name}" for deb in debs), "fonts-dejavu-core")
        self.programs_work("kscope", "kinetoscope", "/usr/share/kinetoscope/samples/sample.json.gz", folder)
        if "PyTorch" not in self.run("kscope", "about").split("kscope-torch")[1].split("\n")[0]:
            raise SystemExit("kscope-torch does not start")
        print(f"{self.suite}: {len(debs)} packages installed by apt work")


def main() -> int:
    place = pathlib.Path(sys.argv[1]).resolve()
    place.mkdir(parents=True, exist_ok=True)
    files = [path for folder in sys.argv[2:] for path in sorted(pathlib.Path(folder).iterdir())]
    debs = [path for path in files if path.suffix == ".deb"]
    for suite in ("bullseye", "bookworm", "trixie"):
        with Root(place, suite) as root:
            for path in files:
                if path.name.endswith(".tar.gz"):
                    root.try_archive(path)
            for path in files:
                if path.suffix == ".whl":
                    root.try_wheel(path)
            if debs and suite == "bookworm":
                root.try_debs(debs)
    return 0


if __name__ == "__main__":
    sys.exit(main())

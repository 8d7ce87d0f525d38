# SPDX-License-Identifier: Apache-2.0
"""`kscope ranks` past one machine: partials, and processes that divide the files of a job; the answers
are those of one process, byte for byte. With --engines: under mpirun and Ray, where they are at hand."""
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from make_job import US, make_job

KSCOPE = sys.argv.pop(1)
ENGINES = "--engines" in sys.argv and not sys.argv.remove("--engines")
SKIPPED = 77

VARIABLES = {"Open MPI": ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), "PMI": ("PMI_RANK", "PMI_SIZE"),
             "Slurm": ("SLURM_PROCID", "SLURM_NTASKS")}


def environment(**more):
    plain = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMI_", "SLURM_", "PMIX_"))}
    return {**plain, **more}


def kscope(*words, **variables):
    return subprocess.run([KSCOPE, "ranks", *words], capture_output=True, text=True, timeout=120,
                          env=environment(**variables))


def crc32c(data, crc=0):
    crc ^= 0xFFFFFFFF
    for byte in data.encode():
        crc = CRC_TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


def crc_row(value):
    for _ in range(8):
        value = (value >> 1) ^ (0x82F63B78 if value & 1 else 0)
    return value


CRC_TABLE = [crc_row(value) for value in range(256)]


def names_of_one_checksum(folder):
    """Two paths of a trace.json, each in a folder of its own."""
    begin, known = crc32c(folder + "/"), {}
    for number in range(10_000_000):
        name = f"{number}/trace.json"
        other = known.setdefault(crc32c(name, begin), name)
        if other != name:
            return os.path.join(folder, other), os.path.join(folder, name)
    raise AssertionError("no two names of one checksum")


class Shared(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.traces = os.path.join(self.folder, "traces")
        make_job(self.traces, ranks=7, sleep=(4, 3, 15_000 * US), extra=(2, 2, 30))

    def path(self, name):
        return os.path.join(self.folder, name)

    def trace(self, rank):
        return os.path.join(self.traces, f"rank{rank}.json")

    def content(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def run_good(self, *words, **variables):
        done = kscope(*words, **variables)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def start(self, number, count, *words, engine="Open MPI"):
        rank, size = VARIABLES[engine]
        return subprocess.Popen([KSCOPE, "ranks", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env=environment(**{rank: str(number), size: str(count)}))

    def together(self, count, *words, engine="Open MPI", without=()):
        workers = [self.start(n, count, *words, engine=engine) for n in range(count) if n not in without]
        errors = ""
        for worker in workers:
            out, error = worker.communicate(timeout=120)
            self.assertEqual(worker.returncode, 0, error)
            self.assertEqual(out, "")
            errors += error
        return errors


class Partials(Shared):
    def setUp(self):
        super().setUp()
        for name, ranks in (("a.ranks", (0, 5)), ("b.ranks", (1, 2, 6)), ("c.ranks", (3, 4))):
            self.run_good("--partial", self.path(name), *map(self.trace, ranks))
        self.parts = [self.path(name) for name in ("a.ranks", "b.ranks", "c.ranks")]

    def test_all_formats_are_the_same(self):
        for words in ([], ["--json"], ["--csv"], ["--markdown"]):
            whole = self.run_good(*words, self.traces)
            for parts in (self.parts, self.parts[::-1]):
                self.assertEqual(self.run_good(*words, "--merge", *parts), whole)
        self.assertEqual(self.run_good(*self.parts), self.run_good(self.traces))

    def test_merging_has_no_order(self):
        a, b, c = self.parts
        self.run_good("--merge", "--partial", self.path("ab.ranks"), a, b)
        self.run_good("--merge", "--partial", self.path("bc.ranks"), c, b)
        ways = [(self.path("ab.ranks"), c), (a, self.path("bc.ranks")), (c, a, b), (self.path("ab.ranks"), c, a)]
        for number, way in enumerate(ways):
            self.run_good("--merge", *way, "-o", self.path(f"all{number}.ranks"))
        self.assertEqual(len({self.content(f"all{number}.ranks") for number in range(len(ways))}), 1)
        self.assertEqual(self.run_good("--json", "--merge", self.path("all0.ranks")), self.run_good("--json", self.traces))

    def test_a_folder_of_partials(self):
        os.mkdir(self.path("parts"))
        for part in self.parts:
            shutil.move(part, self.path("parts"))
        self.assertEqual(self.run_good("--json", self.path("parts")), self.run_good("--json", self.traces))

    def test_what_is_lost_is_kept(self):
        with open(self.trace(6), "w") as file:
            file.write("no trace")
        done = kscope("--partial", self.path("b.ranks"), *map(self.trace, (1, 2, 6)))
        self.assertEqual(done.returncode, 0)
        self.assertIn("rank6.json", done.stderr)
        merged = kscope("--json", "--merge", *self.parts)
        self.assertEqual(json.loads(merged.stdout)["missing"], [6])
        self.assertEqual(merged.stdout, kscope("--json", self.traces).stdout)

    def test_each_machine_has_a_file_of_that_name(self):
        parts = [self.path(f"node{rank}.ranks") for rank in range(4)]
        for rank, part in enumerate(parts):
            os.mkdir(self.path(str(rank)))
            shutil.copy(self.trace(rank), self.path(f"{rank}/trace.json"))
            if rank % 2:
                with open(self.path(f"{rank}/trace.json"), "w") as file:
                    file.write("no trace")
            subprocess.run([KSCOPE, "ranks", "--partial", part, "trace.json"], cwd=self.path(str(rank)), check=True,
                           capture_output=True, env=environment())
        done = kscope("--json", "--merge", *parts)
        self.assertEqual([lost["file"] for lost in json.loads(done.stdout)["lost"]], ["trace.json"] * 2)
        self.assertEqual(done.stderr.count("not used"), 2, done.stderr)
        # What was repaired replaces what was lost in its own place, not in the others.
        shutil.copy(self.trace(1), self.path("1/trace.json"))
        again = self.path("again.ranks")
        subprocess.run([KSCOPE, "ranks", "--partial", again, "trace.json"], cwd=self.path("1"), check=True,
                       env=environment())
        done = kscope("--json", "--merge", *parts, again)
        self.assertEqual(len(json.loads(done.stdout)["lost"]), 1)
        self.assertEqual([rank["rank"] for rank in json.loads(done.stdout)["ranks"]], [0, 1, 2])

    def test_damage_is_said_and_the_others_are_used(self):
        whole = self.content("b.ranks")
        noise = random.Random(1)
        for _ in range(40):
            bytes_ = bytearray(whole)
            at = noise.randrange(len(bytes_))
            bytes_[at] ^= 1 << noise.randrange(8)
            with open(self.path("b.ranks"), "wb") as file:
                file.write(bytes_ if noise.random() < 0.7 else bytes_[:at])
            done = kscope("--json", "--merge", *self.parts)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("b.ranks", done.stderr)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
            self.assertEqual(json.loads(done.stdout)["missing"], [1, 2, 6])

    def test_messages(self):
        done = kscope("--merge", self.trace(0))
        self.assertEqual(done.returncode, 2)
        self.assertIn("is not a partial", done.stderr)
        self.run_good("--partial", self.path("again.ranks"), self.trace(4))
        self.assertEqual(kscope("--merge", *self.parts, self.path("again.ranks")).returncode, 0)  # the same rank 4
        make_job(self.traces, ranks=7, seed=5)
        self.run_good("--partial", self.path("again.ranks"), self.trace(4))
        done = kscope("--merge", *self.parts, self.path("again.ranks"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("is of rank 4, and so is", done.stderr)


class Workers(Shared):
    def test_every_engine(self):
        whole = self.run_good("--json", self.traces).encode()
        for engine in VARIABLES:
            out = f"{engine}.json"
            self.together(4, "--json", self.traces, "-o", self.path(out), engine=engine)
            self.assertEqual(self.content(out), whole, engine)

    def test_more_workers_than_files_and_a_partial_of_all(self):
        self.together(9, self.traces, "--partial", self.path("all.ranks"))
        self.assertEqual(self.run_good("--json", "--merge", self.path("all.ranks")), self.run_good("--json", self.traces))

    def test_the_answer_may_lie_among_the_files(self):
        whole = self.run_good("--json", self.traces).encode()
        for _ in range(2):
            self.together(2, "--json", self.traces, "-o", os.path.join(self.traces, "job.json"))
            self.assertEqual(self.content("traces/job.json"), whole)

    def test_a_killed_worker_loses_its_ranks_only(self):
        # A pipe that nobody writes to: the worker stands in it until it is killed.
        whole = self.run_good("--json", self.traces).encode()
        pipe = self.trace(5)
        shutil.move(pipe, self.path("kept"))
        os.mkfifo(pipe)
        files = [self.trace(rank) for rank in range(7)]
        words = ("--json", *files, "-o", self.path("job.json"))
        worker = self.start(1, 4, *words)
        others = [self.start(n, 4, *words) for n in (0, 2, 3)]
        parts = self.path("job.json.parts")
        while not os.path.isdir(parts) or sum(name.endswith(".ranks") for name in os.listdir(parts)) < 6:
            self.assertIsNone(worker.poll())
            time.sleep(0.02)
        worker.send_signal(signal.SIGKILL)
        worker.communicate()
        errors = "".join(other.communicate(timeout=120)[1] for other in others)
        self.assertIn("worker 1 of 4", errors)
        job = json.loads(self.content("job.json"))
        self.assertEqual(job["missing"], [5])
        self.assertEqual([os.path.basename(lost["file"]) for lost in job["lost"]], ["rank5.json"])
        # The same command again reads what is missing, and nothing else.
        os.remove(pipe)
        shutil.move(self.path("kept"), pipe)
        before = {name: os.stat(os.path.join(parts, name)).st_mtime_ns for name in os.listdir(parts) if ".ranks" in name}
        self.together(4, *words)
        self.assertEqual(self.content("job.json"), whole)
        for name, time_ns in before.items():
            self.assertEqual(os.stat(os.path.join(parts, name)).st_mtime_ns, time_ns)

    def test_a_file_that_changed_is_read_again(self):
        self.together(2, "--json", self.traces, "-o", self.path("job.json"))
        make_job(self.traces, ranks=7, seed=9)
        for rank in range(7):  # by clocks that go wrong, too
            os.utime(self.trace(rank), (time.time() + (rank - 3) * 600,) * 2)
        self.together(2, "--json", self.traces, "-o", self.path("job.json"))
        self.assertEqual(self.content("job.json"), self.run_good("--json", self.traces).encode())

    def test_files_whose_names_size_and_time_have_one_checksum_are_all_read(self):
        files = [self.trace(rank) for rank in range(4)]
        size = max(map(os.path.getsize, files))
        for rank, path in zip((1, 3), names_of_one_checksum(self.traces)):
            with open(files[rank], "a") as file:
                file.write(" " * (size - os.path.getsize(files[rank])))
            os.makedirs(os.path.dirname(path))
            files[rank] = shutil.move(files[rank], path)
            os.utime(path, (1_700_000_000,) * 2)
        for _ in range(2):
            self.together(2, "--json", *files, "-o", self.path("job.json"))
            self.assertEqual(self.content("job.json"), self.run_good("--json", *files).encode())

    def test_a_partial_of_another_file_is_not_used(self):
        self.together(2, "--json", self.traces, "-o", self.path("job.json"))
        parts = self.path("job.json.parts")
        one, other = (next(os.path.join(parts, name) for name in os.listdir(parts) if name.startswith(f"rank{rank}."))
                      for rank in (2, 5))
        shutil.copyfile(one, other)
        self.together(2, "--json", self.traces, "-o", self.path("job.json"))
        self.assertEqual(self.content("job.json"), self.run_good("--json", self.traces).encode())

    def test_alone(self):
        whole = self.run_good("--json", self.traces)
        # Slurm's batch script has the variables of a task, but is none.
        self.assertEqual(self.run_good("--json", self.traces, SLURM_PROCID="0", SLURM_NTASKS="4", SLURM_JOB_ID="7"), whole)
        self.assertEqual(self.run_good("--json", "--worker", "0/1", self.traces, PMI_RANK="1", PMI_SIZE="4"), whole)
        done = kscope(self.traces, PMI_RANK="1", PMI_SIZE="4")
        self.assertEqual(done.returncode, 2)
        self.assertIn("-o FILE", done.stderr)
        self.assertEqual(kscope("--worker", "4/4", self.traces).returncode, 2)


class Memory(unittest.TestCase):
    """What is kept of a rank: far less than a number for each of its kernels in each table."""

    def peak(self, words):
        # The address sanitizer keeps what is freed, 256 MiB of it by itself.
        freed = os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1"
        done = subprocess.Popen([KSCOPE, "ranks", "--threads", "1", "-o", os.devnull, *words],
                                env=environment(ASAN_OPTIONS=freed))
        _, status, usage = os.wait4(done.pid, 0)
        done.returncode = status
        self.assertEqual(status, 0)
        return usage.ru_maxrss * 1024

    def test_of_many_ranks(self):
        kernels, ranks = 40_000, 24
        with tempfile.TemporaryDirectory() as folder:
            events = []
            for i in range(kernels):
                nccl = i % 2000 == 1999
                events.append({"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce" if nccl else "gemm", "pid": 0,
                               "tid": 7, "ts": i * 10 + i % 7 / 8, "dur": 8.25,
                               "args": {"correlation": i, "device": 0, "stream": 20 if nccl else 7}})
                events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1,
                               "ts": i * 10 - 40 + i % 5 / 8, "dur": 2, "args": {"correlation": i}})
            with open(os.path.join(folder, "rank0.json"), "w") as file:
                json.dump({"traceEvents": events}, file)
            files = [os.path.join(folder, f"rank{r}.json") for r in range(ranks)]
            for file in files[1:]:
                os.symlink("rank0.json", file)
            one, all_ = self.peak(files[:2]), self.peak(files)
        self.assertLess((all_ - one) / (ranks - 2), 16 * kernels)


@unittest.skipUnless(ENGINES, "engines are tried by ./dev check")
class Engines(Shared):
    def test_mpirun(self):
        if not shutil.which("mpirun"):
            self.skipTest("no mpirun at hand")
        done = subprocess.run(["mpirun", "--allow-run-as-root", "--oversubscribe", "-np", "4", KSCOPE, "ranks", "--json",
                               self.traces, "-o", self.path("job.json")], capture_output=True, text=True, timeout=300,
                              env=environment())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.content("job.json"), self.run_good("--json", self.traces).encode())

    def test_ray(self):
        try:
            import ray
        except ImportError:
            self.skipTest("no Ray at hand")
        try:
            ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error")
        except Exception as error:  # its own processes did not come up in time
            self.skipTest(f"Ray does not start here: {error}")
        self.addCleanup(ray.shutdown)
        part = ray.remote(num_cpus=1)(lambda trace, out: subprocess.run(
            [KSCOPE, "ranks", "--partial", out, trace], check=True, timeout=120) and out)
        parts = ray.get([part.remote(self.trace(rank), self.path(f"{rank}.ranks")) for rank in range(7)])
        self.assertEqual(self.run_good("--json", "--merge", *parts), self.run_good("--json", self.traces))


if __name__ == "__main__":
    if ENGINES:
        result = unittest.main(argv=[sys.argv[0], "Engines"], exit=False).result
        sys.exit(SKIPPED if len(result.skipped) == result.testsRun else not result.wasSuccessful())
    unittest.main()

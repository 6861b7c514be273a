#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How programs that use MPI get the library that records its calls, and what that library asks of the recorder.

test-mpi.py LIGHTCONE RECORDER FOLDER [NAME...]: the programs are in FOLDER. With NAMEs, only the subtests that have one
of them in their name. Speaks TAP.
"""

import collections
import os
import shutil
import signal
import struct
import subprocess
import sys

import recording
from recording import Skip, check, compare, count
from verify import ENDED, INTERRUPTED, NO_PROCESS, UNKNOWN

BLIND, REQUEST = 1 << 6, 1 << 7

# lc_mpi_trouble
NONE, UNKNOWN_MPI, NO_LIBRARY, LINKER, _PRIVILEGED, NO_EXEC, NOT_LOADED, LATE = 0, 1, 2, 4, 8, 16, 32, 64

Result = collections.namedtuple("Result", "status output errors trouble processes instances told directory")


class Tests:
    def __init__(self, lightcone, recorder_library, folder, names):
        self.recorder = recording.Recorder(lightcone)
        self.recorder.environment = {"PATH": os.environ["PATH"], "HOME": self.recorder.folder, "LC_ALL": "C"}
        self.folder = os.path.abspath(folder)
        self.tap = recording.Tap(names)
        self.runs = 0
        self.libraries = os.path.join(self.recorder.folder, "lib")
        self.library = os.path.join(self.libraries, "liblightcone-record.so")
        os.mkdir(self.libraries)
        shutil.copy(recorder_library, self.library)
        for name in "mpi-openmpi", "mpi-mpich", "profile-openmpi":
            shutil.copy(self.program("libfake-%s.so" % name),
                        os.path.join(self.libraries, "liblightcone-%s.so" % name))

    def program(self, name):
        return os.path.join(self.folder, name)

    # --- The hooks -------------------------------------------------------------------------------------------------

    def record(self, case, status=0, lossy=False, options=()):
        run = self.recorder.record([self.program("mpi-hooks"), case], options)
        check(run.status == status, "status %d: %s" % (run.status, (run.output + run.errors).decode(errors="replace")))
        check(not run.output, run.output.decode(errors="replace"))
        return self.recorder.read(run.trace, lossy)

    @staticmethod
    def locks(trace):
        return [count(trace, "lock", number) for number in trace.processes]

    def nested(self):
        compare("locks", [3], self.locks(self.record("nested")))

    def jumped(self):
        compare("locks", [4], self.locks(self.record("jumped")))

    def threads(self):
        trace = self.record("threads")
        compare("locks", [0, 3, 3], self.locks(trace))
        made = [(event.operation, event.object[1]) for event in trace.processes[0].events]
        compare("the first process", [("create", 1), ("join", 1), ("create", 2), ("join", 2)], made)

    def cancelled(self):
        trace = self.record("cancelled")
        compare("its events", ["start", "lock", "unlock", "exit"],
                [event.operation for event in trace.processes[1].events])
        check(trace.processes[1].state == ENDED, "it has not ended")

    def forked(self):
        trace = self.record("forked")
        compare("locks", [3, 4], self.locks(trace))
        check([process.instance for process in trace.processes.values()] == [0, 1], "not two address spaces")

    @staticmethod
    def objects(trace):
        return {record: (cls, kind, value, name)
                for (_, record), (cls, kind, _, value, name) in trace.objects().items()
                if cls not in ("module", "site")}

    def layouts(self):
        trace = self.record("layouts")
        compare("the objects", {("collective", 7, 4, "world"), ("barrier", 7, 4, "world"),
                                ("channel", 7, 3, "0>3:7")}, set(self.objects(trace).values()))
        names = {record: cls for record, (cls, *_) in self.objects(trace).items()}
        events = [(event.operation, names[event.object[2]] if event.object else "-", event.sequence, event.value,
                   event.bytes, event.flags) for event in trace.processes[0].events]
        compare("the events", [
            ("barrier", "barrier", 1, 4, None, 0),
            ("all-reduce", "collective", 1, 4, 5000000000, 0),
            ("send", "channel", 0, 4096, None, 0),
            ("send", "channel", 1, 0xFFFFFFFF, None, 0),
            ("broadcast-root", "collective", 2, (1 << 24) - 1, (1 << 64) - 1, 0),
            ("irecv", "-", 17, 0, None, BLIND | REQUEST),
            ("complete", "channel", 2, 0, None, UNKNOWN)], events)

    def bytes(self):
        """The packet itself, without verify.py: its version, and where each event begins."""
        trace = self.record("layouts", options=("--no-sites",))
        (file,) = [name for name in os.listdir(os.path.join(trace.directory, "ctf")) if name != "metadata"]
        with open(os.path.join(trace.directory, "ctf", file), "rb") as stream:
            data = stream.read()
        (content,), (version,) = struct.unpack_from("<Q", data, 40), struct.unpack_from("<Q", data, 264)
        compare("the packet's bytes", 272 + 40 + 48 + 40 + 40 + 48 + 40 + 40, content // 8)
        check(version == 3, "the packet's version is %d" % version)
        compare("the operations", [(272, 40), (312, 72), (360, 48), (400, 48), (440, 64), (488, 52), (528, 53)],
                [(at, struct.unpack_from("<H", data, at + 8)[0]) for at in (272, 312, 360, 400, 440, 488, 528)])
        compare("the bytes", [5000000000, (1 << 64) - 1],
                [struct.unpack_from("<Q", data, at + 40)[0] for at in (312, 440)])

    def many(self):
        trace = self.record("many")
        events = [event for event in trace.all_events() if event.operation == "all-gather"]
        compare("the numbers", list(range(1, 5001)), [event.sequence for event in events])
        compare("the bytes", list(range(5000)), [event.bytes for event in events])
        compare("locks and tags", (1667, 5000), (count(trace, "lock"), count(trace, "tag")))
        check(os.path.getsize(os.path.join(trace.directory, "ctf/process-0")) > 300000, "not several packets")

    def stamps(self):
        first, whole, instant, last = self.record("stamps", options=("--no-sites",)).processes[0].events
        check(first.begin == first.end == whole.begin, "the first is not at its begin")
        check(whole.end - whole.begin == 1000, "it took %d" % (whole.end - whole.begin))
        check(instant.begin == instant.end == whole.end + 1, "without a begin it is not an instant")
        check(last.begin == last.end > instant.end, "without an end it is not now")

    def handler(self):
        trace = self.record("handler")
        compare("the events", [("iall-reduce", 7, 0, INTERRUPTED), ("send", 5, None, INTERRUPTED),
                               ("all-reduce", 8, 1, 0)],
                [(event.operation, event.sequence, event.bytes, event.flags) for event in trace.all_events()])

    def blocked(self):
        trace = self.record("blocked", status=-signal.SIGKILL)
        check(trace.processes[0].pending[0::2] == ("recv", 3), "it waits for %s" % (trace.processes[0].pending,))

    def without_object(self):
        trace = self.record("without_object", lossy=True)
        check(not trace.processes[0].events and trace.lost_by_reason == {"objects": 2},
              "lost: %s" % trace.lost_by_reason)

    @staticmethod
    def requests(trace, instance=0):
        with open(os.path.join(trace.directory, "requests-%d" % instance), "rb") as file:
            return list(struct.iter_unpack("<II", file.read()))

    def few_requests(self):
        requests = self.requests(self.record("few_requests"))
        compare("the requests", [(70, 5), (90, 0xFFFFFFFF), (0, 0), (80, 0)], requests[:4])
        check(not any(any(request) for request in requests[4:]), "there are more of them")

    def many_requests(self):
        requests = self.requests(self.record("many_requests"))[:4 * 60000]
        check(requests == [(i + 1, i * 3) for i in range(4 * 60000)], "they are not what they were said to be")

    def forked_requests(self):
        trace = self.record("forked_requests")
        compare("the parent's", [(0, 0), (11, 1), (33, 3)], self.requests(trace)[:3])
        compare("the child's", [(22, 2), (0, 0)], self.requests(trace, 1)[:2])

    def small_files_and_requests(self):
        trace = self.record("small_files_and_requests", lossy=True)
        compare("what is lost", {"objects": 1}, trace.lost_by_reason)
        compare("locks", [1], self.locks(trace))

    def rank(self, case, name, rank, ranks):
        trace = self.record(case)
        with open(os.path.join(trace.directory, "objects-0"), "rb") as file:
            header = struct.unpack("<8s6I", file.read(32))
        compare("the header's ranks", (rank + 1, ranks), header[5:7])
        check(header[:2] == (b"LCOBJECT", 1), "the header is %s" % (header,))
        check(trace.processes[0].name == name, "it is called %s" % trace.processes[0].name)

    def hooks(self):
        test = self.tap.test
        for case in ("nested", "jumped", "threads", "cancelled", "forked"):
            test("suspended: %s" % case, getattr(self, case))
        for case in ("layouts", "bytes", "many", "stamps", "handler", "blocked", "without_object"):
            test("events: %s" % case, getattr(self, case))
        for case in ("few_requests", "many_requests", "forked_requests", "small_files_and_requests"):
            test("requests: %s" % case, getattr(self, case))
        test("rank: at once", self.rank, "rank_at_once", "rank 3", 3, 12)
        test("rank: late", self.rank, "rank_late", "rank 11", 11, 12)
        test("rank: with a name", self.rank, "rank_with_a_name", "the program's own", 0, 1)
        for case in ("topology", "clocks", "counters", "too_many_counters"):
            test("control: %s" % case, self.record, case)

    # --- Executed twice --------------------------------------------------------------------------------------------

    def run(self, program, *arguments, name=None, purpose="trace", environment=None, library=None, **others):
        """As lightcone record would start it. `name`: what it is called."""
        self.runs += 1
        directory, told, result = (os.path.join(self.recorder.folder, "%s-%d" % (what, self.runs))
                                   for what in ("run", "told", "result"))
        given = [told if argument == "TOLD" else argument for argument in arguments]
        command = [self.program("run-recorded"), directory, purpose, library or self.library, result, program,
                   name or program, *given]
        finished = self.recorder.start(command, environment, **others)
        words = [0, 0, 0]
        if os.path.exists(result):
            with open(result) as file:
                words = [int(word) for word in file.read().split()]
        lines = []
        if os.path.exists(told):
            with open(told) as file:
                lines = [line.rstrip("\n").split(" ", 1) for line in file]
        return Result(finished.returncode, finished.stdout, finished.stderr, *words, lines, directory), told

    def bare(self, told, program, *arguments, name=None, environment=None, **others):
        given = [told if argument == "TOLD" else argument for argument in arguments]
        finished = self.recorder.start([name or program, *given], environment, executable=program, **others)
        return finished.returncode, finished.stdout, finished.stderr

    def both(self, expected, program, *arguments, trouble=NONE, preload="", errors=True, **others):
        """Bare and recorded it is the same; `expected`: which library each address space that tells of it has."""
        run, told = self.run(program, *arguments, **others)
        others.pop("purpose", None)
        others.pop("library", None)
        status, output, text = self.bare(told, program, *arguments, **others)
        compare("the exit status", status, run.status)
        compare("the output", output, run.output)
        if errors:
            compare("standard error", text, run.errors)
        check(status == 0, "status %d" % status)
        compare("the libraries", expected, [line[0] for line in run.told])
        compare("what is preloaded", {"%s%s" % (others.get("library") or self.library, preload)} if run.told else set(),
                {line[1] for line in run.told})
        check(run.trouble == trouble, "mpi_trouble is %d" % run.trouble)
        return run

    def mpi(self, implementation="openmpi"):
        return self.program("mpi-program-" + implementation)

    def once_more(self, implementation):
        run = self.both([implementation], self.mpi(implementation), "TOLD", "an argument", "")
        check(run.processes == 2 and run.instances == 1, "%d processes" % run.processes)

    def built(self):
        """Where they are in the folder that they are built in."""
        for name, file in ("record", "liblightcone-record.so"), ("mpi", "liblightcone-mpi-openmpi.so"):
            folder = os.path.join(self.recorder.folder, "built", name)
            os.makedirs(folder)
            shutil.copy(os.path.join(self.libraries, file), folder)
        library = os.path.join(self.recorder.folder, "built/record/liblightcone-record.so")
        run, _ = self.run(self.mpi(), "TOLD", library=library)
        compare("what it has", [["openmpi", library]], run.told)

    def recorded(self):
        """The same with the real `lightcone record`."""
        environment = {"LIGHTCONE_RECORD_LIBRARY": self.library}
        told = os.path.join(self.recorder.folder, "told")
        trace = self.recorder.both([self.mpi(), told], environment=environment)
        with open(told) as file:
            compare("what it has", "none \nopenmpi %s\n" % self.library, file.read())
        check(len(trace.processes) == 2 and count(trace, "join") == 1, "the thread is missing")

    def profile(self):
        run = self.both(["profile"], self.mpi(), "TOLD", purpose="profile")
        check(run.processes == 0 and sorted(os.listdir(run.directory)) == [".control", "ctf"], "there is a trace")

    def preloaded(self):
        own = self.program("liblibrary.so")
        run, _ = self.run(self.mpi(), "TOLD", environment={"LD_PRELOAD": own})
        compare("what it has", [["openmpi", "%s:%s" % (self.library, own)]], run.told)

    def already(self):
        """Preloaded by somebody else, it stays for the programs that it starts."""
        ours = os.path.join(self.libraries, "liblightcone-mpi-openmpi.so")
        run, _ = self.run(self.mpi(), "TOLD", "child", environment={"LD_PRELOAD": ours})
        compare("what it has", [["openmpi", "%s:%s" % (self.library, ours)]] * 2, run.told)
        check(run.trouble == NONE, "mpi_trouble is %d" % run.trouble)

    def surroundings(self):
        def prepare():
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1, signal.SIGTERM, signal.SIGRTMIN + 3})
            signal.signal(signal.SIGUSR2, signal.SIG_IGN)
            os.close(0)
            os.dup2(1, 17)

        run = self.both(["openmpi"], self.mpi(), "TOLD", preexec_fn=prepare, close_fds=False)
        check(b"signal 10 is blocked\nsignal 15 is blocked\n" in run.output, "the signals are not blocked")
        check(b"descriptor 0 " not in run.output and b"descriptor 17 is open" in run.output, "the descriptors differ")

    def named(self):
        run = self.both(["openmpi"], self.mpi(), "TOLD", name="another name")
        check(b"argument 0: another name\n" in run.output, "it is called otherwise")

    def linked(self):
        link = os.path.join(self.recorder.folder, "a-link")
        os.symlink(self.mpi(), link)
        run = self.both(["openmpi"], link, "TOLD")
        check(b"called a-link, executed as " + link.encode() in run.output, "it is called otherwise")

    def relative(self):
        run = self.both(["openmpi"], "./" + os.path.basename(self.mpi()), "TOLD", cwd=self.folder)
        check(b"executed as ./mpi-program" in run.output, "it is called otherwise")

    def script(self):
        """Its interpreter uses MPI; the program is called as the script."""
        path = os.path.join(self.recorder.folder, "a-script")
        run, told = self.run("/bin/true", "-")
        with open(path, "w") as file:
            file.write("#!%s %s\n" % (self.mpi(), told))
        os.chmod(path, 0o755)
        status, output, _ = self.bare(told, path)
        run, _ = self.run(path)
        compare("the status", status, run.status)
        compare("the output", self.without_path(output), self.without_path(run.output))
        check(b"called a-script" in run.output, "it is called otherwise")
        with open(told) as file:
            compare("what it has", "none \nopenmpi %s\n" % self.library, file.read())

    @staticmethod
    def without_path(output):
        return [line.split(b", executed as")[0] for line in output.splitlines()]

    def again(self):
        self.both(["openmpi", "openmpi"], self.mpi(), "TOLD", "again")

    def deleted(self):
        """It goes on in a file that is gone."""
        path = os.path.join(self.recorder.folder, "deleted")
        environment = {"LD_LIBRARY_PATH": self.folder}
        shutil.copy(self.mpi(), path)
        run, told = self.run(path, "TOLD", "deleted", environment=environment)
        shutil.copy(self.mpi(), path)
        status, output, _ = self.bare(told, path, "TOLD", "deleted", environment=environment)
        compare("the status", status, run.status)
        compare("the output", self.without_path(output), self.without_path(run.output))
        compare("what it has", ["openmpi", "openmpi"], [line[0] for line in run.told])

    def child(self):
        run = self.both(["openmpi", "openmpi"], self.mpi(), "TOLD", "child")
        check(run.processes == 5, "%d processes" % run.processes)

    def shell(self):
        """A program without MPI starts ones with it."""
        run = self.both(["openmpi", "mpich"], "/bin/sh", "-c",
                        '"$0" "$1" && "$2" "$1"', self.mpi(), "TOLD", self.mpi("mpich"))
        check(run.instances >= 3, "%d address spaces" % run.instances)

    # --- When it cannot be done ------------------------------------------------------------------------------------

    def unknown(self):
        self.both(["none"], self.mpi("unknown"), "TOLD", trouble=UNKNOWN_MPI)

    def other_folder(self, *files):
        folder = os.path.join(self.recorder.folder, "other-%d" % self.runs)
        os.mkdir(folder)
        shutil.copy(self.library, folder)
        for file in files:
            with open(os.path.join(folder, file), "w"):
                pass
        return os.path.join(folder, os.path.basename(self.library))

    def no_library(self):
        library = self.other_folder()
        run, _ = self.run(self.mpi(), "TOLD", library=library)
        compare("what it has", [["none", library]], run.told)
        check(run.status == 0 and run.trouble == NO_LIBRARY, "mpi_trouble is %d" % run.trouble)
        check(run.processes == 2, "it is not recorded")

    def not_loaded(self):
        library = self.other_folder("liblightcone-mpi-openmpi.so")
        run, _ = self.run(self.mpi(), "TOLD", library=library)
        compare("what it has", [["none", library]], run.told)
        check(run.status == 0 and run.trouble == NOT_LOADED, "mpi_trouble is %d" % run.trouble)
        check(b"LIGHTCONE_MPI is gone" in run.output and run.processes == 2, "it is not as it was")

    def by_linker(self):
        (linker,) = subprocess.run(["sh", "-c", "ldd %s | sed -n 's/^[[:space:]]*\\(\\/.*ld-linux[^ ]*\\).*/\\1/p'" %
                                    self.mpi()], stdout=subprocess.PIPE, check=True, text=True).stdout.split()
        run = self.both(["none"], linker, self.mpi(), "TOLD", trouble=LINKER)
        check(run.processes == 2, "it is not recorded")

    def without_proc(self):
        if os.geteuid() != 0:
            raise Skip("only root can unmount")
        script = 'umount -l /proc || exit 98; exec "$@"'
        # Without /proc a library is not found by the program's own path, and the shell adds PWD.
        environment = {"LD_LIBRARY_PATH": self.folder, "PWD": os.getcwd()}
        run, told = self.run(self.mpi(), "TOLD", environment=environment)
        shutil.rmtree(run.directory)
        os.remove(told)
        result = os.path.join(self.recorder.folder, "result-%d" % self.runs)
        finished = self.recorder.start(
            ["unshare", "-m", "sh", "-c", script, "sh", self.program("run-recorded"), run.directory, "trace",
             self.library, result, self.mpi(), self.mpi(), told], environment)
        if finished.returncode == 98 or b"unshare" in finished.stderr:
            raise Skip("nothing can be unmounted here")
        compare("the status", 0, finished.returncode)
        compare("the output", sorted(run.output.splitlines()), sorted(finished.stdout.splitlines()))
        with open(result) as file:
            compare("mpi_trouble and processes", "%d 2 1\n" % NO_EXEC, file.read())

    def asked_for(self):
        """`--mpi openmpi`: even a program that has not loaded it yet; but no launcher."""
        environment = {"LD_LIBRARY_PATH": self.folder}
        run, _ = self.run(self.program("mpi-late"), "TOLD", "libmpi.so.40", purpose="trace-openmpi",
                          environment=environment)
        compare("what it has", [["openmpi", self.library]], run.told)
        check(run.status == 0 and run.trouble == NONE, "mpi_trouble is %d" % run.trouble)
        launcher = os.path.join(self.recorder.folder, "mpiexec")
        shutil.copy("/bin/sh", launcher)
        run, _ = self.run(launcher, "-c", '"$0" "$1" libmpi.so.40', self.program("mpi-late"), "TOLD",
                          purpose="trace-openmpi", environment=environment)
        compare("what it has", [["openmpi", self.library]], run.told)
        check(run.instances == 1, "the launcher is recorded")

    def asked_for_in_vain(self):
        run, _ = self.run("/bin/sh", "-c", "exit 7", purpose="trace-openmpi", library=self.other_folder())
        check(run.status == 7 and not run.errors, "status %d" % run.status)

    def late(self):
        run, _ = self.run(self.program("mpi-late"), "TOLD", self.program("libmpi.so.40"))
        compare("what it has", [["none", self.library]], run.told)
        check(run.status == 0 and run.trouble == LATE, "status %d, mpi_trouble %d" % (run.status, run.trouble))

    def none(self):
        run, _ = self.run(self.program("mutexes"), "crowd")
        check(run.status == 0 and run.trouble == NONE and run.instances == 1, "mpi_trouble is %d" % run.trouble)

    def second_time(self):
        test = self.tap.test
        for implementation in "openmpi", "mpich":
            test("once more: %s" % implementation, self.once_more, implementation)
        for case in ("built", "recorded", "profile", "preloaded", "already", "surroundings", "named", "linked",
                     "relative", "script", "again", "deleted", "child", "shell", "asked_for"):
            test("once more: %s" % case, getattr(self, case))
        for case in ("unknown", "no_library", "not_loaded", "by_linker", "without_proc", "late", "asked_for_in_vain",
                     "none"):
            test("not recorded: %s" % case, getattr(self, case))

    # --- Launchers -------------------------------------------------------------------------------------------------

    def launcher(self, name):
        """A shell by another name: it is not recorded, and those that it starts are."""
        folder = os.path.join(self.recorder.folder, "bin-" + name)
        os.mkdir(folder)
        launcher = os.path.join(folder, name)
        shutil.copy("/bin/sh", launcher)
        trace = self.recorder.both([launcher, "-c", '"$0" crowd; "$0" crowd', self.program("mutexes")])
        compare("the address spaces", [0, 1], sorted({process.instance for process in trace.processes.values()}))
        check({process.parent for process in trace.processes.values() if not process.events or
               process.events[0].operation != "start"} == {NO_PROCESS}, "they have a parent")

    def launchers(self):
        for name in "mpirun", "orterun", "mpiexec.hydra", "hydra_pmi_proxy":
            self.tap.test("launchers: %s" % name, self.launcher, name)

    def all(self):
        self.hooks()
        self.second_time()
        self.launchers()
        self.recorder.close()
        return self.tap.end()


if __name__ == "__main__":
    sys.exit(Tests(*sys.argv[1:4], sys.argv[4:]).all())

# SPDX-License-Identifier: Apache-2.0
"""Runs a program bare and recorded, for tests of the recorder: what must be the same is compared, and TAP is spoken."""

import itertools
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import traceback

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "record"))
import verify  # noqa: E402


class Failure(Exception):
    """What a subtest did not find as it should be."""


class Skip(Exception):
    """This subtest cannot be made here."""


def check(condition, text):
    if not condition:
        raise Failure(text)


def compare(what, bare, recorded):
    if bare == recorded:
        return
    lines = ["%s differs" % what]
    for name, value in ("bare", bare), ("recorded", recorded):
        if isinstance(value, bytes):
            value = value[:2000].decode(errors="replace")
        lines += ["%s:" % name, str(value)]
    raise Failure("\n".join(lines))


class Run:
    """What became of a program. `status` is negative for a signal, as subprocess has it."""

    def __init__(self, finished, trace=None):
        self.status, self.output, self.errors = finished.returncode, finished.stdout, finished.stderr
        self.trace = trace


class Recorder:
    def __init__(self, lightcone, environment=None, options=()):
        self.lightcone, self.options = lightcone, options
        self.folder = tempfile.mkdtemp(prefix="lightcone-test-")
        os.chmod(self.folder, 0o755)
        self.environment = {**os.environ, "LC_ALL": "C", **(environment or {})}
        self.environment.pop("LD_PRELOAD", None)
        self.traces = itertools.count(1)

    def new_path(self, kind):
        """Where nothing is yet, in a folder that goes when we do."""
        return os.path.join(self.folder, "%s-%d" % (kind, next(self.traces)))

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, command, environment=None, timeout=60, **others):
        return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={**self.environment, **(environment or {})}, timeout=timeout, check=False, **others)

    def bare(self, command, **others):
        return Run(self.start(command, **others))

    def command(self, command, options=(), directory=None):
        """How `command` is recorded, and where."""
        directory = directory or self.new_path("trace")
        return [self.lightcone, "record", "-q", "--no-calibrate", "-o", directory, *self.options, *options, "--",
                *command], directory

    def record(self, command, options=(), directory=None, **others):
        recorded, directory = self.command(command, options, directory)
        return Run(self.start(recorded, **others), directory)

    def both(self, command, options=(), lossy=False, errors=True, **others):
        """Runs it twice; returns the trace, which is read and verified, after everything that must be equal is."""
        bare, recorded = self.bare(command, **others), self.record(command, options, **others)
        compare("the exit status", bare.status, recorded.status)
        compare("the output", bare.output, recorded.output)
        if errors:
            compare("standard error", bare.errors, recorded.errors)
        trace = self.read(recorded.trace, lossy)
        trace.errors = recorded.errors
        return trace

    def read(self, directory, lossy=False):
        trace = verify.Trace(directory)
        problems = trace.verify()
        check(not problems, "\n".join(problems[:10]))
        if not lossy:
            check(trace.lost == 0, "%d events were lost" % trace.lost)
        check(not os.path.exists(os.path.join(directory, ".control")), "the trace was not closed")
        return trace

    def discard(self, trace):
        shutil.rmtree(trace.directory, ignore_errors=True)


class Tap:
    """Subtests: all, or those with a wanted word in their name; none that begins as unwanted, or otherwise than `only`
    says."""

    def __init__(self, wanted=(), unwanted=(), only=()):
        self.wanted, self.unwanted, self.only = wanted, tuple(unwanted), tuple(only)
        self.count, self.failed = 0, 0
        self.lock = threading.Lock()

    def is_wanted(self, name):
        if name.startswith(self.unwanted) or (self.only and not name.startswith(self.only)):
            return False
        return not self.wanted or any(word in name for word in self.wanted)

    def test(self, name, function, *arguments):
        if not self.is_wanted(name):
            return
        result, text = "ok", ""
        try:
            function(*arguments)
        except Skip as reason:
            name += " # SKIP %s" % reason
        except Failure as failure:
            result, text = "not ok", str(failure)
        except Exception:  # pylint: disable=broad-except
            result, text = "not ok", traceback.format_exc()
        with self.lock:
            self.count += 1
            print(result, self.count, name)
            for line in text.splitlines():
                print("#", line)
            sys.stdout.flush()
            self.failed += result != "ok"

    def beside(self, one, other):
        """Two functions that make subtests, at the same time: one of them mostly waits."""
        thread = threading.Thread(target=other)
        thread.start()
        one()
        thread.join()

    def end(self):
        print("1..%d" % self.count)
        return 1 if self.failed else 0


# --- Events as text ------------------------------------------------------------------------------------------------

FLAGS = ((verify.CONTENDED, "contended"), (verify.INTERRUPTED, "interrupted"), (verify.CANCELLED, "cancelled"),
         (verify.TIMED_OUT, "timed-out"), (verify.OWNER_DIED, "owner-died"), (verify.UNKNOWN, "unknown"),
         (verify.AGAIN, "again"), (verify.FORK, "fork"))

# The flag of a fork means an attempt here; of a futex that the call did not come from the C library, which a program
# does not say.
TRIES = ("lock", "wait", "read-start", "write-start")

# Whether these had to wait depends on who is faster.
RACES = ("join", "barrier")


class Names:
    """Objects are called a, b, c ... in the order in which they come."""

    def __init__(self):
        self.letters = {}

    def of(self, identity):
        if identity[0] == "thread":
            return str(identity[1])
        if identity not in self.letters:
            count = len(self.letters)
            self.letters[identity] = chr(ord("a") + count % 26) + (str(count // 26) if count >= 26 else "")
        return self.letters[identity]


def describe(event, names):
    words = [event.operation]
    if event.object is not None:
        words.append(names.of(event.object))
    if event.sequence is not None and event.cls != "thread":
        words.append(str(event.sequence))
    if event.operation in ("write-start", "signal", "broadcast", "futex-wake", "futex-wait") and event.value:
        words.append("(%d)" % event.value)
    for bit, word in FLAGS:
        is_left_out = (bit == verify.FORK and event.cls == "futex"
                       or bit == verify.CONTENDED and event.operation in RACES)
        if event.flags & bit and not is_left_out:
            words.append("tried" if bit == verify.FORK and event.operation in TRIES else word)
    return " ".join(words)


def describe_trace(trace):
    """One line an event: its process, and what it is, in the order of the processes. What leaves the program is left
    out: whether that is an event depends on how long it took."""
    names = Names()
    return ["%d: %s" % (process.number, describe(event, names))
            for process in trace.processes.values() for event in process.events if event.cls != "io"]


def count(trace, operation=None, process=None):
    return sum(1 for event in trace.all_events()
               if (operation is None or event.operation == operation) and (process is None or event.process == process))

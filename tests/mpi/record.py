#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""MPI programs, recorded: they do what they do without it, and each rank's events are those that it wrote down."""

import collections
import fnmatch
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "record"))
from recording import Failure, Recorder, Skip, Tap, check, compare  # noqa: E402

LIGHTCONE = os.environ["LIGHTCONE"]
PROGRAMS = os.environ["LIGHTCONE_TEST_PROGRAMS"]
THOROUGH = bool(os.environ.get("LIGHTCONE_THOROUGH"))

# A launcher that may be root's, and leaves the processor to others while it waits: there are fewer than ranks.
ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    # Would ask whichever display there is for its graphics cards.
    "HWLOC_COMPONENTS": "-gl",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}

NAMES = ["point-to-point", "requests", "wildcards", "persistent", "partitioned", "probes", "collectives",
         "icollectives", "pcollectives", "neighbours", "communicators", "topology", "windows", "errors", "threads",
         "rank-threads", "sessions"]
# Two ranks are another matter for these: each has one neighbour only.
PAIRS = ["point-to-point", "wildcards", "neighbours", "windows"]
FORTRAN = ["fortran", "fortran-2008", "fortran-77"]

# In vain: how often depends on who is faster.
POLLS = {"test-failed", "probe-failed", "finish-failed"}
SENDS, RECEIVES = {"send", "isend", "ssend"}, {"recv", "irecv"}

EVENTS = """
SELECT p.name AS process, e.process AS id, e.ordinal, e.operation, op.class, o.name AS object, e.sequence, e.bytes,
  e.value, e.flags, e.begin, e.end
FROM event AS e JOIN process AS p ON p.id = e.process JOIN operation AS op ON op.name = e.operation
LEFT JOIN object AS o ON o.id = e.object
WHERE op.class IN ('channel', 'collective', 'barrier', 'crew') ORDER BY e.process, e.ordinal"""

# What is received, and what an isend or irecv has begun: one arc each, from where it was sent.
ARCS = """
SELECT e.process, e.ordinal, o.name AS object, e.sequence, count(a.kind) AS arcs,
  sum(a.kind = 'data' AND a.from_point = 'begin' AND f.operation IN ('send', 'isend', 'ssend')
      AND f.sequence = e.sequence AND f.object = e.object) AS good
FROM event AS e JOIN object AS o ON o.id = e.object
LEFT JOIN arc AS a ON a.to_process = e.process AND a.to_ordinal = e.ordinal
LEFT JOIN event AS f ON f.process = a.from_process AND f.ordinal = a.from_ordinal
WHERE e.operation IN ('recv', 'complete') GROUP BY e.process, e.ordinal"""


class Implementation:
    def __init__(self, name):
        self.name = name
        self.launcher = shutil.which("mpirun." + name)

    def command(self, ranks, *program):
        return [self.launcher, "-n", str(ranks), *program]

    def program(self, name):
        path = os.path.join(PROGRAMS, "%s.%s" % (name, self.name))
        if not os.path.exists(path):
            raise Skip("it could not be built")
        return path


class Event:
    def __init__(self, row):
        self.process, self.operation, self.cls = row["process"], row["operation"], row["class"]
        self.object, self.sequence = row["object"] or "-", "-" if row["sequence"] is None else str(row["sequence"])
        self.bytes, self.value, self.id = row["bytes"], row["value"], row["id"]
        self.flags = set((row["flags"] or "").split(","))

    def is_mpi(self):
        """The program's own barriers have no such names."""
        return self.cls in ("channel", "collective") or re.match(r"world|self|inter|session", self.object)

    def fits(self, line):
        """Whether it is what a line of events-N says."""
        operation, name, sequence, *words = line.split()
        if "*" in name:
            if not fnmatch.fnmatchcase(self.object, name):
                return False
        elif name != self.object:
            # an object name with spaces
            return False
        if operation != self.operation or (sequence != "*" and sequence != self.sequence):
            return False
        for word in words:
            key, _, value = word.partition("=")
            if value and str(getattr(self, key)) != value:
                return False
        if self.cls == "channel" and ("blind" in words) != ("blind" in self.flags):
            return False
        # Of a scan only the last process is known to wait for all.
        return sequence == "*" or "unknown" not in self.flags or operation == "scan"

    def __str__(self):
        return "%s %s %s bytes=%s value=%s %s" % (self.operation, self.object, self.sequence, self.bytes, self.value,
                                                  ",".join(sorted(self.flags)))


def query(trace, sql):
    found = subprocess.run([LIGHTCONE, "sql", "--json", trace, sql], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           check=False, timeout=60)
    check(found.returncode == 0, "sql: " + found.stderr.decode())
    return json.loads(found.stdout)


class Folder:
    """What a run of a program has written. `path`: it is there already."""

    def __init__(self, recorder, path=None):
        self.path = path or recorder.new_path("files")
        if path is None:
            os.mkdir(self.path)
            os.chmod(self.path, 0o777)

    def lines(self, name, rank):
        with open(os.path.join(self.path, "%s-%d" % (name, rank)), encoding="utf-8") as file:
            return file.read().splitlines()

    def results(self, ranks):
        return [self.lines("results", rank) for rank in range(ranks)]


# --- What must be true of every trace ---------------------------------------------------------------------------

def wait_for_end(trace):
    """A launcher may be gone before those that it kills: until then what is read is a recording that goes on, or one
    that nobody can close yet, for a rank outlives its recorder."""
    for _ in range(200):
        found = subprocess.run([LIGHTCONE, "info", "--json", trace], capture_output=True, text=True, timeout=60)
        if found.returncode == 0 and json.loads(found.stdout)["state"] != "recording" and \
                not os.path.exists(os.path.join(trace, ".control")):
            return
        time.sleep(0.05)
    check(False, "the recording goes on, or is not closed, after the launcher's end")


def check_clean(trace):
    found = subprocess.run([LIGHTCONE, "check", trace], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                           timeout=60)
    check(found.returncode == 0, "check says %d:\n%s" % (found.returncode, found.stdout.decode()[:2000]))


def check_processes(trace, ranks):
    """They come in their order, each with its threads behind it."""
    names = [row["name"] for row in query(trace, "SELECT name FROM process ORDER BY id")]
    check(names[0] == "rank 0", "the first process is %s" % names[0])
    compare("the order of the ranks", ["rank %d" % rank for rank in range(ranks)],
            [name for name in names if re.fullmatch("rank [0-9]+", name)])
    check(all(re.fullmatch("rank [0-9]+( (thread|work) [0-9]+)?", name) for name in names),
          "it is not told whose threads these are: %s" % names)


def gapless(numbers):
    return sorted(numbers) == list(range(len(numbers)))


def check_messages(events, lost=0):
    """Each has been sent and received, once, and its number is that of its place. `lost`: on each channel at most."""
    numbers = collections.defaultdict(list)
    for event in events:
        if event.cls == "channel" and event.object != "-":
            numbers[event.object, event.operation].append(int(event.sequence))

    def of(channel, operations):
        return sorted(number for operation in operations for number in numbers[channel, operation])

    channels = {channel for channel, _ in numbers if ":window." not in channel}
    for channel in sorted(channels):
        sent, received, completed = of(channel, SENDS), of(channel, RECEIVES), of(channel, ["complete"])
        check(gapless(sent), "%s: numbers of what was sent: %s" % (channel, sent[:50]))
        check(len(set(received)) == len(received) and set(received) <= set(sent) and
              len(sent) - len(received) <= lost, "%s: sent %s, received %s" % (channel, sent[:50], received[:50]))
        begun = collections.Counter(of(channel, ["isend", "irecv"]))
        check(not collections.Counter(completed) - begun, "%s: begun %s, completed %s" % (
            channel, sorted(begun.elements())[:50], completed[:50]))
    return sum(len(of(channel, SENDS)) for channel in channels)


def check_collectives(events):
    """All members of an operation have it, and have given it the same number."""
    members, unknown = collections.defaultdict(list), set()
    for event in events:
        if event.sequence == "-":
            unknown.add((event.cls, event.object))
        elif event.is_mpi() and event.cls in ("collective", "barrier") and not event.operation.startswith("finish"):
            members[event.cls, event.object, int(event.sequence)].append(event)
    numbers = collections.defaultdict(set)
    for (cls, name, number), found in members.items():
        numbers[cls, name].add(number)
        check((len(found) == found[0].value or (cls, name) in unknown) and
              len({event.process for event in found}) == len(found),
              "%s %d has %d members of %s" % (name, number, len(found), found[0].value))
    for (cls, name), found in numbers.items():
        check(gapless(found) or (cls, name) in unknown, "%s: gaps in %s" % (name, sorted(found)[:50]))


def check_arcs(trace):
    for row in query(trace, ARCS):
        check(row["arcs"] == row["good"] == 1, "one arc from where it was sent: %s" % row)


def events_of(trace):
    return [Event(row) for row in query(trace, EVENTS)]


def check_trace(trace, ranks, lost=0):
    check_clean(trace)
    check_processes(trace, ranks)
    events = events_of(trace)
    check_messages(events, lost)
    check_collectives(events)
    check_arcs(trace)
    return events


# --- The programs of this folder ---------------------------------------------------------------------------------

def split_line(line):
    """Names of locks have spaces: "world/window.1 at 0"."""
    return re.sub(r" at (\d+) ", r"_at_\1 ", line)


def check_lines(lines, events, rank, ordered):
    polls = collections.Counter(event.operation for event in events if event.operation in POLLS)
    for poll, count in collections.Counter(line for line in lines if line in POLLS).items():
        check(polls[poll] >= count, "rank %d: %d of %s, not %d" % (rank, polls[poll], poll, count))
    lines = [split_line(line) for line in lines if line not in POLLS]
    events = [event for event in events if event.operation not in POLLS]
    for event in events:
        event.object = event.object.replace(" at ", "_at_")
    if not ordered:
        lines.sort(key=lambda line: line.split()[:3])
        events.sort(key=lambda event: [event.operation, event.object, event.sequence])
    for i, (line, event) in enumerate(zip(lines, events)):
        check(event.fits(line), "rank %d, event %d is\n  %s\nand not\n  %s\nafter\n  %s" %
              (rank, i, event, line, "\n  ".join(str(event) for event in events[max(0, i - 3):i])))
    check(len(lines) == len(events), "rank %d has %d events, not %d:\n%s" % (
        rank, len(events), len(lines),
        "\n".join([str(event) for event in events[len(lines):]] + lines[len(events):])[:1000]))


def check_events(trace, folder, ranks, ordered, lost=0):
    events = [event for event in check_trace(trace, ranks, lost) if event.is_mpi()]
    where = {row["id"]: row["rank"] for row in query(trace, "SELECT id, rank FROM process")}
    for rank in range(ranks):
        own = [event for event in events if where[event.id] == rank]
        check_lines(folder.lines("events", rank), own, rank, ordered)


def record(recorder, mpi, name, ranks, inside=False, **others):
    """Returns the run, and what the program has written. `inside`: each rank is recorded by a `lightcone record`."""
    folder = Folder(recorder)
    program = [mpi.program(name), folder.path]
    if inside:
        recorded, trace = recorder.command(program)
        run = recorder.start(mpi.command(ranks, *recorded), **others)
    else:
        recorded, trace = recorder.command(mpi.command(ranks, *program))
        run = recorder.start(recorded, **others)
    return run, folder, trace


def try_program(recorder, mpi, name, ranks, bare=True, inside=False, **others):
    run, folder, trace = record(recorder, mpi, name, ranks, inside, **others)
    check(run.returncode == 0, "it ended with %d:\n%s%s" % (run.returncode, run.stdout.decode(), run.stderr.decode()))
    if bare:
        before = Folder(recorder)
        alone = recorder.start(mpi.command(ranks, mpi.program(name), before.path), **others)
        compare("the exit status", alone.returncode, run.returncode)
        compare("the output", alone.stdout, run.stdout)
        compare("standard error", alone.stderr, run.stderr)
        if name not in FORTRAN:
            compare("the results", before.results(ranks), folder.results(ranks))
    check_events(trace, folder, ranks, ordered=name != "threads", lost=1 if name == "errors" else 0)
    ends = query(trace, "SELECT p.rank, count(*) AS n FROM event AS e JOIN process AS p ON p.id = e.process "
                        "WHERE e.operation = 'finalize' GROUP BY p.rank ORDER BY p.rank")
    compare("who ended MPI", [{"rank": rank, "n": 1} for rank in range(ranks)], ends)
    shutil.rmtree(trace, ignore_errors=True)


# --- Several worlds in one recording ------------------------------------------------------------------------------

def shifted(line, first):
    """What a rank of a world has written whose rank 0 has the number `first`."""
    operation, name, *words = line.split()
    name = re.sub(r"^world(?![-\w])|(?<=@)world(?![-\w])", "world-%d" % first, name)
    ends = re.match(r"(\d+)>(\d+):([^@]*)(.*)", name)
    if ends:
        name = "%d>%d:%s%s" % (int(ends[1]) + first, int(ends[2]) + first, ends[3], ends[4] or "@world-%d" % first)
    return " ".join([operation, name, *words])


def check_world(trace, events, folder, ranks, first):
    where = {row["id"]: row["rank"] for row in query(trace, "SELECT id, rank FROM process")}
    for rank in range(ranks):
        lines = folder.lines("events", rank)
        own = [event for event in events if event.is_mpi() and where[event.id] == first + rank]
        check_lines([shifted(line, first) for line in lines] if first else lines, own, rank, ordered=True)


def try_worlds(recorder, mpi):
    """Two jobs of one script, with ranks, tags and communicators of the same names."""
    folders = [Folder(recorder), Folder(recorder)]
    commands = [" ".join(mpi.command(ranks, mpi.program(name), folder.path))
                for ranks, name, folder in zip((2, 3), ("neighbours", "collectives"), folders)]
    run = recorder.record(["sh", "-c", "; ".join(commands)])
    check(run.status == 0, run.errors.decode())
    check_clean(run.trace)
    events = events_of(run.trace)
    check_messages(events)
    check_collectives(events)
    check_world(run.trace, events, folders[0], 2, 0)
    check_world(run.trace, events, folders[1], 3, 2)


def check_locks(trace, own=()):
    """None of MPI's own operations is the program's, which has only these of its own, as long as it is in MPI."""
    calls = "('channel', 'collective', 'barrier')"
    found = query(trace, "WITH last AS MATERIALIZED (SELECT f.process, max(f.ordinal) AS ordinal FROM event AS f "
                         "JOIN operation AS g ON g.name = f.operation WHERE g.class IN %s GROUP BY f.process) "
                         "SELECT e.operation, count(*) AS n FROM event AS e JOIN last ON last.process = e.process "
                         "JOIN operation AS op ON op.name = e.operation WHERE op.class NOT IN %s "
                         "AND e.ordinal < last.ordinal GROUP BY e.operation" % (calls, calls))
    compare("events of MPI's own", {}, {row["operation"]: row["n"] for row in found if row["operation"] not in own})


def try_nobody(recorder, mpi):
    run, folder, trace = record(recorder, mpi, "nobody", 2)
    check(run.returncode == 0, run.stderr.decode())
    check_events(trace, folder, 2, ordered=True)
    check_locks(trace)


def try_late(recorder, mpi):
    """The receiver is late: a short message is in a buffer meanwhile; who sends a long one waits."""
    run, folder, trace = record(recorder, mpi, "late", 2)
    check(run.returncode == 0, run.stderr.decode())
    check_events(trace, folder, 2, ordered=True)
    found = query(trace, "SELECT bytes, flags, waited, end - begin AS lasted FROM event WHERE operation = 'send' "
                         "ORDER BY ordinal")
    compare("the sends", [8, 1 << 20, 1 << 20, 8], [row["bytes"] for row in found])
    for row in found:
        is_long = row["bytes"] > 8
        check(("contended" in (row["flags"] or "")) == is_long, "the flags of a send: %s" % row)
        check(row["waited"] > 1000000 if is_long else row["waited"] == 0, "the waiting of a send: %s" % row)


def try_all(recorder, mpi):
    """Who waits for all of several requests waits for each as long as it did: in the order of the requests."""
    run, folder, trace = record(recorder, mpi, "waits-for-all", 3)
    check(run.returncode == 0, run.stderr.decode())
    check_trace(trace, 3)
    found = query(trace, """
SELECT o.name AS channel, e.end - e.begin AS lasted, e.waited FROM event AS e JOIN process AS p ON p.id = e.process
  JOIN object AS o ON o.id = e.object WHERE p.name = 'rank 0' AND e.operation = 'complete' ORDER BY e.ordinal""")
    late = 40000000  # of 60 ms that each rank is late for each of its number
    compare("the requests", ["0>1:7", "2>0:8", "1>0:8", "0>1:7", "1>0:9", "2>0:9"], [row["channel"] for row in found])
    compare("the late ones", [False, True, False, False, True, True], [row["waited"] > late for row in found])
    check(found[1]["waited"] > 2 * late, "twice as late: %s" % found[1])
    check(all(row["lasted"] < late for row in (found[0], found[2], found[3])), "those that were over: %s" % found)


def try_others(recorder, mpi):
    """Messages to processes that were spawned are counted as lost; no others are, and none is matched wrongly."""
    if mpi.name != "openmpi":
        raise Skip("this MPICH can neither spawn nor connect")
    folder = Folder(recorder)
    run = recorder.record(mpi.command(2, mpi.program("others"), folder.path))
    check(run.status == 0, run.errors.decode())
    events = events_of(run.trace)
    check_messages(events)
    check_collectives(events)
    for first, name in (0, ""), (2, "children"), (4, "more"):
        check_world(run.trace, events, Folder(recorder, os.path.join(folder.path, name)), 2, first)
    lost = {row["rank"]: row["lost"] for row in query(run.trace, "SELECT rank, lost FROM process WHERE lost > 0")}
    compare("what was lost", {0: 2, 3: 1, 5: 1}, lost)
    check_locks(run.trace, ("accept", "connect"))


def waiting_of(trace, what, rows):
    found = subprocess.run([LIGHTCONE, "stats", trace, what, "--format", "json"], stdout=subprocess.PIPE, check=True,
                           timeout=60)
    return [row["waiting"] for row in json.loads(found.stdout)[rows]]


def try_polling(recorder, mpi):
    """Tests in vain are the wait that they are, in every table."""
    run, folder, trace = record(recorder, mpi, "polling", 2)
    check(run.returncode == 0, run.stderr.decode())
    check_trace(trace, 2)
    tests = int(folder.lines("results", 1)[0])
    events = [event for event in events_of(trace) if event.process == "rank 1"]
    rows = [event for event in events if event.operation in POLLS]
    check(tests > 500, "it has asked %d times" % tests)
    check(len(rows) < tests / 8, "%d tests are %d events" % (tests, len(rows)))
    check(sum(event.value or 1 for event in rows) <= tests, "more tests are told than there were")
    told = {event.operation for event in events}
    check({"complete", "probe", "finish-all"} <= told, "%s" % told)
    states = {row["state"]: row["time"] for row in query(trace, """
SELECT state, sum(s.end - s.begin) AS time FROM state AS s, (SELECT min(e.begin) AS first, max(e.end) AS last
  FROM event AS e JOIN process AS p ON p.id = e.process WHERE p.name = 'rank 1' AND e.operation IN ('irecv', 'probe'))
WHERE s.process = (SELECT id FROM process WHERE name = 'rank 1') AND s.begin >= first AND s.end <= last
GROUP BY state""")}
    check(states["waiting"] > 3 * states.get("running", 0), "what it did meanwhile: %s" % states)
    waiting = [row["waiting"] for row in query(trace, """
SELECT sum((s.end - s.begin) * (s.state = 'waiting')) AS waiting FROM state AS s GROUP BY process ORDER BY process""")]
    compare("stats waiting", waiting, waiting_of(trace, "waiting", "process"))
    compare("stats communication-share", waiting, waiting_of(trace, "communication-share", "rows"))


def try_singleton(recorder, mpi):
    folder = Folder(recorder)
    run = recorder.record([mpi.program("singleton"), folder.path])
    check(run.status == 0, run.errors.decode())
    check_events(run.trace, folder, 1, ordered=True)


def try_exit(recorder, mpi):
    """What the program does at exit is recorded, what MPI's libraries do is not."""
    run = recorder.record([mpi.program("exit")])
    check(run.status == 0, run.errors.decode())
    rows = query(run.trace, "SELECT count(*) AS n FROM event WHERE operation = 'lock' GROUP BY object ORDER BY n")
    compare("how often the mutexes are taken", [1, 3], [row["n"] for row in rows])


def try_abort(recorder, mpi, how, inside):
    """The rest can be read; what was sent and what was received is whole."""
    program = [mpi.program("abort"), recorder.folder, how]
    bare = recorder.bare(mpi.command(2, *program))
    if inside:
        recorded, trace = recorder.command(program)
        run = recorder.start(mpi.command(2, *recorded))
    else:
        recorded, trace = recorder.command(mpi.command(2, *program))
        run = recorder.start(recorded)
    compare("the exit status", bare.status, run.returncode)
    wait_for_end(trace)
    check_processes(trace, 2)
    rows = query(trace, "SELECT p.name, e.operation, count(*) AS n FROM event AS e JOIN process AS p "
                            "ON p.id = e.process WHERE operation IN ('ssend', 'recv') GROUP BY 1, 2 ORDER BY 1")
    counts = [(row["name"], row["operation"], row["n"]) for row in rows]
    check(("rank 1", "recv", 100) in counts, "received: %s" % counts)
    check(("rank 0", "ssend", 100) in counts or ("rank 0", "ssend", 99) in counts, "sent: %s" % counts)


def try_killed_inside(recorder, mpi, inside):
    """Those that were with it in what it was killed in do not wait for each other, and are told what is missing."""
    program = [mpi.program("abort"), recorder.folder, "barrier"]
    if inside:
        recorded, trace = recorder.command(program)
        recorder.start(mpi.command(3, *recorded))
    else:
        recorded, trace = recorder.command(mpi.command(3, *program))
        recorder.start(recorded)
    wait_for_end(trace)
    found = subprocess.run([LIGHTCONE, "check", trace], capture_output=True, text=True)
    told = [re.sub(r"event [0-9]+ in main\(\) abort.c:[0-9]+", "event N", line) for line in found.stdout.splitlines()]
    told = [re.sub(r"abort.c:[0-9]+$", "abort.c", line) for line in told]
    for number in 0, 1:
        check("rank %d, event N: barrier world #0, waits for barrier #0, of which 2 of 3 are there; "
              "in it ends what was recorded of rank 2 in main() abort.c" % number in told, "it is told: %s" % told)
    rows = query(trace, "SELECT wants, there, needed FROM problem WHERE kind = 'unmatched'")
    check(rows == [{"wants": "barrier", "there": 2, "needed": 3}] * 2, "the history tells: %s" % rows)
    # What a killed `lightcone record` has left is closed by whoever comes first.
    check(not os.path.exists(os.path.join(trace, ".control")), "it is not closed")
    with open(os.path.join(trace, "trace.ini"), encoding="utf-8") as file:
        check(re.search("^state=(ended|recovered)$", file.read(), re.M) is not None, "its state is another one")


def try_as_user(recorder, mpi):
    if os.getuid() != 0:
        raise Skip("it is no root's to be another user")
    home = os.path.join(recorder.folder, "home")
    os.makedirs(home, exist_ok=True)
    os.chmod(recorder.folder, 0o777)
    os.chown(home, 65534, 65534)
    try_program(recorder, mpi, "point-to-point", 2, bare=False, user=65534, group=65534, extra_groups=[],
                environment={"HOME": home, "TMPDIR": home}, cwd=home)


# --- Every function -----------------------------------------------------------------------------------------------

def symbols(path, *options):
    found = subprocess.run(["nm", "-D", *options, path], stdout=subprocess.PIPE, check=True, text=True)
    return {line.split()[-1] for line in found.stdout.splitlines()}


def try_every_function(mpi):
    """What our library defines is called by some program here. Those with large counts share all of it but types."""
    library = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(PROGRAMS.rstrip("/") + "/"))),
                           "src", "mpi", "liblightcone-mpi-%s.so" % mpi.name)
    ours = {name for name in symbols(library, "--defined-only") if re.match("MPIX?_", name) and not name.endswith("_c")}
    check(len(ours) > 100, "%s defines only %d functions" % (library, len(ours)))
    called = set()
    for name in NAMES + ["singleton", "abort", "others"]:
        called |= symbols(mpi.program(name), "--undefined-only")
    check(ours <= called, "not called: %s" % " ".join(sorted(ours - called)))


# --- Programs of others -------------------------------------------------------------------------------------------

def need(name):
    path = shutil.which(name)
    if path is None:
        raise Skip("there is no %s" % name)
    return path


def record_other(recorder, mpi, ranks, *program, directory=None):
    os.makedirs(directory, exist_ok=True)
    run = recorder.record(mpi.command(ranks, *program), cwd=directory)
    check(run.status == 0, "it ended with %d:\n%s%s" % (run.status, run.output.decode()[-1000:],
                                                       run.errors.decode()[-1000:]))
    events = check_trace(run.trace, ranks)
    check(check_messages(events) > 0, "there are no messages")
    shutil.rmtree(run.trace, ignore_errors=True)


def try_netpipe(recorder, mpi, *options):
    program = need({"openmpi": "NPopenmpi", "mpich": "NPmpich2"}[mpi.name])
    record_other(recorder, mpi, 2, program, "-n", "10", "-u", "100000", *options, "-o", "np.out",
                 directory=os.path.join(recorder.folder, "netpipe"))


HPCC = """HPLinpack benchmark input file
Innovative Computing Laboratory, University of Tennessee
HPL.out
8
1
64
1
16
0
1
{p}
{q}
16.0
1
2
1
4
1
2
1
1
1
0
1
0
1
1
1
0
2
64
0
0
1
8
##### This line (no. 32) is ignored (it serves as a separator). ######
0
1200 10000 30000
0
40 9 8 13 13 20 16 32 64
"""


def try_hpcc(recorder, mpi, ranks):
    program = need("hpcc")
    if mpi.name != "openmpi":
        raise Skip("hpcc is made for Open MPI")
    directory = os.path.join(recorder.folder, "hpcc-%d" % ranks)
    os.makedirs(directory)
    with open(os.path.join(directory, "hpccinf.txt"), "w", encoding="utf-8") as file:
        file.write(HPCC.format(p=ranks // 2, q=2))
    record_other(recorder, mpi, ranks, program, directory=directory)


def grid(path, n):
    """A graph as Scotch has it: n x n points, and who is beside whom."""
    lines, edges = [], 0
    for i in range(n * n):
        x, y = i % n, i // n
        beside = [j for j, there in ((i - 1, x > 0), (i + 1, x < n - 1), (i - n, y > 0), (i + n, y < n - 1)) if there]
        edges += len(beside)
        lines.append("%d\t%s" % (len(beside), "\t".join(str(j) for j in beside)))
    with open(path, "w", encoding="utf-8") as file:
        file.write("0\n%d\t%d\n0\t000\n%s\n" % (n * n, edges, "\n".join(lines)))


def try_scotch(recorder, mpi, name, ranks):
    program = need(name)
    if mpi.name != "openmpi":
        raise Skip("ptscotch is made for Open MPI")
    directory = os.path.join(recorder.folder, "scotch")
    os.makedirs(directory, exist_ok=True)
    grid(os.path.join(directory, "grid.grf"), 40)
    parts = ["4"] if name == "dgpart" else []
    record_other(recorder, mpi, ranks, program, *parts, "grid.grf", "out.map", directory=directory)


# --- All ------------------------------------------------------------------------------------------------------------

def try_stuck(recorder, mpi, how, operation):
    """Ranks that wait for each other are a deadlock, those that wait for one that sleeps are none."""
    recorded, trace = recorder.command(mpi.command(3, mpi.program("stuck"), how))
    recorder.start(recorded)
    wait_for_end(trace)
    found = subprocess.run([LIGHTCONE, "check", trace], capture_output=True, text=True)
    lines = [line for line in found.stdout.splitlines() if line.startswith("  rank ")]
    compare("the status of check", 1 if operation else 0, found.returncode)
    compare("the waits of the deadlock", 3 if operation else 0, len(lines))
    for line in lines:
        partners = re.search(r"^  rank (\d) waits since .* in (\w+) of (\d)>(\d):1 for rank (\d)$", line)
        check(partners is not None, "it is told: %s" % line)
        waiting, named, sender, receiver, other = partners.groups()
        compare("the operation", operation, named)
        check({waiting, other} == {sender, receiver} and waiting != other, "it is told: %s" % line)


STUCK = {
    "collective": [r"deadlock:", r"  rank 0 waits since .* in all-reduce of world, to which rank 2 has not come",
                   r"  rank 2 waits since .* in recv of 0>2:1 for rank 0", r"  1 other process waits for these"],
    "threads": [r"deadlock:", r"  rank 0 waits since .*", r"  rank 2 waits since .*",
                r"  1 other process waits for these",
                r"  \(unless another thread communicates, which none did before: rank 0, rank 2\)"],
    "barriers": [r"deadlock:", r"  rank 0 waits since .* in barrier of world\.1/1, to which rank 1 has not come",
                 r"  rank 1 waits since .* in barrier of world, to which rank 0 has not come",
                 r"  1 other process waits for these"],
    "sleeps": [r"waiting: 2 processes wait for rank 2 to the end; rank 2 is in sleep since .*; first of all rank [01],"
               r" since .* in main\(\) stuck\.c:\d+ in barrier world #1"],
    "killed": [r"waiting: 2 processes wait for rank 2 to the end; "
               r"rank 2 (?:was killed, or crashed, at|is in no recorded operation since) .*;"
               r" first of all rank [01],"
               r" since .* in barrier world #1"],
    "finalized": [r"waiting: 2 processes wait in vain for rank 2, which has ended its use of MPI; rank 2 came to"
                  r" finalize at .* in main\(\) stuck\.c:\d+; first of all rank [01], since .* in main\(\) stuck\.c:\d+"
                  r" in barrier world #1"],
    "late": [r"waiting: 2 processes wait for rank 2 to the end; rank 2 is in sleep since .*; first of all rank 1,"
             r" since .* in recv 2>1:1"],
    "any": [r"waiting: 1 process waits for rank 0 to the end; rank 0 is in complete since .*; rank 1 waits since .*"
            r" in recv 0>1:1 #1"]}


def try_told(recorder, mpi, how):
    """Of ranks that wait to the end it is told which wait for each other, and for whom the others wait."""
    recorded, trace = recorder.command(mpi.command(3, mpi.program("stuck"), how))
    recorder.start(recorded)
    wait_for_end(trace)
    found = subprocess.run([LIGHTCONE, "check", trace], capture_output=True, text=True)
    compare("the status of check", 1 if STUCK[how][0] == "deadlock:" or how == "finalized" else 0, found.returncode)
    told = "  rank", "  1 ", "  (", "deadlock", "waiting"
    lines = [line for line in found.stdout.splitlines() if line.startswith(told)]
    compare("the number of lines in %s" % found.stdout, len(STUCK[how]), len(lines))
    for line in lines:
        check(any(re.fullmatch(wanted, line) for wanted in STUCK[how]), "it is told: %s" % line)
    if how != "collective":  # elsewhere the path may end with one that sleeps
        return
    path = subprocess.run([LIGHTCONE, "critical-path", trace], capture_output=True, text=True).stdout
    picture = subprocess.run([LIGHTCONE, "export", "--format", "svg", "-o", "-", trace],
                             capture_output=True, text=True)
    check("Waits in vain for" in picture.stdout, "the picture shows it")
    check(re.search(r"^The path ends with rank \d, .* It waited for rank \d;", path, re.M), "it is told: %s" % path)


def try_watched(recorder, mpi, how):
    """The same is told while they wait."""
    recorded, trace = recorder.command(mpi.command(3, mpi.program("stuck"), how, "30"), ["--watch"])
    with subprocess.Popen(recorded, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True, env=recorder.environment, start_new_session=True) as running:
        told = [line.removeprefix("lightcone: ").rstrip("\n")
                for line in itertools.islice(running.stderr, len(STUCK[how]))]
        os.killpg(running.pid, signal.SIGKILL)  # launchers may hang when they are asked to end
    shutil.rmtree(trace)
    for wanted, line in zip(STUCK[how], told):
        check(re.fullmatch(wanted, line), "it is told: %s" % line)
    compare("how many lines are told", len(STUCK[how]), len(told))


def try_implementation(tap, recorder, mpi):
    def test(name, function, *arguments, **keys):
        tap.test("%s: %s" % (mpi.name, name), lambda: function(recorder, mpi, *arguments, **keys))

    if mpi.launcher is None:
        def missing():
            raise Skip("there is no mpirun.%s" % mpi.name)
        tap.test(mpi.name, missing)
        return
    tap.test("%s: every function is called" % mpi.name, try_every_function, mpi)
    for name in NAMES + FORTRAN:
        if THOROUGH or name in PAIRS:
            test("%s on 2 ranks" % name, try_program, name, 2, bare=THOROUGH)
        test("%s on 4 ranks" % name, try_program, name, 4)
    test("point-to-point on 16 ranks", try_program, "point-to-point", 16, bare=False)
    test("wildcards on 16 ranks", try_program, "wildcards", 16, bare=False)
    if THOROUGH:
        test("point-to-point on 64 ranks", try_program, "point-to-point", 64, bare=False)
        test("wildcards on 64 ranks", try_program, "wildcards", 64, bare=False)
    test("every rank records itself", try_program, "point-to-point", 4, bare=False, inside=True)
    test("every rank records its threads itself", try_program, "threads", 2, bare=False, inside=True)
    test("singleton", try_singleton)
    test("exit", try_exit)
    test("several worlds", try_worlds)
    test("processes of other worlds", try_others)
    test("a late receiver", try_late)
    test("messages to nobody", try_nobody)
    test("asking again and again", try_polling)
    test("waiting for all of several", try_all)
    for how in "kill", "abort", "exit":
        test("one rank ends in the middle: %s" % how, try_abort, how, False)
    for how in "kill", "abort":
        test("one rank that is recorded by itself ends in the middle: %s" % how, try_abort, how, True)
    for inside in False, True:
        test("one rank is killed in a barrier%s" % (", and is recorded by itself" if inside else ""),
             try_killed_inside, inside)
    for how, operation in ("recv", "recv"), ("ssend", "ssend"), ("wait", "complete"), ("late", None), ("any", None):
        test("ranks that wait for each other: %s" % how, try_stuck, how, operation)
    for how in STUCK:
        test("ranks that wait to the end: %s" % how, try_told, how)
    for how in "collective", "finalized":
        test("ranks that wait for each other while they are watched: %s" % how, try_watched, how)
    test("as a user", try_as_user)
    test("NetPIPE", try_netpipe)
    test("NetPIPE, receives posted before", try_netpipe, "-a")
    for ranks in (2, 4) if THOROUGH else (2,):
        test("hpcc on %d ranks" % ranks, try_hpcc, ranks)
    for name in "dgpart", "dgord":
        test("%s on 4 ranks" % name, try_scotch, name, 4)


def main():
    tap = Tap(sys.argv[1:])
    recorder = Recorder(LIGHTCONE, ENVIRONMENT)
    try:
        for name in os.environ.get("LIGHTCONE_TEST_MPI", "openmpi mpich").split():
            try_implementation(tap, recorder, Implementation(name))
    finally:
        recorder.close()
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads a binary trace with nothing but the format's description, and checks what every recording must keep."""

import collections
import configparser
import gc
import os
import re
import struct
import sys

FORMAT = os.path.join(os.path.dirname(__file__), "../../include/lightcone/trace-format.h")
PACKET = struct.Struct("<I16sI6Q4I40sQQIHHII8Q8IQQ")
# An event: what all begin with; and, of each version, layout -> bytes in all, bits of the sequence, what follows.
BEGINNING = struct.Struct("<QHHI")
OLD_LAYOUTS = {"MARK": (16, 0, None), "TAG": (16, 0, None), "MESSAGE": (32, 32, struct.Struct("<QQ")),
               "SYNC": (32, 40, struct.Struct("<QQ")), "COLLECTIVE": (32, 40, struct.Struct("<QQ"))}
LAYOUTS = {1: OLD_LAYOUTS, 2: {**OLD_LAYOUTS, "COLLECTIVE": (40, 40, struct.Struct("<QQQ"))},
           3: {"MARK": (16, 0, None), "TAG": (24, 0, struct.Struct("<I")), "MESSAGE": (40, 32, struct.Struct("<QQI")),
               "SYNC": (40, 40, struct.Struct("<QQI")), "COLLECTIVE": (48, 40, struct.Struct("<QQI4xQ"))}}
TIME_MASK = (1 << 56) - 1
# struct lc_control up to its counters of lost events
CONTROL = struct.Struct("<8sII2Q16s2IQ2IQ3I4x3d8I24Qi64s32s4x8Q")
# Of the many tuples that a trace becomes none is in a cycle: to look for those took as long as the rest.
gc.disable()

NO_PROCESS = 0xFFFFFFFF
RUNNING, ENDED, CUT = range(3)
HEAD_BYTES = 64 << 10
UNLIMITED = 1 << 15  # a bit of the pending operation
CONTENDED, INTERRUPTED, CANCELLED, TIMED_OUT, OWNER_DIED, UNKNOWN, AGAIN, FORK = (1 << bit for bit in range(8))


def operations():
    """Number -> (name, class, layout), from the header itself."""
    pattern = r'X \(\w+, (\d+), "([\w-]+)", (\w+), (\w+)\)'
    with open(FORMAT) as header:
        return {int(n): (name, cls.lower(), layout) for n, name, cls, layout in re.findall(pattern, header.read())}


Event = collections.namedtuple("Event", "process ordinal operation cls object begin end flags sequence value cpu "
                               "bytes site")


class Process:
    def __init__(self, number):
        self.number = number
        self.events = []  # without pauses, which come when the recorder works for long
        self.count = 0  # of all
        self.name = ""
        self.parent = self.instance = self.pid = self.thread = self.state = self.lost = 0
        self.pending = None


class Trace:
    def __init__(self, directory):
        self.directory = directory
        self.operations = operations()
        self.processes = {}
        self.problems = []
        self.identities = {}
        self.known_objects = None
        self.loose = collections.defaultdict(list)
        self.lost = self.read_lost()
        self.lost_by_reason = self.read_reasons()
        numbers = set()
        for name in sorted(os.listdir(directory)):
            match = re.fullmatch(r"(heads|packets)-\d+", name)
            if match:
                self.read_loose(os.path.join(directory, name), match[1] == "heads")
        for name in os.listdir(os.path.join(directory, "ctf")):
            match = re.fullmatch(r"process-(\d+)", name)
            if match:
                numbers.add(int(match[1]))
        for number in sorted(numbers | set(self.loose)):
            self.read_process(number)

    def read_lost(self):
        """What no process's stream could count while the recording goes on; and then what all have lost."""
        control, ini = (os.path.join(self.directory, name) for name in (".control", "trace.ini"))
        if os.path.exists(control):
            with open(control, "rb") as file:
                return sum(CONTROL.unpack_from(file.read())[-8:])
        if os.path.exists(ini):
            with open(ini) as file:
                match = re.search(r"^lost=(\d+)$", file.read(), re.MULTILINE)
                return int(match[1]) if match else 0
        return 0

    def read_reasons(self):
        """Reason -> events, of a recording that has been closed."""
        ini = configparser.ConfigParser(interpolation=None, strict=False)
        ini.read(os.path.join(self.directory, "trace.ini"), encoding="utf-8")
        return {reason: int(number) for reason, number in ini["lost"].items()} if "lost" in ini else {}

    def frequency(self):
        """Ticks of the clock in a second."""
        ini = configparser.ConfigParser(interpolation=None, strict=False)
        ini.read(os.path.join(self.directory, "trace.ini"), encoding="utf-8")
        return int(ini["trace"]["clock_frequency"])

    def read_loose(self, path, is_heads):
        """Packets that have not been put into their process's stream."""
        with open(path, "rb") as file:
            data = file.read()
        offset = 0
        while offset + PACKET.size <= len(data):
            fields = PACKET.unpack_from(data, offset)
            if fields[0] == 0xC1FC1FC1:
                # The last one of a program that was killed may be a part of one that is whole elsewhere.
                if offset + fields[5] // 8 <= len(data):
                    self.loose[fields[9]].append((data, offset, fields, path))
            elif not is_heads:
                self.problem("%s: byte %d: not a packet" % (path, offset))
                break
            offset += HEAD_BYTES if is_heads else fields[6] // 8

    def read_process(self, number):
        process = self.processes[number] = Process(number)
        packets = 0
        path = os.path.join(self.directory, "ctf/process-%d" % number)
        data = b""
        if os.path.exists(path):
            with open(path, "rb") as file:
                data = file.read()
        offset = 0
        while offset + PACKET.size <= len(data):
            fields = PACKET.unpack_from(data, offset)
            if fields[0] != 0xC1FC1FC1:
                self.problem("%s: byte %d: not a packet" % (path, offset))
                break
            if fields[7] != packets:
                self.problem("%s: packet %d after %d" % (path, fields[7], packets - 1))
            if offset + fields[5] // 8 > len(data):
                if all(packet[2][7] != packets for packet in self.loose[number]):
                    self.problem("%s: packet %d is not whole, and nowhere else" % (path, packets))
                break
            self.read_packet(process, data, offset, fields, fields[5] // 8, path)
            packets += 1
            offset += fields[6] // 8
        for data, offset, fields, path in sorted(self.loose[number], key=lambda packet: packet[2][7]):
            if fields[7] == packets:
                self.read_packet(process, data, offset, fields, fields[5] // 8, path)
                packets += 1
            elif fields[7] > packets:
                self.problem("%s: packet %d after %d" % (path, fields[7], packets - 1))

    def read_packet(self, process, data, offset, fields, content, path):
        (process.lost, number, process.instance, process.pid, process.thread) = fields[8:13]
        if number != process.number:
            self.problem("%s: says it is process %d" % (path, number))
        process.name = fields[13].split(b"\0")[0].decode()
        begin, sequence, what, operation, _cpu, process.parent, process.state = fields[14:21]
        operation &= ~UNLIMITED
        process.pending = (self.operations[operation][0], what, sequence, begin) if operation else None
        if fields[-2] != process.count:
            self.problem("%s: first ordinal %d, not %d" % (path, fields[-2], process.count))
        self.read_events(process, data, (offset + PACKET.size, offset + content), fields[-1], path)

    def read_events(self, process, data, span, version, path):
        """Whatever is done for each event counts: there are traces of a million."""
        at, end = span
        known, make, sited, layouts = self.operations, tuple.__new__, version >= 3, LAYOUTS[max(1, min(version, 3))]
        events, number, ordinal, last = process.events, process.number, process.count, 0
        if events:
            last = events[-1].end
        while at < end:
            stamp, operation, cpu, what = BEGINNING.unpack_from(data, at)
            if operation not in known:
                self.problem("%s: byte %d: there is no operation %d" % (path, at, operation))
                break
            name, cls, layout = known[operation]
            size, bits, rest = layouts[layout]
            identity = more = None
            site = 0
            if bits == 0:
                begin, flags, sequence, value = stamp, 0, None, what
                if rest:
                    (site,) = rest.unpack_from(data, at + 16)
            else:
                times, word, *others = rest.unpack_from(data, at + 16)
                if sited:
                    site = others.pop(0)
                if others:
                    (more,) = others
                if what != 0 or cls != "channel":
                    identity = self.identity(process.instance, cls, what)
                begin, flags = stamp - (times & TIME_MASK), times >> 56
                sequence, value = word & ((1 << bits) - 1), word >> bits
            at += size
            if begin < last:
                self.problem("process %d, event %d: overlaps the one before" % (number, ordinal))
            if name != "pause":
                events.append(make(Event, (number, ordinal, name, cls, identity, begin, stamp, flags, sequence, value,
                                           cpu, more, site)))
                last = stamp
            ordinal += 1
        process.count = ordinal

    def identity(self, instance, cls, what):
        """The same tuple for the same object."""
        key = instance, cls, what
        found = self.identities.get(key)
        if found is None:
            if cls == "thread":
                found = ("thread", what)
            else:
                found = (cls, "shared", what) if what >> 31 else (cls, instance, what)
            self.identities[key] = found
        return found

    def objects(self):
        """(instance, record) -> (class name, kind, address, value, name)."""
        if self.known_objects is None:
            self.known_objects = self.read_objects()
        return self.known_objects

    def read_objects(self):
        with open(FORMAT) as header:
            text = header.read()
        names = re.findall(r'X \("([\w-]+)"\)', text)
        found = {}
        self.has_shared_objects = os.path.exists(os.path.join(self.directory, "objects-shared"))
        for file in os.listdir(self.directory):
            match = re.fullmatch(r"objects-(\d+|shared)", file)
            if not match:
                continue
            with open(os.path.join(self.directory, file), "rb") as stream:
                data = stream.read()
            place = 2
            while (place + 1) * 32 <= len(data):
                cls, kind, length, _module, address, value, _ticks = struct.unpack_from("<BBHIQQQ", data, place * 32)
                name = data[(place + 1) * 32:(place + 1) * 32 + length].decode(errors="replace")
                if cls and names[cls] != "account":
                    key = match[1] if match[1] == "shared" else int(match[1])
                    found[key, place] = (names[cls], kind, address, value, name)
                place += 1 + (length + 31) // 32 if cls else 1
        return found

    def all_events(self):
        for process in self.processes.values():
            yield from process.events

    def problem(self, text):
        self.problems.append(text)

    # --- What must hold --------------------------------------------------------------------------------------

    def verify(self):
        by_object = collections.defaultdict(list)
        for event in self.all_events():
            if event.object is not None:
                by_object[event.object].append(event)
        self.verify_processes()
        self.verify_objects(by_object)
        for identity, events in by_object.items():
            check = getattr(self, "verify_" + identity[0], None)
            if check:
                check(identity, events)
        return self.problems

    def verify_processes(self):
        for process in self.processes.values():
            if process.state != RUNNING and process.pending and process.state == ENDED:
                self.problem("process %d: ended, and waits" % process.number)
            if process.parent != NO_PROCESS and process.parent >= process.number:
                self.problem("process %d: its parent is %d" % (process.number, process.parent))
            for event in process.events:
                if event.operation == "start" and (event.ordinal != 0 or event.object[1] != process.number):
                    self.problem("process %d: start is event %d" % (process.number, event.ordinal))
                if event.operation == "exit" and event.ordinal != process.count - 1:
                    self.problem("process %d: went on after its exit" % process.number)

    def verify_objects(self, by_object):
        objects = self.objects()
        for identity, events in by_object.items():
            if identity[0] == "thread" or identity == ("io", identity[1], 0):  # a sleep waits for no object
                continue
            if identity[1] == "shared":
                key = ("shared", identity[2] & 0x7FFFFFFF)
                if not self.has_shared_objects:
                    continue
            else:
                key = identity[1:]
            if key not in objects:
                self.problem("%s: has no record" % (identity,))
            elif objects[key][0] != events[0].cls:
                self.problem("%s: its record says %s" % (identity, objects[key][0]))

    def unique(self, identity, events, operation):
        """The events of one operation by sequence number, which must be different."""
        found = {}
        for event in events:
            if event.operation == operation:
                if event.sequence in found:
                    self.problem("%s: two of %s %d" % (identity, operation, event.sequence))
                found[event.sequence] = event
        return found

    def before(self, identity, earlier, later):
        if earlier.end > later.end:
            self.problem("%s: %s %d ends after %s %d" % (identity, earlier.operation, earlier.sequence,
                                                        later.operation, later.sequence))

    def verify_mutex(self, identity, events):
        locks = self.unique(identity, events, "lock")
        unlocks = self.unique(identity, events, "unlock")
        for k, lock in locks.items():
            if k > 1 and k - 1 not in locks and not self.is_lossy():
                self.problem("%s: lock %d without lock %d" % (identity, k, k - 1))
            if k - 1 in unlocks:
                self.before(identity, unlocks[k - 1], lock)
            elif k > 1 and not lock.flags & OWNER_DIED and not self.is_lossy():
                self.problem("%s: lock %d without unlock %d" % (identity, k, k - 1))
            if k in unlocks:
                self.before(identity, lock, unlocks[k])

    def verify_crew(self, identity, events):
        writes = self.unique(identity, events, "write-start")
        ends = self.unique(identity, events, "write-end")
        reads, read_ends = collections.defaultdict(list), collections.defaultdict(list)
        for event in events:
            if event.operation == "read-start":
                reads[event.sequence].append(event)
            elif event.operation == "read-end":
                read_ends[event.sequence].append(event)
        for k, write in writes.items():
            if write.value != len(reads[k - 1]) and not self.is_lossy():
                self.problem("%s: write-start %d tells of %d readers, there were %d"
                             % (identity, k, write.value, len(reads[k - 1])))
            if len(reads[k - 1]) != len(read_ends[k - 1]) and not self.is_lossy():
                self.problem("%s: version %d: %d read-starts, %d read-ends"
                             % (identity, k - 1, len(reads[k - 1]), len(read_ends[k - 1])))
            for end in read_ends[k - 1]:
                self.before(identity, end, write)
            if k - 1 in ends:
                self.before(identity, ends[k - 1], write)
            if k in ends:
                self.before(identity, write, ends[k])
        for k, starts in reads.items():
            for start in starts:
                if k > 0 and k not in ends and not self.is_lossy():
                    self.problem("%s: read-start of version %d, which nobody has finished" % (identity, k))
                elif k > 0 and k in ends:
                    self.before(identity, ends[k], start)

    def verify_semaphore(self, identity, events):
        posts, waits = self.unique(identity, events, "post"), self.unique(identity, events, "wait")
        record = (identity[1], identity[2] & 0x7FFFFFFF)
        first = self.objects()[record][3] if record in self.objects() else min(posts, default=0) - 1
        for k, wait in waits.items():
            if k in posts:
                self.before(identity, posts[k], wait)
            elif k > first and not self.is_lossy():
                self.problem("%s: wait %d without its post" % (identity, k))
        for k in posts:
            if k <= first or (k - 1 not in posts and k - 1 > first and not self.is_lossy()):
                self.problem("%s: post %d, which does not follow any" % (identity, k))

    def verify_condition(self, identity, events):
        signals, broadcasts = self.unique(identity, events, "signal"), self.unique(identity, events, "broadcast")
        woken = collections.Counter()
        for event in events:
            if event.operation != "condition-wait":
                continue
            if event.flags & UNKNOWN:
                continue
            cause = signals.get(event.sequence) or broadcasts.get(event.sequence)
            if cause is None:
                if not self.is_lossy():
                    self.problem("%s: condition-wait %d: nobody woke it" % (identity, event.sequence))
                continue
            self.before(identity, cause, event)
            if event.begin > cause.end:
                self.problem("%s: condition-wait %d began after its wake-up" % (identity, event.sequence))
            woken[event.sequence] += 1
        for k in signals:
            if woken[k] > 1:
                self.problem("%s: signal %d woke %d" % (identity, k, woken[k]))

    def verify_futex(self, identity, events):
        wakes = self.unique(identity, events, "futex-wake")
        woken = collections.Counter()
        for event in events:
            if event.operation != "futex-wait" or event.flags & UNKNOWN:
                continue
            if event.sequence not in wakes:
                if not self.is_lossy():
                    self.problem("%s: futex-wait %d: nobody woke it" % (identity, event.sequence))
                continue
            wake = wakes[event.sequence]
            self.before(identity, wake, event)
            if event.begin > wake.end:
                self.problem("%s: futex-wait %d began after its wake-up" % (identity, event.sequence))
            if event.value < 1:
                self.problem("%s: futex-wait %d: no wake can have been it" % (identity, event.sequence))
            woken[event.sequence] += 1
        for k, number in woken.items():
            if k in wakes and number > wakes[k].value:
                self.problem("%s: futex-wake %d woke %d, not %d" % (identity, k, number, wakes[k].value))

    def verify_io(self, identity, events):
        writes = self.unique(identity, events, "pipe-write")
        for event in events:
            if event.operation != "pipe-read":
                continue
            if event.sequence not in writes:
                if not self.is_lossy():
                    self.problem("%s: pipe-read %d: nobody wrote it" % (identity, event.sequence))
                continue
            write = writes[event.sequence]
            if write.begin > event.end:
                self.problem("%s: pipe-read %d was over before its write" % (identity, event.sequence))
        sends = self.unique(identity, events, "signal-send")
        for event in events:
            if event.operation != "signal-receive":
                continue
            if event.sequence not in sends:
                if not self.is_lossy():
                    self.problem("%s: signal-receive %d: nobody sent it" % (identity, event.sequence))
            elif sends[event.sequence].begin > event.end:
                self.problem("%s: signal-receive %d was over before it was sent" % (identity, event.sequence))

    def verify_barrier(self, identity, events):
        generations = collections.defaultdict(list)
        for event in events:
            generations[event.sequence].append(event)
        for k, members in generations.items():
            if len(members) != members[0].value:
                if k != max(generations) and not self.is_lossy():
                    self.problem("%s: generation %d of %d members has %d"
                                 % (identity, k, members[0].value, len(members)))
            elif max(event.begin for event in members) > min(event.end for event in members):
                self.problem("%s: generation %d: one left before all had come" % (identity, k))

    def verify_advance(self, identity, events):
        advances = self.unique(identity, events, "advance")
        for event in events:
            if event.operation == "await" and not event.flags & UNKNOWN:
                if event.sequence not in advances:
                    if not self.is_lossy():
                        self.problem("%s: await %d without its advance" % (identity, event.sequence))
                else:
                    self.before(identity, advances[event.sequence], event)

    def verify_channel(self, identity, events):
        sends = {**self.unique(identity, events, "send"), **self.unique(identity, events, "ssend")}
        receives = self.unique(identity, events, "recv")
        for k, receive in receives.items():
            if k not in sends:
                if not self.is_lossy():
                    self.problem("%s: recv %d without its send" % (identity, k))
                continue
            if sends[k].begin > receive.end or sends[k].value != receive.value:
                self.problem("%s: message %d: send and recv do not fit" % (identity, k))
            if sends[k].operation == "ssend" and receive.begin > sends[k].end:
                self.problem("%s: message %d: no rendezvous" % (identity, k))

    def verify_thread(self, identity, events):
        found = {event.operation: event for event in events}
        for first, then in ("create", "start"), ("start", "exit"), ("exit", "join"), ("create", "join"):
            if first in found and then in found:
                self.before(identity, found[first], found[then])
        if "join" in found and "exit" not in found and "start" in found and not self.is_lossy():
            self.problem("%s: joined without its exit" % (identity,))

    def is_lossy(self):
        return self.lost > 0 or any(process.lost for process in self.processes.values())


def main():
    if len(sys.argv) < 2:
        print("usage: verify.py DIR [--events|--summary]", file=sys.stderr)
        return 2
    trace = Trace(sys.argv[1])
    if "--events" in sys.argv:
        for event in trace.all_events():
            print(*event)
    if "--summary" in sys.argv:
        for process in trace.processes.values():
            print(process.number, process.name, "instance", process.instance, "parent", process.parent, "state",
                  process.state, "events", len(process.events), "lost", process.lost, "pending", process.pending)
        print(dict(collections.Counter(event.operation for event in trace.all_events())))
    problems = trace.verify()
    for problem in problems[:50]:
        print(problem, file=sys.stderr)
    if len(problems) > 50:
        print("and %d more" % (len(problems) - 50), file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

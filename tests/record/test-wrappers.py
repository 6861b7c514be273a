#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records small programs, and compares: with themselves when nobody records them, and with what must be recorded.

test-wrappers.py [--recorder LIBRARY] [--sanitizer NAME] [--rest NAME] [--dispatch] LIGHTCONE FOLDER [NAME...]: the
programs are in FOLDER. With NAMEs, only the subtests that have one of them in their name. Speaks TAP.
"""

import argparse
import collections
import json
import os
import re
import signal
import stat
import struct
import subprocess
import sys
import time

import recording
from recording import Failure, Skip, check, compare, count, describe_trace
from verify import CANCELLED, CUT, ENDED, INTERRUPTED, NO_PROCESS, UNKNOWN

HERE = os.path.dirname(os.path.abspath(__file__))

# Programs whose cases are all run, and cases that need arguments or surroundings.
PROGRAMS = ("mutexes", "rwlocks", "conditions", "semaphores", "threads", "c11", "cancellation", "signals", "processes",
            "shared", "little-room", "ends", "many", "futexes", "once")
# Those that mostly wait for what takes its time.
SLOW_PROGRAMS = ("io", "streams", "sends")
NOT_ALONE = {"processes child", "shared part", "ends hot", "little-room locks"}

# What they have too little of is room for the trace, so events may be lost, but must be counted.
LOSSY = {"little-room few-descriptors", "little-room other-root", "little-room other-user", "little-room small-files",
         "little-room little-address-space", "little-room little-from-the-beginning",
         "little-room small-files-of-its-own", "many no-address-space"}

# Signals may come faster than the machine writes down what their handlers do; what is lost must be counted.
STORMS = {"signals storm", "signals storm-of-nested", "signals bursts-at-steps"}

# The sanitizer's library comes second, and what the programs test of signals is theirs.
ADDRESS_OPTIONS = ("verify_asan_link_order=0:detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:"
                   "handle_sigill=0:handle_abort=0:use_sigaltstack=0:allow_user_segv_handler=1")

# Beginnings of the names of subtests that a sanitizer does not let pass. AddressSanitizer takes most of the address
# space, and does not learn of frames that a cancellation, a jump or a vforked child leaves behind on the stack. With it
# the function `syscall` is not wrapped.
NOT_WITH = {
    "address": ("little-room little-", "little-room locked", "many no-address-space", "cancellation", "threads-c++",
                "signals exits-after-jump", "signals jumps-out", "sends jumps-out", "sends vforked",
                "processes executes", "processes spawns", "threads smallest", "futexes", "waits-", "killed", "a disk",
                "only", "not writable"),
    "undefined": ("killed", "a disk", "only", "not writable"),
}

# With --futex all, the system shows that SIGSYS has a handler.
NOT_DISPATCHED = ("signals masks",)


def expected_events():
    """"PROGRAM CASE" -> what describe_trace must return."""
    found = collections.defaultdict(list)
    with open(os.path.join(HERE, "expected-events.txt")) as file:
        text = re.sub(r"\n +", " ", re.sub(r"^#.*\n", "", file.read(), flags=re.MULTILINE))
    name = None
    for line in filter(None, text.splitlines()):
        if line.startswith("["):
            name = line.strip("[]")
        else:
            process, events = line.split(": ", 1)
            found[name] += ["%s: %s" % (process, event) for event in events.split(", ")]
    return found


# --- What must hold of a case beyond its output and its order ---------------------------------------------------------

def expect_counts(trace, **counts):
    for operation, number in counts.items():
        found = count(trace, operation.rstrip("_").replace("_", "-"))
        check(found == number, "%d of %s, not %d" % (found, operation, number))


def objects_of(trace, operation):
    return {event.object for event in trace.all_events() if event.operation == operation}


def crowd_of_mutexes(trace):
    expect_counts(trace, lock=80000, unlock=80000)
    for identity in objects_of(trace, "lock"):
        locks = [event for event in trace.all_events() if event.object == identity and event.operation == "lock"]
        check(sorted(event.sequence for event in locks) == list(range(1, 40001)), "the numbers have gaps")


def crowd_of_rwlocks(trace):
    expect_counts(trace, write_start=5000, write_end=5000, read_start=35000, read_end=35000)


def crowd_of_conditions(trace):
    waits = [event for event in trace.all_events() if event.operation == "condition-wait"]
    unknown = sum(1 for event in waits if event.flags & UNKNOWN)
    check(unknown * 20 <= len(waits), "of %d waits, %d were woken by nobody" % (len(waits), unknown))


def crowd_of_futexes(trace):
    waits = [event for event in trace.all_events() if event.operation == "futex-wait"]
    certain = sum(1 for event in waits if event.value == 1)
    check(len(waits) > 100, "%d waits" % len(waits))
    check(certain * 2 > len(waits) and not any(event.flags & UNKNOWN for event in waits),
          "of %d waits, %d are certain" % (len(waits), certain))


def meets(number):
    """So often one thread has slept at a futex, and another has woken it."""
    def claim(trace):
        expect_counts(trace, futex_wait=number, futex_wake=number)
        check(not any(event.flags & UNKNOWN for event in trace.all_events()), "somebody was woken by nobody")
    return claim


def crowd_of_once(trace):
    made = {event.object for event in trace.all_events() if event.operation == "advance"}
    check(made >= objects_of(trace, "await"), "somebody waited for what nobody did")


def nobody_waits(trace):
    expect_counts(trace, advance=0, await_=0)


def shared_futexes(trace):
    (wait,) = [event for event in trace.all_events() if event.operation == "futex-wait"]
    (wake,) = [event for event in trace.all_events() if event.operation == "futex-wake"]
    check(wait.object == wake.object and wait.sequence == wake.sequence and wait.process != wake.process,
          "they have not met")


def destroyed_conditions(trace):
    waits = [event for event in trace.all_events() if event.operation == "condition-wait"]
    check(len(waits) <= 600 and len(objects_of(trace, "broadcast")) == 200, "not 200 conditions")


def for_nobody(trace):
    (wait,) = [event for event in trace.all_events() if event.operation == "condition-wait"]
    check(wait.sequence == 42, "the wait was woken by %d" % wait.sequence)
    check([event.value for event in trace.all_events() if event.operation in ("signal", "broadcast")] == [0] * 41 + [1],
          "signals without a waiter say that there was one")


def crowd_of_semaphores(trace):
    expect_counts(trace, wait=32000, post=32000)


def barriers(trace):
    expect_counts(trace, barrier=1000 * (1 + 3 + 5))
    for identity in objects_of(trace, "barrier"):
        numbers = {event.sequence for event in trace.all_events() if event.object == identity}
        check(numbers == set(range(1000)), "the generations have gaps")


def barriers_destroyed(trace):
    expect_counts(trace, barrier=900)
    check(len(objects_of(trace, "barrier")) == 300, "not 300 barriers")


def spin_locks(trace):
    expect_counts(trace, lock=16002, unlock=16002, lock_failed=1)
    check({trace.objects()[identity[1:]][1] for identity in objects_of(trace, "lock")} == {4}, "not of the kind spin")


def detached(trace):
    expect_counts(trace, create=1, detach=2, join_failed=1, start=1)


def name_is_gone(trace):
    expect_counts(trace, start=50)


def smallest_stacks(trace):
    expect_counts(trace, start=5, exit=5, lock=5 * 600 + 30, signal=3000)
    check(count(trace, "condition-wait-failed") + count(trace, "condition-wait") == 30, "not 30 waits")


def many(trace):
    expect_counts(trace, create=2000, start=2000, exit=2000, join=2000, lock=2000, barrier=2001)


def one_after_the_other(trace):
    expect_counts(trace, create=600, start=600, exit=600, join=600)
    starts = {event.object: event for event in trace.all_events() if event.operation == "start"}
    for event in trace.all_events():
        if event.operation == "join":
            check(starts[event.object].begin <= event.end, "%s was joined before it began" % (event.object,))


def names(trace):
    found = [process.name for process in trace.processes.values()]
    check(found == ["threads", "worker-one", "threads"], "the processes are called %s" % found)


def storm(handlers):
    """A handler after the other may be more than there is room for: each one's post is there or counted, and nothing
    else is lost."""
    def claim(trace):
        posts, waits = count(trace, "post"), count(trace, "wait")
        check(waits >= handlers and posts + trace.lost == waits,
              "%d posts, %d lost, %d waits" % (posts, trace.lost, waits))
        check(trace.lost_by_reason.keys() <= {"signal"}, "they were lost to %s" % trace.lost_by_reason)
        for operation in "lock", "unlock":
            numbers = sorted(event.sequence for event in trace.all_events() if event.operation == operation)
            check(numbers and numbers == list(range(1, len(numbers) + 1)), "%ss were lost" % operation)
        expect_counts(trace, unlock=count(trace, "lock"))
    return claim


def bursts_at_steps(trace):
    """Some of them come while an event is written, and then there is not room enough."""
    storm(6 * 70)(trace)
    check(trace.lost > 0, "nothing was lost")


def children(*rounds):
    def claim(trace):
        locks = collections.Counter(event.process for event in trace.all_events() if event.operation == "lock")
        check(sorted(locks.values()) == sorted(rounds), "the children locked %s times" % sorted(locks.values()))
    return claim


def forks_of_threads(trace):
    forked = [process for process in trace.processes.values()
              if process.events and process.events[0].operation == "start" and process.events[0].flags & 0x80]
    check(len(forked) == 40, "%d children" % len(forked))
    for process in forked:
        check(count(trace, "lock", process.number) == 10, "process %d: not 10 locks" % process.number)
        check(process.parent != NO_PROCESS, "process %d: no parent" % process.number)


def executes_in_thread(trace):
    check(count(trace, "lock", max(trace.processes)) == 41, "the new program was not recorded")


def shared_by_all(trace):
    shared = {identity for identity in (event.object for event in trace.all_events()) if identity and
              identity[1] == "shared"}
    check(len(shared) == 7, "%d objects are shared, not 7" % len(shared))
    for identity in shared:
        instances = {trace.processes[event.process].instance for event in trace.all_events()
                     if event.object == identity}
        check(len(instances) == 3, "%s: used by %d address spaces" % (identity, len(instances)))
    expect_counts(trace, lock=3 * (500 + 500 + 20) + count(trace, "condition-wait"), post=1500, wait=1500,
                  write_start=3 * 63, read_start=3 * 437, barrier=3 * 64, broadcast=60)


def in_little_room(locks):
    """As many locks as the program did are there or counted."""
    def claim(trace):
        found = count(trace, "lock") + count(trace, "unlock")
        check(found + trace.lost >= 2 * locks, "%d events, %d lost, of %d" % (found, trace.lost, 2 * locks))
    return claim


def all_recorded(locks):
    return lambda trace: expect_counts(trace, lock=locks, unlock=locks)


def ended(state, at_exit):
    """The first thread's last event is there, and what the second one waits for."""
    def claim(trace):
        first, second = trace.processes[0], trace.processes[1]
        check(count(trace, "lock", 0) == 1 + 3000 + at_exit, "the first: %d locks" % count(trace, "lock", 0))
        check(count(trace, "lock", 1) == 3000, "the second: %d locks" % count(trace, "lock", 1))
        check(first.state == state, "the first is in state %d" % first.state)
        check(second.pending is not None and second.pending[0] == "lock", "the second waits for %s" % (second.pending,))
        check(second.state == CUT, "the second is in state %d" % second.state)
    return claim


def deadlock(trace):
    first, second = trace.processes[0], trace.processes[1]
    held = {process.number: [event.object[2] for event in process.events if event.operation == "lock"]
            for process in (first, second)}
    check(first.pending[:2] == ("lock", held[1][0]) and second.pending[:2] == ("lock", held[0][0]),
          "they wait for %s and %s" % (first.pending, second.pending))


def tries_of(trace, operation):
    """How many attempts the failed ones stand for, and how many events they are."""
    events = [event for event in trace.all_events() if event.operation == operation]
    return sum(max(event.value, 1) for event in events), len(events)


def made_and_destroyed(trace):
    expect_counts(trace, lock=30000 + 3 * 2 * 60000, unlock=30000 + 3 * 2 * 60000)
    made = {event.object for event in trace.all_events() if event.operation == "lock"}
    check(len(made) == 30000 + 3 * 60000, "%d objects" % len(made))


def made_again_without_calls(trace):
    expect_counts(trace, lock=3 * 8000, unlock=3 * 8000)
    locked = {event.object for event in trace.all_events() if event.operation == "lock"}
    check(len(locked) == 3 * 5000 + 9000, "%d objects" % len(locked))


def forked_with_many(trace):
    expect_counts(trace, lock=90000, unlock=90000)
    check(max(event.sequence for event in trace.processes[1].events if event.operation == "lock") == 1,
          "the child's objects are not its own")


def many_tries(trace):
    for operation, tries in ("lock-failed", 2 * 20000 + 20), ("read-failed", 20000), ("write-failed", 20000), \
            ("wait-failed", 20000):
        counted, events = tries_of(trace, operation)
        check(counted == tries, "%s: %d tries" % (operation, counted))
        check(events < tries / 4, "%s: %d events" % (operation, events))
    last = [event.value for event in trace.processes[1].events if event.operation == "lock-failed"][-19:]
    check(last == [0] * 19, "tries of two objects in turn: %s" % last)


def interrupted_tries(trace):
    """A handler makes one try of each mutex, and none is lost: so there are as many more as there are of the other."""
    tries = {}
    for event in trace.all_events():
        if event.operation == "lock-failed":
            tries[event.object] = tries.get(event.object, 0) + max(event.value, 1)
    of_other, of_held = sorted(tries.values())
    check(of_held == 50 * 20000 + of_other > 50 * 20000, "%d tries, %d of them in handlers" % (of_held, of_other))


def io_events(trace, operation):
    return [event for event in trace.all_events() if event.operation == operation]


def waited_in(operations, waits):
    """So many waits of 200 ms, or less where somebody was late on a busy machine: the program knows how long they were,
    and says so. What was recorded is that within 5 %."""
    def claim(trace):
        known = sorted(int(line) for line in trace.errors.split())[-waits:]
        times = [(event.end - event.begin) * 10 ** 9 // trace.frequency() for operation in operations.split()
                 for event in io_events(trace, operation)]
        found = sorted(times)[-waits:]
        check(len(known) == len(found) == waits and min(known) >= 50 * 10 ** 6, "waits of %s ns" % known)
        check(all(abs(one - other) * 20 <= other for one, other in zip(found, known)),
              "waits of %s ns, not %s" % (found, known))
    return claim


def met(trace, least):
    """Reads that have waited for a write that is known: at least so many."""
    reads, writes = io_events(trace, "pipe-read"), io_events(trace, "pipe-write")
    numbers = {(event.object, event.sequence): event for event in writes}
    check(len(reads) >= least, "%d reads have met their write, not %d" % (len(reads), least))
    for event in reads:
        check(numbers[event.object, event.sequence].process != event.process, "it waited for itself")


def cancelled_io(trace):
    cancelled = [event for event in trace.all_events() if event.cls == "io" and event.flags & CANCELLED]
    compare("what was cancelled", ["read", "poll", "sleep", "signal-wait"], [event.operation for event in cancelled])
    expect_counts(trace, exit=4)


def interrupted_io(trace):
    found = [event.operation for event in trace.processes[0].events if event.cls == "io" and event.flags & INTERRUPTED]
    compare("what was interrupted", ["read", "sleep", "sleep"], found)
    expect_counts(trace, signal_receive=1)


def jumped_out_of(trace):
    (event,) = [event for event in trace.processes[0].events if event.operation == "sleep"]
    check(not event.flags & INTERRUPTED, "the second sleep is not told as it was")


def only_long(trace):
    found = [event for event in trace.processes[0].events if event.cls == "io"]
    check(any(event.operation == "sleep" for event in found), "the sleep is missing")
    check(len(found) < 100, "%d short calls are events" % len(found))


def half_unseen(trace):
    """Once a read was ended by nobody that is known, nothing is said of the pipe any more."""
    check(len(io_events(trace, "pipe-read")) <= 1, "a read has met a write though others write, too")
    check(len(io_events(trace, "read")) > 50, "the waits are missing")


def unseen_client(trace):
    check(len(io_events(trace, "pipe-read")) <= 1, "a read has met a write though others write, too")
    check(len(io_events(trace, "read")) > 25, "the waits are missing")


def no_stream(trace):
    check(not io_events(trace, "pipe-read"), "a datagram has met its sender")


def signals_met(receives, sends, flagged=0):
    """So many waits have met who has sent their signal, each another, in the order in which all were sent; and of so
    many it is not known which of several it was."""
    def claim(trace):
        expect_counts(trace, signal_send=sends)
        sent = {(event.object, event.sequence): event for event in io_events(trace, "signal-send")}
        found = sorted(io_events(trace, "signal-receive"), key=lambda event: event.end)
        numbers = [event.sequence for event in found]
        check(len(sent) == sends, "two have the same number")
        check(len(found) == receives, "%d have met, not %d" % (len(found), receives))
        check(numbers == sorted(set(numbers)), "they have met in another order: %s" % numbers)
        for event in found:
            one = sent[event.object, event.sequence]
            check(one.begin <= event.end, "it was sent when the wait was over")
            # Each was sent after the wait before it, so it can be no other.
            check(all(other.end <= one.end for other in found if other.sequence < event.sequence), "not in turn")
        unknown = [event for event in io_events(trace, "signal-wait") if event.flags & UNKNOWN]
        check(len(unknown) == flagged, "of %d it is not known, not of %d" % (len(unknown), flagged))
    return claim


def crowd_of_signals(trace):
    """Each waiter knows what it has got, and says so: none is told to have met another sender, or another signal of its
    sender."""
    sent, certain = {}, 0
    for sender in range(3):
        sends = [event for event in trace.processes[4 + sender].events if event.operation == "signal-send"]
        sent.update({event.sequence: sender * 150 + i for i, event in enumerate(sends)})
    check(len(sent) == 450, "%d were sent" % len(sent))
    for waiter, line in enumerate(trace.errors.splitlines()):
        waits = [event for event in trace.processes[1 + waiter].events if event.value and
                 event.operation in ("signal-wait", "signal-receive")]
        check(len(waits) == len(line.split()), "%d waits, not %d" % (len(waits), len(line.split())))
        for event, number in zip(waits, line.split()):
            if event.operation == "signal-receive":
                certain += 1
                check(sent[event.sequence] == int(number), "%s, not %s" % (sent[event.sequence], number))
            else:
                check(event.flags & UNKNOWN, "nobody has sent what was got")
    check(certain > 20, "only %d are certain" % certain)


def paused(trace):
    """A pause that went on for longer than 20 ms after its signal, on a busy machine, may have had another end."""
    waits = [event for event in trace.processes[1].events if event.operation in ("signal-wait", "signal-receive")]
    met = [(i, event.sequence) for i, event in enumerate(waits, 1) if event.operation == "signal-receive"]
    check(len(waits) == 20 and len(met) >= 10, "of %d waits, %d have met" % (len(waits), len(met)))
    check(all(i == sequence for i, sequence in met), "they have met: %s" % met)
    check(all(event.flags & UNKNOWN for event in waits if event.operation == "signal-wait"), "nobody has sent it")


def raised(trace):
    """What a handler does within `raise` comes after it, and is not lost."""
    expect_counts(trace, post=600, signal_send=6)
    operations = [event.operation for event in trace.processes[0].events if event.operation in ("post", "signal-send")]
    check(operations[:102] == ["signal-send"] + 100 * ["post"] + ["signal-send"], "not in this order")


def jumped_out_of_sends(trace):
    expect_counts(trace, post=20)
    signals_met(0, 11, 1)(trace)  # the others have jumped before they were told


def sent_to_group(trace):
    """One signal has ended a wait of each. Where the second was there when a wait began, the first can have been it as
    well."""
    expect_counts(trace, signal_send=3)
    found = {(event.process, event.sequence) for event in io_events(trace, "signal-receive")}
    check({(0, 1), (1, 1)} <= found <= {(0, 1), (0, 2), (1, 1), (1, 2)}, "they have met: %s" % found)


def sent_by_vforked(trace):
    """What a child does in its parent's memory is nobody's event, and the parent's go on."""
    expect_counts(trace, signal_send=0, signal_receive=0, post=100)


# Which waits, and how many: on a busy machine somebody may be kept from waiting meanwhile, so these are tried again.
WAITS = {
    "io sleeps": ("sleep", 5),
    "io polls": ("poll", 5),
    "io reads": ("read", 2),
    "io pipe-reads": ("pipe-read", 1),
    "io pipe-writes": ("pipe-write", 1),
    "io accepts": ("accept", 1),
    "io waits-for-child": ("child-wait", 2),
    "io file-locks": ("file-lock", 1),
    "io signal-waits": ("signal-wait signal-receive", 2),
    "io ipc-waits": ("ipc-wait", 1),
}

CLAIMS = {
    **{name: waited_in(*waits) for name, waits in WAITS.items()},
    "io cancellation": cancelled_io,
    "io interrupted": interrupted_io,
    "io jumps": jumped_out_of,
    "io ping-pong": lambda trace: met(trace, 90),
    "io pipeline": lambda trace: met(trace, 90),
    "io crowd": lambda trace: met(trace, 0),
    "io unseen-writer": half_unseen,
    "io threshold": only_long,
    **{f"streams {kind}-{way}": lambda trace: met(trace, 60)
       for kind in ("pair", "tcp", "local") for way in ("read", "message", "poll", "select", "epoll")},
    "streams tcp-both-versions": lambda trace: met(trace, 60),
    "streams event-read": lambda trace: met(trace, 60),
    "streams event-semaphore": lambda trace: met(trace, 60),
    "streams event-epoll": lambda trace: met(trace, 60),
    "streams unseen-client": unseen_client,
    "streams no-stream": no_stream,
    "sends wakes-thread": signals_met(20, 20),
    "sends suspended": signals_met(20, 20),
    "sends paused": paused,
    "sends one-of-two": signals_met(40, 40),
    "sends between-processes": signals_met(40, 40),
    "sends group": sent_to_group,
    "sends queued": signals_met(21, 21),
    "sends coalesced": signals_met(0, 2, 1),
    "sends two-senders": signals_met(0, 2, 1),
    "sends by-timer": signals_met(0, 1),
    "sends crowd": crowd_of_signals,
    "sends raises": raised,
    "sends jumps-out": jumped_out_of_sends,
    "sends errors": signals_met(0, 0),
    "sends vforked": sent_by_vforked,
    "mutexes crowd": crowd_of_mutexes,
    "rwlocks crowd": crowd_of_rwlocks,
    "conditions crowd": crowd_of_conditions,
    "futexes crowd": crowd_of_futexes,
    "once crowd": crowd_of_once,
    "once one-thread": nobody_waits,
    "futexes shared": shared_futexes,
    **{"dispatched " + name: meets(1) for name in (
        "handlers", "suspended", "own-return", "own-signal", "killed", "stack", "children", "sandbox", "taken",
        "interrupted", "nothing")},
    "dispatched masks": meets(3),
    "conditions destroyed-at-once": destroyed_conditions,
    "conditions for-nobody": for_nobody,
    "semaphores crowd": crowd_of_semaphores,
    "semaphores barriers": barriers,
    "semaphores barriers-destroyed-at-once": barriers_destroyed,
    "semaphores spin-locks": spin_locks,
    "threads detached": detached,
    "threads name-is-gone": name_is_gone,
    "threads smallest-stacks": smallest_stacks,
    "threads many": many,
    "threads one-after-the-other": one_after_the_other,
    "threads names": names,
    "signals storm": storm(2000),
    "signals storm-of-nested": storm(600),
    "signals bursts-at-steps": bursts_at_steps,
    "processes forks-of-threads": forks_of_threads,
    "processes executes": children(*range(10, 30)),
    "processes executes-without-environment": children(11, 12, 13),
    "processes spawns": children(21, 21, 21),
    "processes shell": children(31, 31),
    "processes executes-in-thread": executes_in_thread,
    "shared after-fork": shared_by_all,
    "shared in-file": shared_by_all,
    "little-room all-closed": all_recorded(15000),
    "little-room none-at-all": all_recorded(9000),
    "little-room other-folder": all_recorded(12000),
    "little-room locked-in-memory": all_recorded(9000),
    "little-room other-user": in_little_room(8 * 3000),
    "little-room few-descriptors": in_little_room(12000),
    "little-room other-root": in_little_room(12000),
    "little-room little-address-space": in_little_room(6000),
    "little-room little-from-the-beginning": in_little_room(6000),
    "little-room small-files": in_little_room(51000),
    "little-room small-files-of-its-own": in_little_room(6000),
    "ends by-return": ended(ENDED, 0),
    "ends by-exit": ended(ENDED, 1),
    "ends by-quick-exit": ended(CUT, 1),
    "ends by-_exit": ended(CUT, 0),
    "ends by-system-call": ended(CUT, 0),
    "ends by-abort": ended(CUT, 0),
    "ends by-fault": ended(CUT, 0),
    "ends by-kill": ended(CUT, 0),
    "ends by-terminate": ended(CUT, 0),
    "ends deadlock": deadlock,
    "many growing": all_recorded(90000),
    "many made-and-destroyed": made_and_destroyed,
    "many made-again-without-calls": made_again_without_calls,
    "many forked": forked_with_many,
    "many no-address-space": in_little_room(30001),
    "many tries": many_tries,
    "many interrupted-tries": interrupted_tries,
}


class Tests:
    def __init__(self, options):
        environment = {"LIGHTCONE_RECORD_LIBRARY": os.path.abspath(options.recorder)} if options.recorder else {}
        if options.sanitizer == "address":
            environment["ASAN_OPTIONS"] = ADDRESS_OPTIONS
        self.recorder = recording.Recorder(options.lightcone, environment,
                                           ("--futex", "all") if options.dispatch else ())
        self.folder = options.folder
        self.sanitizer = options.sanitizer
        self.tap = recording.Tap(
            options.names, NOT_DISPATCHED if options.dispatch else NOT_WITH.get(options.sanitizer, ()),
            NOT_WITH[options.rest] if options.rest else ())
        self.expected = expected_events()
        self.programs = PROGRAMS + (("futexes-inlined", "dispatched") if options.dispatch else ())

    def program(self, name):
        return os.path.join(self.folder, name)

    # --- Programs that print what they find ------------------------------------------------------------------------

    def case(self, program, name):
        title = "%s %s" % (program.replace("-inlined", ""), name)
        trace = self.recorder.both([self.program(program), name], ("--io-threshold", "0") if program == "sends" else (),
                                   lossy=title in LOSSY | STORMS, errors=False)
        if title in self.expected:
            compare("what is recorded", "\n".join(self.expected[title]), "\n".join(describe_trace(trace)))
        if title in CLAIMS:
            CLAIMS[title](trace)
        self.recorder.discard(trace)

    @staticmethod
    def again(function, *arguments):
        """What is wrong each time is wrong."""
        for last in (False, False, False, True):
            try:
                function(*arguments)
                break
            except Failure:
                if last:
                    raise

    def cases(self, programs):
        for program in programs:
            listed = subprocess.run([self.program(program)], stdout=subprocess.PIPE, check=True, text=True)
            for name in listed.stdout.split():
                title = "%s %s" % (program, name)
                if title in WAITS:
                    self.tap.test(title, self.again, self.case, program, name)
                elif title not in NOT_ALONE:
                    self.tap.test(title, self.case, program, name)

    # --- Tries, as they are shown ------------------------------------------------------------------------------------

    def shown_tries(self):
        """The reader says how many tries an event stands for, the history keeps it, and a check finds no fault."""
        run = self.recorder.record([self.program("many"), "tries"])
        # An event of one try has no value: any of them, where the machine was slow, and always ten times two locks.
        query = "SELECT operation, sum(ifnull(value, 1)) AS tries FROM event " \
                "WHERE operation IN ('lock-failed', 'wait-failed') GROUP BY operation ORDER BY operation"
        shown = self.recorder.start([self.recorder.lightcone, "sql", run.trace, query])
        compare("the status of the query", 0, shown.returncode)
        compare("the tries", ["lock-failed", "40020", "wait-failed", "20000"], shown.stdout.decode().split()[2:])
        checked = self.recorder.start([self.recorder.lightcone, "check", run.trace])
        compare("the status of a check", 0, checked.returncode)

    # --- Libraries -------------------------------------------------------------------------------------------------

    def library(self, command, environment=None):
        trace = self.recorder.both(command, environment=environment)
        expect_counts(trace, create=1, start=1, exit=1, join=1)
        last = max(process.instance for process in trace.processes.values())  # after env, perhaps
        processes = [process for process in trace.processes.values() if process.instance == last]
        check(len(processes) == 2, "%d processes" % len(processes))
        check(count(trace, "broadcast") == 9, "%d broadcasts" % count(trace, "broadcast"))

    def libraries(self):
        user, library = self.program("library-user"), self.program("liblibrary.so")
        self.tap.test("library: linked, with a thread before main", self.library, [self.program("library-linked")])
        self.tap.test("library: loaded by the program", self.library, [user, library])
        self.tap.test("library: the program's own preloaded one", self.library,
                      ["env", "LD_PRELOAD=" + library, user])

    # --- C++ -------------------------------------------------------------------------------------------------------

    def cplusplus(self):
        trace = self.recorder.both([self.program("threads-c++")])
        check(count(trace, "read-start") >= 4 and count(trace, "condition-wait") > 0, "C++'s locks are missing")

    # --- Waits of libraries that are made of futexes ---------------------------------------------------------------

    def waits(self, command):
        """The program knows how long it waited, and says so."""
        bare, run = self.recorder.bare(command), self.recorder.record(command)
        compare("the exit status", bare.status, run.status)
        compare("the output", bare.output, run.output)
        trace, known = self.recorder.read(run.trace), int(run.errors)
        found = subprocess.run([self.recorder.lightcone, "sql", run.trace, "--csv",
                                "select sum(waited) from event where operation = 'futex-wait'"],
                               stdout=subprocess.PIPE, check=True, text=True).stdout.split()[-1]
        found = 0 if found == "sum(waited)" else float(found)  # nobody has waited
        check(abs(found - known) <= known / 20, "%d ns of waiting, not %d" % (found, known))
        check(not any(event.flags & UNKNOWN for event in trace.all_events()), "somebody was woken by nobody")
        self.recorder.discard(trace)

    def waits_of(self, program):
        listed = subprocess.run([self.program(program)], stdout=subprocess.PIPE, check=True, text=True)
        for name in listed.stdout.split():
            self.tap.test("%s %s" % (program, name), self.again, self.waits, [self.program(program), name])

    # --- Calls without the C library -------------------------------------------------------------------------------

    def not_all(self, command, name, waits):
        """It is said why not all futexes are seen; the others are."""
        bare, recorded = self.recorder.bare(command), self.recorder.record(command)
        compare("the exit status", bare.status, recorded.status)
        compare("the output", bare.output, recorded.output)
        found = count(self.recorder.read(recorded.trace), "futex-wait")
        check(found == waits, "%d waits" % found)
        shown = json.loads(self.recorder.start([self.recorder.lightcone, "info", "--json", recorded.trace]).stdout)
        compare("what is told", ("all", name), (shown["futex"], shown["futex_trouble"]))

    def dispatched(self):
        program = self.program("dispatched")
        self.tap.test("dispatch: none for Go", self.not_all, [program + "-go", "nothing"], "go", 0)
        self.tap.test("dispatch: left to the program", self.not_all, [program, "taken"], "taken", 1)
        self.tap.test("dispatch: not in a sandbox", self.not_all, [program, "sandbox"], "sandbox", 1)
        self.tap.test("dispatch: a thread left alone", self.not_all, [program, "children"], "aside", 1)
        self.tap.test("dispatch: nothing is missing", self.not_all, [program, "nothing"], None, 1)

    # --- Instrumented functions ------------------------------------------------------------------------------------

    def functions(self, program, options, expected):
        trace = self.recorder.both([self.program(program)], options)
        symbols = {}
        with open(os.path.join(trace.directory, "symbols-0")) as file:
            for line in file:
                number, name = line.split(maxsplit=1)
                symbols[int(number)] = name.strip()
        found = {}
        for process in trace.processes.values():
            depth, lines = 0, []
            for event in process.events:
                depth -= event.operation == "leave"
                if event.operation == "enter":
                    lines.append(" " * depth + symbols.get(event.value, "?"))
                depth += event.operation == "enter"
            found[process.number] = lines
        for number, lines in expected.items():
            compare("process %d" % number, "\n".join(lines), "\n".join(found[number]))

    def instrumented(self):
        inner = ["inner", " hidden"]
        middle = ["middle"] + [" " + line for line in inner]
        middle1 = ["middle"] + [" " + line for line in middle + inner]
        middle2 = ["middle"] + [" " + line for line in middle1 + inner]
        outer = ["outer"] + [" " + line for line in middle2]
        everything = ["main"] + [" " + line for line in outer + ["leaves_by_jump"] + [" inner", "  hidden"]]
        thread = ["in_thread", " outer"] + ["  " + line for line in middle]
        for name, program, options, expected in (
                ("all", "functions", [], {0: everything, 1: thread}),
                ("included ones", "functions", ["--functions-include", "inn*"], {0: ["inner"] * 4, 1: ["inner"]}),
                ("excluded ones", "functions", ["--functions-exclude", "*d*", "--functions-exclude", "inner",
                                                "--functions-exclude", "*in"],
                 {0: ["outer"] + ["leaves_by_jump"], 1: ["outer"]}),
                ("a depth", "functions", ["--depth", "2"], {0: ["main", " outer", " leaves_by_jump"],
                                                             1: ["in_thread", " outer"]}),
                ("C++'s", "functions-c++", ["--functions-include", "*plain*", "--functions-include", "*area*"],
                 {0: ["plain", " _ZNK6shapes6square4areaEv"] * 2, 1: ["plain", " _ZNK6shapes6square4areaEv"]})):
            self.tap.test("functions: " + name, self.functions, program, options, expected)

    # --- Killed at any moment --------------------------------------------------------------------------------------

    def kill(self, seconds):
        counts = os.path.join(self.recorder.folder, "counts")
        with open(counts, "wb") as file:
            file.write(bytes(4096))
        command, directory = self.recorder.command([self.program("ends"), "hot", counts])
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=self.recorder.environment) as started:
            pid = self.find_child(started, counts)
            time.sleep(seconds)
            os.kill(pid, signal.SIGKILL)
            started.communicate(timeout=60)
        check(started.returncode == -signal.SIGKILL, "it ends with %d" % started.returncode)
        trace = self.recorder.read(directory)
        with open(counts, "rb") as file:
            done = struct.unpack("<2Q", file.read(16))
        for process, number in enumerate(done):
            unlocks = count(trace, "unlock", process)
            check(number <= unlocks <= number + 1, "process %d: %d unlocks, not %d" % (process, unlocks, number))
        self.recorder.discard(trace)

    @staticmethod
    def find_child(started, counts):
        """The program's own number, once it is at work."""
        while started.poll() is None:
            with open(counts, "rb") as file:
                if struct.unpack("<2Q", file.read(16)) > (0, 0):
                    break
            time.sleep(0.001)
        with open("/proc/%d/task/%d/children" % (started.pid, started.pid)) as file:
            return int(file.read().split()[0])

    # --- A disk that is full ---------------------------------------------------------------------------------------

    def full_disk(self, kilobytes, arguments):
        """In a mount namespace of its own, a disk with room for so much."""
        if os.geteuid() != 0:
            raise Skip("only root can mount")
        disk = os.path.join(self.recorder.folder, "disk")
        os.makedirs(disk, exist_ok=True)
        copy = os.path.join(self.recorder.folder, "copy-%d-%s" % (kilobytes, arguments[1]))
        program = [self.program("little-room"), *arguments]
        recorded, trace = self.recorder.command(program, directory=os.path.join(disk, "trace"))
        script = 'mount -t tmpfs -o size=%dk none "$0" || exit 98; "$@"; status=$?; cp -a %s %s; exit $status'
        bare = self.recorder.bare(program)
        run = self.recorder.start(["unshare", "-m", "sh", "-c", script % (kilobytes, trace, copy), disk, *recorded])
        if run.returncode == 98 or b"unshare" in run.stderr:
            raise Skip("nothing can be mounted here")
        compare("the exit status", bare.status, run.returncode)
        compare("the output", bare.output, run.stdout)
        trace = recording.verify.Trace(copy)
        check(not trace.verify(), "\n".join(trace.problems[:10]))
        locks = 2 * (int(arguments[1]) * int(arguments[2]) + 12000)
        found = count(trace, "lock") + count(trace, "unlock")
        check(trace.lost > 0, "nothing was lost")
        check(found + trace.lost >= locks, "%d events, %d lost, of %d" % (found, trace.lost, locks))

    # --- What stays behind -----------------------------------------------------------------------------------------

    def not_for_others(self):
        """Neither while the program runs, nor afterwards."""
        trace = self.recorder.both([self.program("little-room"), "other-user"], lossy=True)
        open_to_all = [path for folder, folders, files in os.walk(trace.directory) for path in
                       (os.path.join(folder, name) for name in [".", *folders, *files])
                       if os.lstat(path).st_mode & (stat.S_IRWXO | stat.S_IRWXG)]
        check(not open_to_all, "others may come to %s" % ", ".join(open_to_all))

    def classes(self, classes, operations):
        trace = self.recorder.both([self.program("conditions"), "crowd"], ["--events", classes])
        found = {event.operation for event in trace.all_events()} - {"pause"}  # which is the recorder's
        check(found <= operations and len(found) >= 2, "what is recorded: %s" % found)

    def slow(self):
        self.cases(SLOW_PROGRAMS)
        self.waits_of("waits-glib")
        if os.path.exists(self.program("waits-c++")):
            self.waits_of("waits-c++")

    def quick(self):
        self.cases(self.programs)
        self.libraries()
        self.tap.test("shown tries", self.shown_tries)
        self.tap.test("threads-c++", self.cplusplus)
        self.instrumented()
        if self.recorder.options:
            self.dispatched()
        for number in range(6):
            self.tap.test("killed %d" % number, self.kill, 0.003 * number ** 2)
        self.tap.test("a disk that is full from the beginning", self.full_disk, 1624, ["locks", "10", "3000"])
        self.tap.test("a disk that is full soon", self.full_disk, 2424, ["locks", "10", "3000"])
        self.tap.test("a disk that is full of objects", self.full_disk, 2224, ["locks", "20000", "2"])
        self.tap.test("not for others", self.not_for_others)
        mutex, condition = {"lock", "unlock"}, {"signal", "broadcast", "condition-wait", "condition-wait-failed"}
        self.tap.test("only mutexes", self.classes, "mutex", mutex)
        self.tap.test("only conditions", self.classes, "condition", condition)
        self.tap.test("only threads", self.classes, "thread", {"create", "start", "exit", "join"})

    def run(self):
        self.tap.beside(self.quick, self.slow)
        self.recorder.close()
        return self.tap.end()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--recorder", help="another one than that of LIGHTCONE")
    parser.add_argument("--sanitizer", choices=["address", "undefined"], help="what the recorder is built with")
    parser.add_argument("--rest", choices=["address", "undefined"], help="only what this sanitizer does not let pass")
    parser.add_argument("--dispatch", action="store_true", help="record with --futex all")
    parser.add_argument("lightcone")
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*")
    return Tests(parser.parse_intermixed_args()).run()


if __name__ == "__main__":
    sys.exit(main())

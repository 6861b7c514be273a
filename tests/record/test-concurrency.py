#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test-concurrency.py PROGRAM: the recorder's sources with a race detector find no race, and the trace is right."""

import os
import struct
import subprocess
import sys

import recording


def run(program, folder):
    environment = {**os.environ, "TSAN_OPTIONS": "halt_on_error=1:exitcode=66"}
    environment.pop("LIGHTCONE_TRACE", None)
    finished = subprocess.run([program, folder], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=120, check=False)
    recording.check(finished.returncode == 0, "status %d\n%s" % (finished.returncode,
                                                                 finished.stderr.decode(errors="replace")))


PLACE = 64 << 10
FILES = {0: "objects-%d", 1: "requests-%d", 2: "snapshots/%d"}


def drain(folder):
    """Puts what the places hold where `lightcone record` would have put it."""
    with open(os.path.join(folder, "heads-0"), "rb") as file:
        while place := file.read(PLACE):
            magic = struct.unpack_from("<I", place)[0]
            if magic == 0xC1FC1FC1:
                content, process, offset = (struct.unpack_from(form, place, at)[0]
                                            for form, at in (("<Q", 40), ("<I", 72), ("<Q", 240)))
                name, data = "ctf/process-%d" % process, place[:content // 8]
            elif magic == 0x4543504C:
                kind, number = struct.unpack_from("<II", place, 20)
                offset, size = struct.unpack_from("<QQ", place, 40)
                name, data = FILES[kind] % number, place[256:256 + size]
            else:
                continue
            handle = os.open(os.path.join(folder, name), os.O_WRONLY | os.O_CREAT, 0o600)
            os.pwrite(handle, data, offset)
            os.close(handle)
    os.remove(os.path.join(folder, "heads-0"))


def verify(folder):
    drain(folder)
    trace = recording.verify.Trace(folder)
    recording.check(not trace.verify(), "\n".join(trace.problems[:10]))
    recording.check(trace.lost == 0 and len(trace.processes) == 9, "%d processes" % len(trace.processes))
    locks = recording.count(trace, "lock") - recording.count(trace, "condition-wait")
    recording.check(recording.count(trace, "complete") == 8 * 1500 * 32, "requests are missing")
    recording.check(recording.count(trace, "all-reduce") == 8 * 1500, "collective events are missing")
    with open(os.path.join(folder, "requests-0"), "rb") as file:
        requests = list(struct.iter_unpack("<II", file.read()))[:8 * 1500 * 32]
    recording.check(all(channel > 0 and number == sequence for number, (channel, sequence) in enumerate(requests)),
                    "requests are not what they were said to be")
    recording.check(locks == recording.count(trace, "unlock") - recording.count(trace, "condition-wait") > 80000,
                    "%d locks" % locks)


def main():
    recorder, tap = recording.Recorder(None), recording.Tap()
    tap.test("no race", run, os.path.abspath(sys.argv[1]), recorder.folder)
    tap.test("the trace", verify, recorder.folder)
    recorder.close()
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())

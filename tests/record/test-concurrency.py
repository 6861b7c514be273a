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


def verify(folder):
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

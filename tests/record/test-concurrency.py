#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test-concurrency.py PROGRAM: the recorder's sources with a race detector find no race, and the trace is right."""

import os
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

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test-race-detector.py LIGHTCONE PROGRAM: a program with a race detector is recorded, and the detector sees no race.

The detector stands before the C library too; all that the recorder calls must go through it.
"""

import os
import sys

import recording


def case(recorder, program, name):
    trace = recorder.both([program, name], environment={"TSAN_OPTIONS": "halt_on_error=1:exitcode=66"})
    recording.check(recording.count(trace, "condition-wait") > 0, "no waits were recorded")


def main():
    recorder, tap = recording.Recorder(sys.argv[1]), recording.Tap()
    for name in "signalled", "signalled-from-outside", "crowd":
        tap.test(name, case, recorder, os.path.abspath(sys.argv[2]), name)
    recorder.close()
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts what the tests of one `meson test` found: tally.py LOG STATUS REPORT [AGAIN] prints "PASSED FAILED SKIPPED".

LOG is Meson's testlog.json, STATUS the exit status of `meson test`. A test that speaks TAP counts once for each of
its subtests, and once more if it failed in another way. AGAIN is the log of a second run of those that failed: one that
is good there counts as it did there, and is told as unstable. What failed, and the end of what it said, is appended to
REPORT.

tally.py --failed LOG prints the names of those that failed, one a line.
"""
import json
import re
import sys
from collections import Counter
from pathlib import Path

SUBTEST = re.compile(r'^(not )?ok\b(.*)$', re.MULTILINE)
SKIP = re.compile(r'#\s*skip', re.IGNORECASE)
TODO = re.compile(r'#\s*todo', re.IGNORECASE)
LINES = 60


def outcome(failed, text):
    if SKIP.search(text):
        return 'skipped'
    return 'failed' if failed and not TODO.search(text) else 'passed'


def count_test(test):
    """The outcomes of one line of testlog.json."""
    subtests = Counter(outcome(failed, text) for failed, text in SUBTEST.findall(test['stdout'] or ''))
    if test['result'] in ('OK', 'EXPECTEDFAIL'):
        return subtests or Counter(passed=1)
    if test['result'] == 'SKIP':
        return subtests or Counter(skipped=1)
    return subtests if subtests['failed'] else subtests + Counter(failed=1)


def explain(test, what, report):
    """What a failed test said: without what is good, if it speaks TAP; and the end of what it complained of."""
    said = [line for line in (test['stdout'] or '').splitlines() if not re.match(r'ok\b|1\.\.\d', line)]
    complaints = (test.get('stderr') or '').splitlines()
    print(f'\n{test["name"]}: {what}', *said[-LINES:], *complaints[-LINES:], sep='\n', file=report)


def read_log(name):
    """The tests of a log by name, or None if there is none."""
    try:
        lines = Path(name).read_text(encoding='utf-8').splitlines()
    except FileNotFoundError:
        return None
    return {test['name']: test for test in map(json.loads, lines)}


def tally(tests, again, status, report):
    total = Counter()
    is_explained = False
    for name, test in tests.items():
        outcomes = count_test(test)
        if outcomes['failed']:
            is_explained = True
            second = count_test(again[name]) if name in again else outcomes
            what = test['result'] if second['failed'] else 'unstable: failed, and was good when run again'
            explain(test, what, report)
            outcomes = second
        total += outcomes
    if status != 0 and not is_explained:
        total['failed'] += 1
        print(f'\nmeson test: exit status {status}, and no test that failed', file=report)
    return total


def main(log, status, report_name, again=None):
    tests = read_log(log)
    with open(report_name, 'a', encoding='utf-8') as report:
        if tests is None:
            total = Counter(failed=1)
            print(f'\n{log}: meson test has left no such file', file=report)
        else:
            total = tally(tests, (read_log(again) if again else None) or {}, int(status), report)
    print(total['passed'], total['failed'], total['skipped'])


def print_failed(log):
    for name, test in (read_log(log) or {}).items():
        if count_test(test)['failed']:
            print(name.split(' / ')[-1])


if __name__ == '__main__':
    if sys.argv[1] == '--failed':
        print_failed(sys.argv[2])
    else:
        main(*sys.argv[1:])

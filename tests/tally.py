#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts what the tests of one `meson test` found: tally.py LOG STATUS prints "PASSED FAILED SKIPPED".

LOG is Meson's testlog.json, STATUS the exit status of `meson test`. A test that speaks TAP counts once for each of
its subtests, and once more if it failed in another way. What a failed one said of its failures, which Meson does not
show, goes to the standard error.
"""
import json
import re
import sys
from collections import Counter

SUBTEST = re.compile(r'^(not )?ok\b(.*)$', re.MULTILINE)
SKIP = re.compile(r'#\s*skip', re.IGNORECASE)
TODO = re.compile(r'#\s*todo', re.IGNORECASE)


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


def explain(test):
    """Shows what a test that speaks TAP said besides of what is good."""
    lines = [line for line in (test['stdout'] or '').splitlines() if not re.match(r'ok\b|1\.\.\d', line)]
    if lines:
        print(f'\n{test["name"]}:', *lines, sep='\n', file=sys.stderr)


def tally(lines, status):
    total = Counter()
    for line in lines:
        test = json.loads(line)
        outcomes = count_test(test)
        total += outcomes
        if outcomes['failed'] and SUBTEST.search(test['stdout'] or ''):
            explain(test)
    if status != 0 and not total['failed']:
        total['failed'] += 1
    return total


def main(log, status):
    try:
        with open(log, encoding='utf-8') as lines:
            total = tally(lines, int(status))
    except FileNotFoundError:
        total = Counter(failed=1)
    print(total['passed'], total['failed'], total['skipped'])


if __name__ == '__main__':
    main(*sys.argv[1:])

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ten questions about a run, each answered from a fresh start by keys and pointer, in five actions at most.

A key (with what is held down), a click, and a word that is typed are one action each. tasks.py [TEST...] runs those
tests only. Speaks TAP."""
import re

from browse import DIAGRAM, described, holds, record
from choosing import views
from inspector import deadlocked, write
from window import run, wait_for

MOST = 5

# A convoy: the holder takes long, and the clerks come one after the other.
LOCKS = {
    'clerk 1': '1000 912000 lock ledger 2 at=enter@clerk.c:12;main@clerk.c:40\n'
               '950000 951000 unlock ledger 2 at=enter@clerk.c:15;main@clerk.c:40\n',
    'clerk 2': '2000 953000 lock ledger 3 at=enter@clerk.c:12;main@clerk.c:40\n'
               '960000 961000 unlock ledger 3 at=enter@clerk.c:15;main@clerk.c:40\n',
    'holder': '0 500 lock ledger 1 at=audit@book.c:20;main@book.c:90\n'
              '900000 901000 unlock ledger 1 at=audit@book.c:31;main@book.c:90\n',
    'writer': '100 200 lock log 1 at=note@log.c:3\n300 400 unlock log 1 at=note@log.c:5\n',
}

# Four requests of a server; the third one finds the table locked.
REQUESTS = {
    'cleaner': '20500 20600 lock table 3 at=sweep@table.c:70\n28900 29000 unlock table 3 at=sweep@table.c:77\n',
    'server': ''.join(
        f'{at} {at + 10} enter request\n{at + 1000} {end} lock table {k} at=find@table.c:12\n'
        f'{end + 100} {end + 200} unlock table {k} at=find@table.c:18\n{end + 900} {end + 910} leave request\n'
        for at, end, k in ((0, 1050, 1), (10000, 11050, 2), (20000, 29100, 4), (32000, 33050, 5))),
}

# Four ranks meet five times, and rank 2 is the last to come, but for one time.
LATE = {f'rank {rank}': ''.join(
    f'{turn * 10000 + (8000 if rank == (2 if turn != 3 else 1) else 1000 + 100 * rank)} {turn * 10000 + 8100} '
    f'barrier world {turn} value=4\n' for turn in range(5)) for rank in range(4)}

MESSAGES = {
    'rank 0': '0 9000 recv 2>0:7 0 bytes=4096 from=2\n9100 9300 recv 1>0:7 0 bytes=64 from=1\n9400 9500 tag value=1\n',
    'rank 1': '100 200 send 1>0:7 0 bytes=64 to=0\n300 310 tag value=1\n',
    'rank 2': '8800 8900 send 2>0:7 0 bytes=4096 to=0\n9000 9010 tag value=1\n',
}

# One of three waits for a file, and the others for nobody.
FILES = {
    'parser': '0 500 read input.csv bytes=4096 at=fill@parse.c:8\n600 610 tag value=1\n'
              '1000 90000 read input.csv bytes=4096 at=fill@parse.c:8\n91000 91010 tag value=2\n',
    'renderer': '0 10 tag value=1\n50000 50010 tag value=2\n91000 91010 tag value=3\n',
}


class Hands:
    """A user's hands, which count."""

    def __init__(self, display, start, trace):
        self.browser = start(trace)
        self.browser.resize(*display.size)
        self.browser.diagram = self.browser.find(DIAGRAM)
        self.actions = 0

    def press(self, *keys):
        self.actions += len(keys)
        self.browser.press(*keys)

    def type(self, word):
        self.actions += 1
        self.browser.type(word)

    def click(self, node):
        self.actions += 1
        self.browser.click(node)

    def do(self, node):
        """The button of a dialog, which is a window of its own."""
        self.actions += 1
        self.browser.do(node)

    def tab(self, name):
        self.click(self.browser.find(name, 'page tab'))

    def search(self, text):
        self.press('ctrl+f')
        self.type(text)
        before = described(self.browser)
        self.press('Return')
        wait_for(lambda: described(self.browser) not in ('', before), f'{text} found')

    def sees(self, pattern, role=None):
        return self.browser.find(re.compile(pattern), role)

    def done(self, display, name):
        holds(self.actions <= MOST, f'{self.actions} actions')
        print(f'# {self.actions} actions', flush=True)
        self.browser.settle()
        display.save(f'task-{name}')


def which_lock_costs_most(display, start, folder):
    """which lock costs most: the longest waits, in groups by object"""
    hands = Hands(display, start, write(folder, LOCKS))
    hands.tab('Longest waits')
    hands.click(hands.browser.find(describe=re.compile('^Group waits by'), role='combo box'))
    hands.press('Down', 'Return')
    hands.sees('^ledger, ', 'panel')
    hands.done(display, 'lock')


def which_line_holds_the_lock(display, start, folder):
    """which line holds the lock: a click on the longest wait, and the inspector has the holder's line"""
    hands = Hands(display, start, write(folder, LOCKS))
    hands.tab('Longest waits')
    hands.click(hands.sees('^lock ledger.*clerk 2 at', 'panel'))
    hands.tab('Inspector')
    hands.sees('^unlock ledger #2, its end, on clerk 1', 'push button')
    hands.sees(r'^enter\(\) clerk.c:15')
    hands.done(display, 'line')


def why_the_third_request_was_slow(display, start, folder):
    """why the third request was slow: what waited long is searched for, and the inspector says for whom"""
    hands = Hands(display, start, write(folder, REQUESTS))
    hands.search('process:server wait>1us')
    hands.sees('^It waited 8.00 µs, for:')
    hands.sees('^unlock table #3, its end, on cleaner', 'push button')
    hands.sees(r'^sweep\(\) table.c:77')
    hands.done(display, 'request')


def which_rank_comes_late(display, start, folder):
    """which rank comes late: the longest waits, in groups by whom they were for"""
    hands = Hands(display, start, write(folder, LATE))
    hands.tab('Longest waits')
    hands.click(hands.browser.find(describe=re.compile('^Group waits by'), role='combo box'))
    hands.press('End', 'Up', 'Return')
    hands.sees('^rank 2, ', 'panel')
    hands.done(display, 'late')


def whose_message_came_late(display, start, folder):
    """whose message came late: the longest wait says for whom it was"""
    hands = Hands(display, start, write(folder, MESSAGES))
    hands.tab('Longest waits')
    hands.sees('^recv 2>0:7.*rank 0 at .*, for rank 2', 'panel')
    hands.done(display, 'message')


def what_waits_for_io(display, start, folder):
    """what waits for I/O: a search for the class, and for what took long"""
    hands = Hands(display, start, write(folder, FILES))
    hands.search('class:io took>1us')
    hands.sees('^read input.csv', 'label')
    hands.sees(r'^fill\(\) parse.c:8')
    hands.done(display, 'io')


def what_is_stuck(display, start, folder):
    """what is stuck: the banner names who waits for each other for ever, and a click zooms there"""
    hands = Hands(display, start, deadlocked(folder))
    hands.sees('^Deadlock: philosopher [1-5], philosopher [1-5] and 3 others', 'label')
    hands.click(hands.sees('Show', 'push button'))
    hands.sees('^Deadlock of 5 processes', 'panel')
    hands.done(display, 'stuck')


def what_makes_the_run_long(display, start, folder):
    """what makes the run as long as it is: the critical path, and who has most of it"""
    hands = Hands(display, start, write(folder, LOCKS))
    hands.tab('Critical path')
    hands.sees('^holder, .*%', 'panel')
    hands.done(display, 'path')


def how_many_run_at_a_time(display, start, folder):
    """how much of the time nobody else runs: the plot of parallelism's distribution"""
    hands = Hands(display, start, record(folder, 'gauss', '--workers', '4', '--size', '24'))
    hands.click(hands.browser.find('Plot', 'combo box'))
    hands.press('Down', 'Return')
    title = next(view['title'] for view in views() if view['name'] == 'parallelism-histogram')
    plot = hands.browser.find(title, 'image')
    wait_for(plot.get_description, 'what the plot tells')
    hands.done(display, 'parallelism')


def what_the_measurement_costs(display, start, folder):
    """how long it takes without the measurement: the dialog approximates, and tells"""
    hands = Hands(display, start, record(folder, 'gauss', '--workers', '4', '--size', '24'))
    hands.press('ctrl+t')
    hands.do(hands.browser.find('Approximate', 'push button'))
    hands.sees('^Measured / approximated', 'label')
    hands.done(display, 'measurement')
    hands.browser.press('Escape')
    wait_for(lambda: not hands.browser.look_for('Measured / approximated', 'label'), 'the dialog is closed')


TESTS = [which_lock_costs_most, which_line_holds_the_lock, why_the_third_request_was_slow, which_rank_comes_late,
         whose_message_came_late, what_waits_for_io, what_is_stuck, what_makes_the_run_long, how_many_run_at_a_time,
         what_the_measurement_costs]

if __name__ == '__main__':
    run(TESTS)

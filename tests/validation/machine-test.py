#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The virtual multiprocessor against programs small enough to work out by hand."""
import unittest

from machine import Deadlock, Machine
from network import IPSC860, Costs, Network, Overhead
from operations import (advance, await_, barrier, broadcast, collective, complete, create, exit_, irecv, isend, join,
                        lock, post, read_end, read_start, recv, send, signal, sleep, ssend, start, tag, test, unlock,
                        wait, write_end, write_start)
from truth import total

COSTS = Costs(waiting={name: (5, 7) for name in ('await', 'lock', 'wait', 'condition-wait', 'read-start',
                                                 'write-start', 'join', 'complete')},
              local={name: 2 for name in ('unlock', 'post', 'signal', 'broadcast', 'read-end', 'write-end', 'advance',
                                          'exit', 'create', 'start', 'isend', 'irecv', 'test-failed',
                                          'broadcast-root', 'reduce')},
              copy=10, beta=3, spawn=20, network=Network('full', long=(100, 1, 30), limit=8, short=(40, 2, 10)))
OVERHEAD = Overhead((1, 2, 3))


def program(*steps):
    for step in steps:
        yield step


def run(*programs, overhead=None, costs=COSTS, **options):
    """Each program is a list of steps, or a generator. The result: for each process, (operation, begin, end)."""
    made = [program(*steps) if isinstance(steps, list) else steps for steps in programs]
    return [[(event.operation, event.begin, event.end) for event in events]
            for events in Machine(costs, overhead, **options).run(made)]


def times(processes):
    return [[event[1:] for event in events] for events in processes]


class Hand(unittest.TestCase):
    """Each claim is about times that one can find with a pencil."""

    def test_instrumentation_lies_before_in_and_after_an_event(self):
        steps = [10, tag(takes=4), 20, tag(takes=0)]
        self.assertEqual(times(run(steps)), [[(10, 14), (34, 34)]])
        # 10 + 1 | 4 + 2 | 3 + 20 + 1 | 0 + 2
        self.assertEqual(times(run(steps, overhead=OVERHEAD)), [[(11, 17), (41, 43)]])

    def test_overheads_vary_by_as_much_as_was_said_and_by_the_seed_alone(self):
        def length(seed):
            overhead = Overhead((1000, 0, 0), varies=0.3)
            return total(Machine(COSTS, overhead, seed).run([program(*[tag(takes=0) for _ in range(100)])]))
        self.assertEqual(length(1), length(1))
        self.assertNotEqual(length(1), length(2))
        self.assertTrue(70_000 < length(1) < 130_000)
        self.assertTrue(abs(length(1) - 100_000) < 8_000)

    def test_an_await_goes_on_after_its_advance(self):
        early, late = [advance('A', 1)], [50, advance('A', 1)]
        self.assertEqual(run(early, [30, await_('A', 1)])[1], [('await', 30, 35)])
        self.assertEqual(run(late, [30, await_('A', 1)]), [[('advance', 50, 52)], [('await', 30, 59)]])
        # The advance: 51 to 51 + 2 + 2; the await ends 7 later, and 2 more.
        self.assertEqual(times(run(late, [30, await_('A', 1)], overhead=OVERHEAD)), [[(51, 55)], [(31, 64)]])

    def test_locks_are_had_in_the_order_of_arrival(self):
        first, second = [lock('m'), 100, unlock('m')], [20, lock('m'), 10, unlock('m')]
        third = [10, lock('m'), 10, unlock('m')]
        # first: 0-5, 105-107. third: 107 + 7 = 114, 124-126. second: 126 + 7.
        self.assertEqual(times(run(first, second, third)),
                         [[(0, 5), (105, 107)], [(20, 133), (143, 145)], [(10, 114), (124, 126)]])

    def test_readers_share_and_a_writer_waits_for_the_last(self):
        write = [20, write_start('c'), 10, write_end('c')]
        found = run([read_start('c'), 50, read_end('c')], [read_start('c'), 90, read_end('c')], write,
                    [30, read_start('c'), read_end('c')])
        # Both read from 5 on; the last has read at 95 + 2; the writer goes on at 104 to 114-116; the last reader then.
        self.assertEqual(times(found), [[(0, 5), (55, 57)], [(0, 5), (95, 97)], [(20, 104), (114, 116)],
                                        [(30, 123), (123, 125)]])

    def test_tokens_go_to_whoever_came_first(self):
        found = run([40, post('s'), 60, post('s')], [30, wait('s')], [20, wait('s')])
        self.assertEqual(times(found), [[(40, 42), (102, 104)], [(30, 111)], [(20, 49)]])

    def test_a_signal_wakes_one_and_a_broadcast_all(self):
        def sleeper(delay):
            yield delay
            yield lock('m')
            yield from sleep('c', 'm')
            yield unlock('m')
        found = run(sleeper(0), sleeper(10), [50, signal('c'), 50, broadcast('c')])
        # lock 0-5, unlock 5-7, asleep until 52 + 7, lock again 59-64.
        self.assertEqual(found[0], [('lock', 0, 5), ('unlock', 5, 7), ('condition-wait', 7, 59), ('lock', 59, 64),
                                    ('unlock', 64, 66)])
        self.assertEqual(found[1][2], ('condition-wait', 17, 111))

    def test_who_is_woken_on_the_way_to_sleep_does_not_sleep(self):
        def sleeper():
            yield lock('m')
            yield from sleep('c', 'm')
        slow = Overhead(operations={'condition-wait': (100, 0, 0)})
        found = run(sleeper(), [20, signal('c')], overhead=slow)
        self.assertEqual(found[0][2], ('condition-wait', 107, 112))

    def test_barriers_are_left_in_the_way_they_have(self):
        programs = ([30, barrier('b', 3)], [10, barrier('b', 3)], [20, barrier('b', 3)])

        def ends(leave):
            costs = Costs(**{**COSTS.__dict__, 'exit': leave})
            return [events[0][1] for events in times(run(*programs, costs=costs))]
        self.assertEqual(ends('linear'), [33, 39, 36])  # the last to come is the first to go
        self.assertEqual(ends('simultaneous'), [33, 33, 33])
        self.assertEqual(ends('sequential'), [33, 36, 39])
        self.assertEqual(ends('logarithmic'), [33, 36, 39])  # 1, 2 and 3 rounds

    def test_processes_begin_and_end_with_others(self):
        child = program(start(1), 100, exit_(1))
        found = Machine(COSTS).run({0: program(10, create(1, child), 5, join(1))}, at_most=2)
        self.assertEqual([[(event.begin, event.end) for event in events] for events in found],
                         [[(10, 12), (17, 141)], [(30, 32), (132, 134)]])

    def test_a_message_is_copied_travels_and_is_copied(self):
        # 200 bytes over 1 hop: 100 + 200 + 30 = 330; copied at both ends: 350.
        self.assertEqual(times(run([40, send(1, 200)], [recv(0)])), [[(40, 50)], [(0, 390)]])
        self.assertEqual(times(run([40, send(1, 200)], [1000, recv(0)])), [[(40, 50)], [(1000, 1010)]])
        # It arrives at 380: whoever comes at 385 copies it then.
        self.assertEqual(times(run([40, send(1, 200)], [385, recv(0)])), [[(40, 50)], [(385, 395)]])
        # A short one: 40 + 2 * 4 + 10.
        self.assertEqual(times(run([send(1, 4)], [recv(0)])), [[(0, 10)], [(0, 78)]])

    def test_sender_and_receiver_meet_in_a_rendezvous(self):
        self.assertEqual(times(run([40, ssend(1, 200)], [90, recv(0)])), [[(40, 440)], [(90, 440)]])
        self.assertEqual(times(run([140, ssend(1, 200)], [90, recv(0)])), [[(140, 490)], [(90, 490)]])

    def test_a_blind_receive_takes_what_arrived_first(self):
        def receiver():
            yield 500
            first = yield recv(None)
            second = yield recv(None)
            yield tag(first * 10 + second)
        machine = Machine(COSTS)
        found = machine.run([receiver(), program(40, send(0, 200)), program(60, send(0, 4))])
        # From 1: arrives at 380; from 2: at 60 + 58 + 10.
        self.assertEqual([event.object for event in found[0][:2]], ['2>0:0', '1>0:0'])
        self.assertEqual(dict(found[0][2].fields)['value'], 21)
        self.assertEqual([(event.begin, event.end) for event in found[0][:2]], [(500, 510), (510, 520)])

    def test_a_blind_receive_waits_for_what_arrives_first(self):
        found = Machine(COSTS).run([program(recv(None)), program(40, send(0, 200)), program(60, send(0, 4))])
        self.assertEqual((found[0][0].object, found[0][0].end), ('2>0:0', 138))

    def test_what_goes_on_in_the_background_is_over_when_it_is_asked_for(self):
        def receiver(delay):
            request = yield irecv(0)
            yield delay
            yield complete(request)

        def sender():
            request = yield isend(1, 200)
            yield complete(request)
        found = run(sender(), receiver(20))
        self.assertEqual(found, [[('isend', 0, 2), ('complete', 2, 10)], [('irecv', 0, 2), ('complete', 22, 350)]])
        self.assertEqual(run(sender(), receiver(400))[1][1], ('complete', 402, 407))

    def test_a_busy_wait_asks_until_it_is_over(self):
        def receiver():
            request = yield irecv(0)
            while not (yield test(request)):
                yield 98
        # Over at 350; it asks at 2, 102, 202, 302 and 402.
        found = run([send(1, 200)], receiver())[1]
        self.assertEqual(found[1:], [('test-failed', 2, 4), ('test-failed', 102, 104), ('test-failed', 202, 204),
                                     ('test-failed', 302, 304), ('complete', 402, 407)])
        self.assertEqual(run([send(1, 200)], receiver(), ideal_polls=True)[1][1:], [('complete', 2, 350)])

    def test_a_broadcast_goes_through_a_tree(self):
        def call(name):
            return collective(name, 4, bytes=200)
        # Two rounds of 330, and copied at both ends.
        found = run([50, call('broadcast-root')], [call('broadcast-recv')], [call('broadcast-recv')],
                    [1000, call('broadcast-recv')])
        self.assertEqual(times(found), [[(50, 52)], [(0, 730)], [(0, 730)], [(1000, 1010)]])

    def test_a_reduction_is_over_after_the_last(self):
        def call(name):
            return collective(name, 4, bytes=200)
        found = run([50, call('reduce-root')], [call('reduce')], [80, call('reduce')], [60, call('reduce')])
        self.assertEqual(times(found)[0], [(50, 80 + 660 + 20)])

    def test_all_to_all_is_left_with_lags_of_ones_own(self):
        found = run([50, collective('all-to-all', 2)], [collective('all-to-all', 2)])
        self.assertEqual(times(found), [[(50, 53)], [(0, 56)]])

    def test_waiting_is_the_part_before_what_was_waited_for(self):
        found = Machine(COSTS).run([program(50, advance('A', 1), barrier('b', 2)), program(30, await_('A', 1),
                                                                                           barrier('b', 2))])
        self.assertEqual([event.waited for event in found[1]], [22, 0])
        self.assertEqual([event.waited for event in found[0]], [0, 7])

    def test_a_deadlock_is_told(self):
        with self.assertRaisesRegex(Deadlock, '0 in await of A'):
            run([await_('A', 1)])


class Hops(unittest.TestCase):
    def test_each_topology_has_its_distances(self):
        for topology, a, b, hops in (('none', 0, 5, 0), ('full', 0, 5, 1), ('full', 5, 5, 0), ('ring', 0, 5, 3),
                                     ('ring', 1, 7, 2), ('mesh:4x2', 0, 7, 4), ('mesh:4x2', 3, 4, 4),
                                     ('torus:4x2', 0, 7, 2), ('torus:4x2', 3, 4, 2), ('hypercube', 0, 5, 2),
                                     ('hypercube', 7, 0, 3)):
            self.assertEqual(Network(topology).hops(a, b, 8), hops, f'{topology} {a} {b}')

    def test_the_ipsc_860_takes_what_the_paper_says(self):
        self.assertEqual(IPSC860.takes(50, 2), 76000 + 50 * 400 + 2 * 11000)
        self.assertEqual(IPSC860.takes(4096, 3), 136000 + 4096 * 400 + 3 * 33000)


if __name__ == '__main__':
    unittest.main()

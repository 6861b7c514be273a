#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The view of messages on their way, against a count by hand of what was sent and received."""
import random
import re
import xml.etree.ElementTree as ElementTree

from cli import contains, equal, main, test
from tables import refuse, run, write

SVG = '{http://www.w3.org/2000/svg}'


def told(trace, *options):
    """The average, least and most that the picture tells."""
    run('export', trace, '--view', 'messages', '-o', 'out.svg', *options)
    text = ElementTree.parse('out.svg').getroot().find(SVG + 'desc').text
    found = re.search(r'([\d.]+) messages are on their way on average, at least (\d+) and at most (\d+)\.', text)
    equal(found is not None, True, f'numbers in {text}')
    return float(found[1]), int(found[2]), int(found[3])


def count(messages, begin, end):
    """The same of (begin, end) of messages."""
    inside = [(max(first, begin), min(last, end)) for first, last in messages if first < end and last > begin]
    times = sorted({begin, end, *(time for pair in inside for time in pair)})
    counts = [sum(first <= low and last >= high for first, last in inside) for low, high in zip(times, times[1:])]
    return round(sum(last - first for first, last in inside) / (end - begin), 2), min(counts), max(counts)


@test
def messages_last_from_sending_to_receiving():
    """The first message goes from 100 to 400, the second from 200 to 300: it is received by another process."""
    write('few', {'p0': '0 0 tag value=1\n100 110 send 0>1 0 bytes=8\n200 210 send 0>2 0 bytes=8\n'
                        '1000 1000 tag value=1\n',
                  'p1': '0 400 recv 0>1 0 bytes=8\n', 'p2': '0 300 recv 0>2 0 bytes=8\n'})
    equal(told('few'), (0.4, 0, 2))
    equal(told('few', '--from', '150ns', '--to', '250ns'), (1.5, 1, 2))
    equal(told('few', '--processes', 'p2'), (0.1, 0, 1))
    contains(refuse('export', 'few', '--view', 'messages', '-o', 'out.svg', '--from', '500ns'), 'no message')


@test
def what_is_no_message_is_not_counted():
    """A message to oneself, one that nobody receives, one that is only probed for, and a broadcast."""
    write('none', {'p0': '0 10 send 0>0 0 bytes=8\n20 30 recv 0>0 0 bytes=8\n40 50 send 0>1 0 bytes=8\n'
                         '60 70 bcast world 1\n',
                   'p1': '0 55 probe 0>1 0\n60 90 bcast world 1\n'})
    contains(refuse('export', 'none', '--view', 'messages', '-o', 'out.svg'), 'no message went')


@test
def random_messages_are_counted():
    """Sent in each way and received in each way, in any order of channels; of all processes and of one, of parts."""
    numbers, compared = random.Random(7), 0
    for trial in range(12):
        n = numbers.randint(2, 5)
        lines, now, sent, messages = {p: [] for p in range(n)}, [0] * n, [], []
        for number in range(numbers.randint(1, 120)):
            source, target = numbers.sample(range(n), 2)
            begin = now[source] + numbers.randint(1, 500)
            now[source] = begin + numbers.randint(0, 30)
            how = numbers.choice(('send', 'isend'))
            lines[source].append(f'{begin} {now[source]} {how} c{number} 0 bytes=8')
            sent.append((number, source, target, begin, how))
            if numbers.random() < 0.3 or number < 2:
                for which, sender, receiver, first, way in sent:
                    end = max(now[receiver] + numbers.randint(1, 300), first + numbers.randint(1, 600))
                    operation = numbers.choice(('recv', 'complete'))
                    if operation == 'complete':
                        lines[receiver].append(f'{now[receiver]} {now[receiver]} irecv c{which} 0')
                    lines[receiver].append(f'{now[receiver]} {end} {operation} c{which} 0 bytes=8')
                    now[receiver] = end
                    messages.append((sender, receiver, first, end))
                    if way == 'isend':
                        now[sender] = max(now[sender] + 5, end)
                        lines[sender].append(f'{now[sender]} {now[sender]} complete c{which} 0')
                sent.clear()
        write(f'random-{trial}', {f'p{p}': '\n'.join(lines[p]) + '\n' for p in range(n) if lines[p]})
        end = max(now)
        for first, last in (0, end), sorted(numbers.sample(range(end), 2)):
            for chosen in range(n), [numbers.randrange(n)]:
                expected = [(begin, over) for sender, receiver, begin, over in messages
                            if sender in chosen or receiver in chosen]
                options = ['--from', f'{first}ns', '--to', f'{last}ns', '--processes',
                           ','.join(f'p{p}' for p in chosen if lines[p])]
                if not any(begin < last and over > first for begin, over in expected):
                    continue
                compared += 1
                found, wanted = told(f'random-{trial}', *options), count(expected, first, last)
                equal(found[1:], wanted[1:], f'least and most in {trial} of {options}')
                equal(abs(found[0] - wanted[0]) < 0.011, True, f'average {found[0]}, {wanted[0]} of {options}')
    equal(compared > 30, True, f'{compared} comparisons are enough')


if __name__ == '__main__':
    main()

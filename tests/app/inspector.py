#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is told of an event, and what leads to events, in a real window. inspector.py [TEST...] runs only those."""
import json
import re
import sqlite3
import subprocess

from browse import EXAMPLES, about, described, equal, gauss, holds, label_beside, open_trace, record
from window import LIGHTCONE, lightcone, run, wait_for

# Of "tag 3": before it 3 events, after it 3, and 2 of which nobody can say whether they are before or after it.
SMALL = {
    'a': '0 10 tag value=1\n20 30 advance X 1\n100 110 tag value=2\n',
    'b': '15 40 await X 1\n50 60 tag value=3\n70 80 advance Y 1\n',
    'c': '5 9 tag value=4\n75 90 await Y 1\n95 99 tag value=5\n',
}


def write(folder, processes=None):
    trace = folder / 'small'
    trace.mkdir()
    for name, events in (processes or SMALL).items():
        (trace / f'{name}.events').write_text('%lightcone-events 1\n' + events)
    return trace


def ask(trace, sql):
    return json.loads(lightcone('sql', '--json', trace, sql))


def tab(browser, name):
    browser.click(browser.find(name, 'page tab'))


def select(browser, query):
    """The first event that a search finds."""
    browser.press('ctrl+f', 'ctrl+a')
    browser.type(query)
    before = described(browser)
    browser.press('Return')
    wait_for(lambda: described(browser) not in ('', before), f'{query} selected')
    browser.press('Escape')
    return described(browser)


def rows(browser, pattern):
    """What stands in lists and links, of what matches."""
    return [node.get_name() for node in browser.nodes(name=re.compile(pattern))]


# --- The inspector

def the_side_stays_as_wide(display, start, folder):
    """whatever is selected, the diagram beside the inspector stays as wide as it was"""
    browser = open_trace(display, start, gauss(folder))
    wide = browser.box(browser.diagram)
    for step in range(12):
        browser.press(('n', 'j', 'l', 'period')[step % 4])
        equal(browser.box(browser.diagram), wide, f'where the diagram is, with {described(browser)!r}')


def tells_whom_it_waited_for(display, start, folder):
    """who waited has a link to what it waited for; Alt-Left and Alt-Right go back there and on again"""
    browser = open_trace(display, start, write(folder))
    first = select(browser, 'await Y')
    link = browser.find(re.compile('^advance Y #1, its end, on b at 80'), 'push button')
    holds(browser.look_for(re.compile('^It waited 5 ns, for:')), 'how long it waited: 80 - 75')
    browser.click(link)
    second = wait_for(lambda: described(browser) not in ('', first) and described(browser), 'what it waited for')
    holds('advance Y' in second, second)
    browser.press('alt+Left')
    wait_for(lambda: described(browser) == first, 'back')
    browser.press('alt+Right')
    wait_for(lambda: described(browser) == second, 'on again')
    browser.click(browser.find('The event that was selected before', 'push button'))
    wait_for(lambda: described(browser) == first, 'back by the button')
    display.save('inspector')


def tells_the_states_of_the_whole_run(display, start, folder):
    """while nothing is selected it tells for how long processes were in each state, in all and in percent"""
    browser = open_trace(display, start, write(folder))

    def facts():
        names = [node.get_name().strip() for node in browser.nodes(role='label')]
        told = names[names.index('The whole run') + 1:] if 'The whole run' in names else []
        return dict(zip(told[::2], told[1::2]))
    wait_for(lambda: 'Running' in facts(), 'what is told of the whole run')
    states = {name: value for name, value in facts().items()
              if name in ('Running', 'Waiting', 'Woken', 'Preempted', 'Outside')}
    equal(states, {'Running': '229 ns, 85.1 %', 'Waiting': '20 ns, 7.4 %', 'Woken': '20 ns, 7.4 %'}, 'the states')


def copies_as_text(display, start, folder):
    """all of it can be copied as text"""
    browser = open_trace(display, start, write(folder))
    select(browser, 'await X')
    browser.click(browser.find('Copy all of this as text', 'push button'))
    browser.press('ctrl+f', 'ctrl+a', 'ctrl+v')
    entry = wait_for(lambda: next((node for node in browser.nodes(role='entry') if 'await X' in text_of(node)), None),
                     'it in the search entry')
    copied = text_of(entry)
    for part in ('await X #1', 'Begin\t15 ns', 'End\t40 ns', 'It waited 15 ns, for:', 'advance X #1',
                 'Before it', 'After it', 'tag'):
        holds(part in copied, f'{part!r} in {copied!r}')


def times_have_the_digits_of_the_run(display, start, folder):
    """a time is told with the digits that its event or the run needs, and copied to the nanosecond"""
    browser = open_trace(display, start, write(folder, {
        'a': '0 10 tag value=1\n2198123456 2998123556 advance X 1\n',
        'b': '15 2998123999 await X 1\n3000000000 3000000001 tag value=2\n'}))
    select(browser, 'advance X')
    wait_for(lambda: label_beside(browser, 'Begin') == '2.1981 s', 'a begin of 2.1981 s')
    browser.find(re.compile(', at 0 ns'))
    browser.click(browser.find('Copy all of this as text', 'push button'))
    browser.press('ctrl+f', 'ctrl+a', 'ctrl+v')
    wait_for(lambda: any('Begin\t2,198,123,456 ns' in text_of(node) for node in browser.nodes(role='entry')),
             'nanoseconds in what was copied')
    browser.press('Escape')
    browser.click(browser.find('Longest waits', 'page tab'))
    browser.find(re.compile('b at 15 ns, for a'))


def text_of(node):
    return node.get_text() or ''


def lists_all_members(display, start, folder):
    """those who met at a barrier of 64 are listed: some at once, all of them in a window, each a link"""
    trace = record(folder, 'barrier-loop', '--processes', '64', '--rounds', '3')
    key = ask(trace, "select process, ordinal, sequence from event where operation = 'barrier' order by sequence "
                     "limit 1")[0]
    n = ask(trace, f"select count (*) as n from event where operation = 'barrier' and sequence = {key['sequence']}")
    equal(n[0]['n'], 64, 'members')
    browser = open_trace(display, start, trace)
    select(browser, 'barrier')
    more = browser.find(re.compile('^14 more'), 'push button')
    browser.do(more)
    window = wait_for(lambda: next((frame for frame in browser.nodes(name='Events of the same number')
                                    if frame.get_role_name() in ('frame', 'dialog')), None), 'a window of all')
    display.save('members')
    members = [node for node in browser.nodes(window, name=re.compile('barrier at'))]
    holds(len(members) > 10, f'{len(members)} rows')
    before = described(browser)
    # One of them is what is selected: then the next one.
    wait_for(lambda: described(browser) not in ('', before) or browser.press('Down', 'Return'), 'another of them')
    browser.press('Escape')
    wait_for(lambda: not [frame for frame in browser.nodes(name='Events of the same number')
                          if frame.get_role_name() in ('frame', 'dialog')], 'the window closed by Escape')


# Two ranks: a message that anyone might have sent, and what both do together.
RANKS = {
    'rank 0': '10 20 send 0>1:7@world.1 0 bytes=4096\n30 35 send 0>1:8 0 bytes=16\n60 90 all-reduce world 0 value=2\n',
    'rank 1': '5 40 recv 0>1:7@world.1 0 bytes=4096 blind=1\n45 50 recv 0>1:8 0 bytes=16\n'
              '70 95 all-reduce world 0 value=2\n',
}


def ranks(folder):
    """Text has no ranks: they are put into the history that is made of it."""
    trace = write(folder, RANKS)
    lightcone('merge', trace)
    database = sqlite3.connect(trace / 'history.lightcone')
    database.execute('UPDATE process SET rank = id')
    database.commit()
    database.close()
    return trace


def tells_of_messages(display, start, folder):
    """with whom a rank has to do, which message, and how large it is; of what all do, how many; and it is found so"""
    browser = open_trace(display, start, ranks(folder))
    for query, said in (('send bytes>1k', {'To': 'rank 1', 'Tag': '7', 'Communicator': 'world.1', 'Size': '4.00 KiB'}),
                        ('from rank 0 recv bytes>1k', {'From': 'rank 0', 'Tag': '7', 'Receives': 'from anyone'}),
                        ('to:1 size<20 rank 0', {'To': 'rank 1', 'Tag': '8', 'Size': '16 bytes'}),
                        ('all-reduce rank 1', {'Members': '2'})):
        select(browser, query)
        for name, value in said.items():
            wait_for(lambda: label_beside(browser, name) == value, f'{query}: {name} {value}')
        display.save('message')
    holds(not label_beside(browser, 'Value'), 'the number of members is no value')


# --- Before, after, concurrent

def counts_cones(display, start, folder):
    """the past and the future of an event, and what is concurrent with it: their numbers"""
    browser = open_trace(display, start, write(folder))
    select(browser, 'advance Y')
    browser.press('comma')
    wait_for(lambda: 'tag' in described(browser), 'tag 3')
    for key, text in (('p', '3 events in its past'), ('f', '3 events in its future'),
                      ('b', '3 events in its past, 3 in its future, 2 concurrent with it')):
        browser.press(key)
        browser.find(text, 'label')
        display.save(f'cone-{key}')
    holds(browser.look_for(re.compile('^highlighted: past and future of b, event 1')), 'said above the diagram')
    browser.press('b')
    wait_for(lambda: not browser.look_for(re.compile('in its past')), 'the same key takes it away')


def relates_to_the_pinned(display, start, folder):
    """a pinned event is compared with those that are selected after it"""
    browser = open_trace(display, start, write(folder))
    select(browser, 'advance Y')
    browser.press('comma')
    wait_for(lambda: 'tag' in described(browser), 'tag 3')
    browser.click(browser.find(re.compile('^Pin this event'), 'push button'))
    select(browser, 'await Y')
    browser.find(re.compile('^The pinned event came before this one'))
    browser.find(re.compile('^25 ns from begin to begin, 15 ns from the end of the first'))
    browser.click(browser.find(re.compile('^tag, .*next on its process, at 95'), 'push button'))
    browser.find(re.compile('^45 ns from begin to begin, 35 ns from the end of the first'))
    select(browser, 'advance X')
    browser.find(re.compile('^The pinned event came after this one'))
    browser.click(browser.find(re.compile('^tag, .*next on its process, at 100'), 'push button'))
    browser.find(re.compile('^They are concurrent'))
    display.save('relation')


# --- Lists that lead to events

def leads_along_the_path(display, start, folder):
    """the critical path: keys step along it, a click into its bar goes there, shares lead to their longest part"""
    trace = gauss(folder)
    path = json.loads(lightcone('critical-path', '--json', trace))
    browser = open_trace(display, start, trace)
    tab(browser, 'Critical path')
    wait_for(lambda: label_beside(browser, 'Changes of process') == f'{path["hops"]:,}', 'the path')
    browser.press('bracketright')
    stays = browser.find(re.compile('^Stay 1 of '))
    n = stays.get_name().rsplit(' ', 1)[1]
    browser.press('bracketright')
    browser.find(f'Stay 2 of {n}')
    browser.press('bracketleft')
    browser.find(f'Stay 1 of {n}')
    bar = browser.find('The critical path in the order of time')
    x, y, width, height = browser.box(bar)
    browser.click((x + width - 1, y + height // 2))
    browser.find(f'Stay {n} of {n}')
    browser.press('Left')
    browser.find(f'Stay {int(n.replace(",", "")) - 1:,} of {n}')
    display.save('path')
    before = described(browser)
    # Not of a process whose longest part may be what is selected, nor of the master, where it may be before all events.
    name = next(share['name'] for share in path['process']
                if share['time'] > 0 and share['name'] not in before and share['name'] != 'master')
    browser.click(browser.find(re.compile(f'^{re.escape(name)}, .*%'), 'panel'))
    wait_for(lambda: described(browser) not in ('', before), f'the longest part of the path on {name}')


def leads_to_waits(display, start, folder):
    """the longest waits: as the history has them, each leads to its event; what is hidden is not among them"""
    trace = gauss(folder)
    longest = ask(trace, "select process, ordinal, operation, waited from event where operation <> 'join' "
                         'order by waited desc limit 1')[0]
    names = {row['id']: row['name'] for row in ask(trace, 'select id, name from process')}
    n = ask(trace, "select count (*) as n from event where waited > 0 and operation <> 'join'")[0]['n']
    browser = open_trace(display, start, trace)
    tab(browser, 'Longest waits')
    first = browser.find(re.compile(f'^{longest["operation"]}.*{names[longest["process"]]} at'), 'panel')
    browser.find(f'{n} wait' + 's' * (n != 1) + ', without joins of threads', 'label')
    browser.click(first)
    wait_for(lambda: names[longest['process']] in described(browser), 'the event that waited longest')
    display.save('waits')
    browser.press('ctrl+h')
    wait_for(lambda: not browser.look_for(re.compile(f'{names[longest["process"]]} at'), 'panel'),
             'no wait of a process that is hidden')
    browser.press('ctrl+u')
    browser.find(re.compile(f'{names[longest["process"]]} at'), 'panel')
    whole = len(rows(browser, ' at .*, for '))
    # The plots have such a button too, which says of what.
    browser.click(browser.find('In view', 'push button', re.compile('^(?!Of the)')))
    browser.click(browser.place_of_nothing())
    browser.press('plus', 'plus', 'plus', 'plus', 'plus', 'plus', 'plus', 'plus')
    wait_for(lambda: len(rows(browser, ' at .*, for ')) < whole, f'fewer than {whole} in view')


# The last one waits for the second, which was the first's turn to wait for the one that held it nearly all the time.
CONVOY = {
    'first': '0 10 lock m 1\n900 910 unlock m 1\n',
    'last': '30 960 lock m 3\n980 990 unlock m 3\n',
    'second': '20 920 lock m 2\n950 960 unlock m 2\n',
}


def tells_who_held_meanwhile(display, start, folder):
    """single waits, and groups of them, tell who held the object: for nearly all of the time not whom they were for"""
    browser = open_trace(display, start, write(folder, CONVOY))
    wide = browser.box(browser.diagram)
    tab(browser, 'Longest waits')
    browser.find(re.compile(r'^lock m.*last at .*, for second, held by first \(94 %\)'), 'panel')
    browser.find(re.compile(r'^lock m.*second at .*, for first, held by first \(99 %\)'), 'panel')
    browser.click(browser.find(describe=re.compile('^Group waits by'), role='combo box'))
    browser.press('End', 'Up', 'Up', 'Return')
    browser.find(re.compile('^first, .*2 waits, up to 880'), 'panel')
    browser.find(re.compile('^second, .*1 wait of 30'), 'panel')
    display.save('held')
    equal(browser.box(browser.diagram), wide, 'where the diagram is')


# second waits from 110 on: until 310 for the end of S, for third, and then for first, which begins T at 350.
REGIONS = {
    'first': '0 0 fork S 0\n210 310 team-join S 0 value=3\n350 350 fork T 0\n490 500 team-join T 0 value=3\n',
    'second': '0 5 team-start S 0\n110 110 team-end S 0\n110 350 team-start T 0\n480 480 team-end T 0\n',
    'third': '0 5 team-start S 0\n310 310 team-end S 0\n310 350 team-start T 0\n480 480 team-end T 0\n',
}


def tells_which_regions_end_was_waited_for(display, start, folder):
    """a wait for the next region that was for the end of the one before says so, and for whom"""
    browser = open_trace(display, start, write(folder, REGIONS))
    tab(browser, 'Longest waits')
    browser.find(re.compile(r'^team-start T.*second at .*, for third, until the end of S \(83 %\)'), 'panel')
    browser.find(re.compile(r'^team-start T.*third at .*, for first$'), 'panel')


def opens_groups_of_waits(display, start, folder):
    """below a group of waits are its longest ones, each with the part that is of it; the inspector says the same"""
    browser = open_trace(display, start, write(folder, CONVOY))
    tab(browser, 'Longest waits')
    browser.click(browser.find(describe=re.compile('^Group waits by'), role='combo box'))
    browser.press('End', 'Up', 'Up', 'Return')
    browser.find(re.compile('^first, .*2 waits'), 'panel')
    holds(browser.look_for(re.compile('^lock m.*last at'), 'panel') is None, 'it is closed')
    browser.press('Tab', 'shift+Right')
    browser.find(re.compile('^lock m #2, 880 ns, second at .*, for first'), 'panel')
    browser.find(re.compile('^lock m #3, 870 ns, last at .*, for second, held by first'), 'panel')
    display.save('held-open')
    browser.press('Down', 'Down', 'Return')
    tab(browser, 'Inspector')
    browser.find('Held meanwhile by', 'label')
    texts = [node.get_name().strip() for node in browser.nodes(role='label')]
    at = texts.index('Held meanwhile by')
    equal(texts[at + 1:at + 5], ['first', '870 ns, 94 %', 'second', '30 ns, 3 %'], 'who held it')
    display.save('held-inspector')


# --- Bookmarks

def keeps_bookmarks(display, start, folder):
    """a bookmark is added, its note written, gone to, kept for the next time, and removed"""
    trace = write(folder)
    browser = open_trace(display, start, trace)
    browser.press('plus', 'plus', 'plus')
    event = select(browser, 'await Y')
    there = about(browser)
    browser.press('ctrl+d')
    tab(browser, 'Bookmarks')
    browser.click(browser.find('Edit the note', 'push button'))
    browser.type('look here')
    browser.press('Return')
    browser.find('look here', 'label')
    display.save('bookmarks')
    browser.click(browser.place_of_nothing())
    browser.press('0')
    wait_for(lambda: about(browser) != there, 'somewhere else')
    browser.click(browser.find('look here', 'label'))
    wait_for(lambda: about(browser) == there and described(browser) == event, f'{there}, {event}')
    browser.close()
    again = open_trace(display, start, trace)
    tab(again, 'Bookmarks')
    again.click(again.place_of_nothing())
    kept = again.find('look here', 'label')
    again.click(kept)
    wait_for(lambda: described(again) == event, 'the event of the bookmark that was kept')
    again.click(again.find('Remove this bookmark', 'push button'))
    wait_for(lambda: not again.look_for('look here', 'label'), 'removed')


def tells_that_the_path_ends_blocked(display, start, folder):
    """with the path that ends with who was blocked, the panel says what lightcone critical-path says"""
    trace = deadlocked(folder)
    said = re.search('^The path ends with .*$', lightcone('critical-path', trace), re.M).group(0)
    browser = open_trace(display, start, trace)
    tab(browser, 'Critical path')
    browser.find(said, 'label')
    display.save('blocked')


# --- Problems

def deadlocked(folder):
    """Philosophers who wait for each other for ever, until they are killed."""
    trace = folder / 'deadlock'
    dinner = subprocess.Popen([LIGHTCONE, 'record', '--no-calibrate', '-o', trace, '--', EXAMPLES / 'philosophers'],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    dinner.stdout.readline()
    wait_for(lambda: len(json.loads(subprocess.run([LIGHTCONE, 'check', '--json', trace], stdout=subprocess.PIPE,
                                                   check=False).stdout)['pending']) == 6, 'all of them waiting')
    dinner.terminate()
    dinner.wait()
    return trace


def leads_to_problems(display, start, folder):
    """a deadlock is told in a banner, and a click on it shows the whole run; the banner can be closed"""
    trace = deadlocked(folder)
    browser = open_trace(display, start, trace)
    banner = re.compile('^Deadlock: philosopher [1-5], philosopher [1-5] and 3 others')
    browser.find(banner, 'label')
    browser.press('plus', 'plus', 'plus')
    browser.click(browser.find(re.compile('Show'), 'push button'))
    wait_for(lambda: 'whole run' in about(browser) and described(browser), 'the whole run, from the banner')
    row = browser.find(re.compile('^Deadlock of 5 processes'), 'panel')
    wait_for(lambda: not browser.look_for(banner, 'label'), 'the banner has done what it is for')
    browser.settle()
    display.save('problems')
    browser.press('plus', 'plus', 'plus')
    browser.click(row)
    wait_for(lambda: 'whole run' in about(browser) and described(browser), 'the whole run')
    display.save('deadlock')
    browser.close()
    again = open_trace(display, start, trace)
    again.find(banner, 'label')
    again.do(again.find(re.compile('^Close'), 'push button', seconds=5))
    wait_for(lambda: not again.look_for(banner, 'label'), 'the banner gone')


def tells_what_check_tells(display, start, folder):
    """problems are told as `lightcone check` tells them, what is read before it is written too"""
    trace = write(folder, {'a': '0 10 await A 7\n20 21 read-start c 0\n25 26 read-end c 0\n',
                           'b': '0 5 advance A 6\n30 40 write-start c 1 value=1\n50 51 write-end c 1\n'})
    told = subprocess.run([LIGHTCONE, 'check', trace], stdout=subprocess.PIPE, text=True).stdout.splitlines()
    browser = open_trace(display, start, trace)
    tab(browser, 'Problems')
    for line in told:
        who, title, sentence = re.fullmatch(r'(?:note: )?(\w, event \d): (\S+ \w #\d), (.*)', line).groups()
        browser.find(re.compile(re.escape(title) + r'\W+' + re.escape(f'{who}: {sentence}')), 'panel')
    equal(len(told), 2, 'what is told')
    display.save('told')


TESTS = [the_side_stays_as_wide, tells_whom_it_waited_for,
         tells_the_states_of_the_whole_run, copies_as_text, times_have_the_digits_of_the_run, lists_all_members,
         tells_of_messages,
         counts_cones, relates_to_the_pinned, leads_along_the_path, tells_that_the_path_ends_blocked, leads_to_waits,
         tells_who_held_meanwhile, tells_which_regions_end_was_waited_for, opens_groups_of_waits,
         keeps_bookmarks, leads_to_problems, tells_what_check_tells]

if __name__ == '__main__':
    run(TESTS)

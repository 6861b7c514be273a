#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Goes through the tutorial in a real window, and writes it with its pictures: tutorial.py FOLDER PAGE.

Beside FOLDER, in browser, it leaves the picture of the manual. With --check it does each step and writes nothing (it
speaks TAP); --traces FOLDER leaves the traces there, to follow the tutorial with the same ones. Each step does what the
text tells the reader to do; what the text claims is asked of the window and of the history, and the numbers in it are
those of the run.
"""
import json
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from browse import label_beside
from pictures import write_png
from tutorial_reader import SIZE, Reader
from tutorial_runs import Traces, early_reads, rows_before, sql, worker_number
from window import Display, Failure, lightcone


def check(value, what):
    if not value:
        raise Failure(what)


# --- Find the broken broadcast

def look_at_rounds(reader, traces):
    reader.heading('Find the broken broadcast')
    reader.text('`right.trace` is a run as it should be. A master has made sixteen workers; row after row is finished '
                'by the worker that owns it, put into its output buffer, and read by all the others. Look at it first, '
                'to know what a round looks like.')
    reader.open(traces.right)
    reader.untick('mark', 'semaphore', 'thread')
    reader.logical()
    reader.zoom_to_layers(60)
    found = reader.search('write-start process:"worker 5" #7')
    check(found == 1, f'{found} events found')
    check('write-start' in reader.described() and 'number 7' in reader.described(), reader.described())
    reader.stop_search()
    reader.steps('Open the trace: `lightcone right.trace`, or **Open** (Ctrl+O) in the window.',
                 'On the left side choose **Filters**, and untick the classes mark, semaphore and thread. What is left '
                 'is the broadcast: write-start and write-end around filling a buffer, advance to tell that it is '
                 'full, await, read-start and read-end to copy it.',
                 'Press Ctrl+2 for logical time: now only the order of things counts, not how long they took.',
                 'Click into the diagram, so that it has the keyboard, and press + until some 60 layers are in view.',
                 'Press Ctrl+F, type `write-start process:"worker 5" #7`, and press Return: one event is found, the '
                 'seventh time that worker 5 fills its buffer. Escape closes the search.')
    reader.picture('rounds', 'Rounds of the triangulation in logical time')
    reader.text('Each round has the same shape: one worker fills its buffer, arcs fan out from it to all the others, '
                'who read it side by side. The round after it belongs to the next worker. The boxes in a paler colour '
                'are where the buffer is held. The selected event has a frame, and the inspector on the right tells '
                'all that is known of it.')


def look_at_wrong_rounds(reader, traces):
    reader.text('The other run, `wrong.trace`, ended with a wrong result. Open it, filter it in the same way, and go '
                'to where its rounds begin (Home).')
    reader.open(traces.wrong)
    reader.untick('mark', 'semaphore', 'thread')
    reader.logical()
    reader.zoom_to_layers(150)
    reader.browser.press('Home')
    reader.expect('layers 1–')
    reader.browser.settle()
    reader.picture('wrong-rounds', 'Rounds of the erroneous triangulation in logical time')
    reader.text(f'Most of it looks as it did, but one column does not: {early_reads(traces.wrong)[0]} has events where '
                'nobody else has any, earlier than the rounds that they belong to. The dashed arcs from it say what '
                'happened: a buffer was read there *before* its owner filled it, and the owner had to come after that '
                'reader, instead of the other way round. (Which worker it is differs from run to run.)')


def look_at_physical(reader, traces):
    who = early_reads(traces.wrong)[0]
    before, number = rows_before(traces.wrong, who), worker_number(who)
    check(before < number - 1, f'{who} is not early: {before} before it')
    query = f'write-start process:"{who}" #1'
    found = reader.search(query)
    check(found == 1, f'{found} events found')
    reader.stop_search()
    reader.browser.press('ctrl+1')
    reader.expect(' ms of ')
    reader.text(f'Is it early in time too? Search for `{query}`, the first row that {who} sends, and press Ctrl+1 for '
                f'physical time. The selection stays where it is; zoom with Ctrl and the wheel. Rows are to be sent in '
                f'order, so {who} has {count(number - 1)} before it. Here {count(before)} had been sent when it sent '
                f'its own: it cannot have had all the rows that its own depends on.')
    reader.browser.settle()
    reader.picture('wrong-physical', f'The first row of {who} in physical time')


def count(number):
    words = 'none no two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen'.split()
    words[1] = 'one'
    return words[number] if number < len(words) else f'{number:,}'


def find_early_reads(reader, traces):
    who, number = early_reads(traces.wrong)
    reader.panel('Problems')
    heading = re.compile(f'^0 problems, {number} notes')
    reader.until(lambda: reader.browser.look_for(heading, 'label'), 'the notes')
    row = reader.browser.find(re.compile('^read-start output of worker [0-9]+ #0'), 'label')
    owner = re.search('worker [0-9]+', row.get_name())[0]
    reader.browser.click(row)
    reader.until(lambda: 'read-start' in reader.described() and who in reader.described(), 'the early read')
    reader.text(f'What did it read? Choose **Problems** on the right side. Nothing in this trace is damaged, but there '
                f'are {number} notes: all of them say that {who} read a buffer before it was filled. Click on the '
                f'first, of what {owner} was to fill: the diagram goes to it.')
    reader.panel('Inspector')
    reader.browser.find(f'read-start output of {owner} #0', 'label')
    reader.browser.press('ctrl+j', 'ctrl+2')
    reader.expect('layers')
    reader.zoom_out_to_layers(100)
    reader.picture('early-read', f'All that touches the output buffer of {owner}')
    reader.text(f'The inspector shows it as `read-start output of {owner} #0`. The number is the version of what was '
                f'read: 0 is what was there before anyone wrote. Press Ctrl+J to see only what touches this object, '
                f'Ctrl+2 again, and turn the wheel with Ctrl until some 100 layers are in view: {who} reads first, '
                f'then {owner} writes version 1, and then all the others read that. In the inspector the event before '
                f'it is an `await output of {owner} #0`: {who} asked whether the buffer was full, and went on although '
                f'it was not. The test that it makes is the error.',
                'This is how the error of the paper was found, too: the program is the same, and so is the variant '
                'that polls wrongly. What differs is that here the buffers that were read too early are listed. '
                '`lightcone check wrong.trace` prints the same list.')
    told = lightcone('check', traces.wrong)
    check(told.count('before it is first filled') == number, told)


# --- Find the lost parallelism

def look_at_parallelism(reader, traces):
    found = json.loads(lightcone('stats', '--json', traces.slow, 'parallelism'))
    reader.heading('Find the lost parallelism')
    reader.text('`slow.trace` is right, but slower than 17 processes should be. How many of them ran at the same time? '
                'Open it, and pull the edge between the diagram and the plots up.')
    reader.open(traces.slow)
    reader.raise_plots(400)
    told = reader.plot('parallelism-histogram')
    check(f'{found["average"]:.2f} processes' in told, told)
    most = max(found['level'], key=lambda level: level['time'])
    running = 'none' if most['running'] == 0 else 'one' if most['running'] == 1 else f'{most["running"]}'
    reader.picture('histogram', 'Degrees of parallelism', reader.box_of_plots())
    reader.text(f'1. The list above the plots has all of them. Choose **Degrees of parallelism**: for how much of the '
                f'time exactly so many processes ran. On average it is {found["average"]:.1f} of 17, and what there '
                f'was most often is {running}, {most["percent"]:.0f} % of the time.')
    reader.plot('parallelism')
    reader.picture('parallelism', 'Parallelism over time', reader.box_of_plots())
    reader.text('2. When? Choose **Parallelism over time**: every change, as far as pixels go.')
    reader.plot('parallelism-average')
    reader.picture('average', 'Parallelism averaged over intervals', reader.box_of_plots())
    reader.text('3. Where it changes quickly only an average can be read. Choose **Average parallelism**: much of what '
                'looked like falls to a few processes was so short that the average hardly sees it, and the sequential '
                f'parts at both ends are marked. The machine of these runs has {os.cpu_count()} processors, and not '
                'even they are used: what is lost is lost whenever most of the workers wait for a row, or have it '
                'and are not yet running again.')


def look_at_startup(reader, traces):
    begin, end = (sql(traces.slow, query)[0]['t'] for query in (
        'SELECT min(begin) AS t FROM event',
        "SELECT \"end\" AS t FROM event WHERE operation = 'advance' ORDER BY \"end\" LIMIT 1 OFFSET 20"))
    whole = sql(traces.slow, 'SELECT max("end") AS t FROM event')[0]['t'] - begin
    go = sql(traces.slow, "SELECT count(*) AS n FROM event WHERE operation = 'wait' AND waited > 0")[0]['n']
    check(go >= 16, f'{go} waits for the master')
    reader.raise_plots(190)
    x, y, width, height = reader.browser.box(reader.browser.diagram)
    share = max(0.06, (end - begin) / whole)
    reader.browser.drag((x + width // 2, y + 1), (x + width // 2, y + height * share), keys=['shift'])
    reader.until(lambda: 'whole run' not in reader.about(), 'the beginning in view')
    reader.browser.settle()
    reader.picture('startup', 'The start of the run')
    reader.text(f'4. What happens at the start? In the diagram hold Shift and drag a band over its first '
                f'{100 * share:.0f} %. The master, in the first column, makes one worker after the other. Those that '
                f'are there already wait (hatched) until all are, and the master lets them go with the semaphore `go`.')
    reader.browser.press('0')
    reader.expect('whole run')
    reader.panel('Longest waits')
    worst = sql(traces.slow, 'SELECT p.name AS name, e.operation AS o FROM event e JOIN process p ON p.id = e.process '
                             'ORDER BY waited DESC LIMIT 1')[0]
    reader.browser.find(re.compile(f'^{worst["o"]} '), 'label')
    reader.text(f'5. Press 0 for the whole run. **Longest waits** on the right side lists what was waited for longest; '
                f'the first of them is a {worst["o"]} of {worst["name"]}. A click leads to each.')
    reader.browser.click(reader.browser.place_of_nothing())
    reader.browser.press('c')
    reader.until(lambda: reader.browser.look_for(re.compile('critical path')), 'the critical path')
    reader.panel('Critical path')
    path = json.loads(lightcone('critical-path', '--json', traces.slow))
    reader.browser.find(f'{path["hops"]:,}', 'label')
    reader.picture('path', 'The critical path')
    reader.text(f'6. Press c. The critical path is what the length of the run depends on: it changes its process '
                f'{path["hops"]:,} times, from row to row. **Critical path** on the right side tells who and what has '
                f'which share of it; [ and ] go along it.')


# --- Find the line

def look_at_places(reader, traces):
    waits = json.loads(lightcone('stats', traces.slow, 'blame', '--by', 'function', '--json'))['blame']
    pairs = {}
    for row in waits:
        pair = (row['waiter'], row['blamed'])
        pairs[pair] = pairs.get(pair, 0) + row['time']
    # That main waits for the end of its workers says nothing; on a busy machine it is the longest.
    (waiter, blamed), time = max((item for item in pairs.items() if item[0][0] != 'run_workers'),
                                 key=lambda item: item[1])
    check((waiter, blamed) == ('receive', 'broadcast'), f'{waiter} waits for {blamed}')
    share = 100 * time / sum(pairs.values())
    reader.heading('Find the line')
    reader.text('Workers, buffers and rounds are what the program is about; what is to be changed is a line of it. The '
                'recorder notes where the program called each operation, and, of what waited, the whole stack.')
    reader.open(traces.slow)
    reader.raise_plots(330)
    told = reader.plot('flame')
    check(re.search(r'^.*Waiting: .* in all', told), told)
    reader.text('1. Choose the plot **Flame graph of waiting**. All the waiting is as wide as the plot. On it stand '
                'the functions that threads began with, and on each those that it called, as wide as they waited; '
                'then, hatched, what was waited for; and then, with lines across, who made them wait.')
    x, y, width, _ = reader.box_of_plots()
    reader.browser.click((x + width // 2, y + 45))  # above all frames
    reader.browser.press('Up', 'Up')
    line = reader.until(lambda: reader.browser.look_for(re.compile(r'gauss\.c:\d+ .* waited'), 'label'), 'a frame')
    thread = re.match(r'(\w+)\(\) gauss', line.get_name())[1]
    reader.picture('flame', 'The stacks that waited, and those that made them wait', reader.box_of_plots())
    reader.text(f'2. Click above the frames, so that the plot has the keyboard, and press Up twice: the frame of '
                f'`{thread}()` is selected, and below the plot stands how long was waited in it. Further up is '
                f'`{waiter}()`, where a worker waits for a row, and on top `{blamed}()`, where another one says that '
                f'it is there: this one pair of lines is {share:.0f} % of all waiting. The locks of the buffers are '
                f'hardly to be seen.')
    reader.panel('Places in the source')
    reader.browser.find(re.compile(f'^{waiter}\\(\\) gauss'), 'label')
    reader.text('3. **Places in the source** on the right side has the same as a list; a click on one leads to its '
                'longest wait. There the inspector shows the lines of the file around the call, the stack, and the '
                'same of what ended the wait.')


# --- Find the contention

def look_at_communication(reader, traces):
    reader.heading('Find the contention')
    reader.text('What would the program do with a processor for each worker? `crowded.trace` is of 36 workers on a '
                'virtual multiprocessor, where copies that go on at the same time slow each other down, as on the '
                'machine of the paper. (On a machine with fewer processors workers wait for those, and that hides '
                'everything else.)')
    reader.open(traces.crowded)
    reader.raise_plots(400)
    told = reader.plot('communication')
    reader.picture('communication', 'Communication and computing', reader.box_of_plots())
    order = sql(traces.crowded, 'SELECT p.name AS name FROM event e JOIN process p ON p.id = e.process GROUP BY 1 '
                                'ORDER BY sum(e.waited)')
    share = re.search(r'([\d.]+ %) of their time', told)
    check(share, told)
    reader.text(f'1. Choose the plot **Communication and computing**: {share[1]} of all the time is communication. '
                f'{order[-1]["name"]} waits longest, {order[0]["name"]} shortest; what one waits less another copies '
                f'more.')


def look_at_phases(reader, traces):
    reader.browser.press('ctrl+3')
    phases = reader.expect(r'phases 0–([\d,]+)')[1]
    entry = reader.browser.find('Find processes', 'entry')
    reader.browser.click(entry)
    reader.browser.type('p18')
    reader.until(lambda: not reader.browser.look_for('Show p17'), 'p18 alone in the list')
    reader.browser.click(reader.browser.find(re.compile('Show only these'), 'push button'))
    reader.until(lambda: '1 of 36' in reader.about(), f'one process: {reader.about()}')
    reader.plot('phases')
    reader.picture('per-round', 'Communication per phase, of p18', reader.box_of_plots())
    reader.text(f'2. Press Ctrl+3 for phase time. The program sets a tag where a round begins, so a phase is a round: '
                f'there are {int(phases.replace(",", "")) + 1}. (The button beside **Phase** chooses what else may '
                f'begin one.)',
                '3. Type `p18` above the list of processes, press **Show only these**, and choose the plot '
                '**Communication per phase**. Waiting has a cycle of 36 rounds: it grows from when p18 has sent a row '
                'of its own, until all others have sent theirs. Copying takes as long in the last rounds as in the '
                'first, although less and less of a row is needed: whole rows are copied.')
    reader.browser.press('ctrl+u')
    reader.until(lambda: '36 processes' in reader.about(), 'all processes')
    told = reader.plot('phase-map')
    worst = re.search(r'at most ([^:]+): of (p\d+) in phase (\d+)', told)
    check(worst, told)
    reader.picture('map', 'Transfer of all processes in all phases', reader.box_of_plots())
    reader.text(f'4. Press Ctrl+U to have all processes again, and choose **Processes and phases**: how long each copy '
                f'took, the longer the darker. It gets darker from left to right within each cycle, and lighter where '
                f'a new one begins: contention builds up. Who has sent its row has one row less to compute, gets '
                f'ahead, and copies at the same time as the others. The worst is {worst[1]}, of {worst[2]} in phase '
                f'{worst[3]}. A click on a place selects the event in the diagram.')


# --- Stop where it went wrong

ENTRY = 'buffer->entries[size - 1]'


def stop_at_early_read(reader, traces):
    who, _ = early_reads(traces.wrong)
    reader.heading('Stop where it went wrong')
    reader.text('`wrong.trace` tells what went wrong, and where. What did the program have in its hands there? If it '
                'is run again, it does not go wrong in the same way, but a replay does: it runs the program in the '
                'order that was recorded.')
    reader.open(traces.wrong)
    reader.panel('Problems')
    row = reader.browser.find(re.compile('^read-start output of worker [0-9]+ #0'), 'label')
    owner = re.search('worker [0-9]+', row.get_name())[0]
    reader.browser.click(row)
    reader.until(lambda: 'read-start' in reader.described() and who in reader.described(), 'the early read')
    reader.panel('Inspector')
    reader.logical()
    reader.zoom_out_to_layers(60)
    reader.browser.press('s', 'g')
    reader.browser.find('This runs the recorded program again:')
    reader.browser.press('Return')
    stop = f'Stopped before {who}: read-start output of {owner} #0'
    reader.until(lambda: reader.browser.look_for(stop, 'label'), stop)
    reader.text('1. Open `wrong.trace` again, choose **Problems**, and click on the first note: the read of a row '
                'that was not yet there. Press Ctrl+2, and turn the wheel with Ctrl until some 60 layers are in view. '
                'Press s, which sets a breakpoint on it: the dot.',
                '2. Press g. The command that was recorded is shown, and run once you agree. It stops by itself: the '
                'worker stands before the read, and all others have done what is in the past of that, and no more: '
                'the green lines tell how far each of them is.')
    reader.browser.click(reader.browser.find('An expression of the program'))
    reader.browser.type(ENTRY)
    reader.browser.press('Return')
    reader.until(lambda: label_beside(reader.browser, ENTRY) == '0', 'nothing in the row')
    reader.picture('stopped', 'Stopped before a row is read that nobody has filled')
    reader.text(f'3. Type `{ENTRY}` into the field below **Values at each stop**: the last entry of the row that is '
                f'about to be copied. It is 0: nobody has filled that row. `print {ENTRY}` in the terminal says the '
                f'same, and all else that gdb can do can be done there.')
    fill_the_row(reader, owner)


def fill_the_row(reader, owner):
    reader.browser.click(reader.browser.place_of_nothing())
    found = reader.search(f'write-end "output of {owner}" #1')
    check(found == 1, f'{found} events found')
    reader.stop_search()
    reader.browser.click(reader.browser.find('To here', 'push button'))
    stop = f'Stopped before {owner}: write-end output of {owner} #1'
    reader.until(lambda: reader.browser.look_for(stop, 'label'), stop)
    reader.until(lambda: label_beside(reader.browser, ENTRY) not in ('0', None), 'a number in the row')
    reader.text('4. When is it filled? Search for `write-end`, the name of the buffer in quotes, and `#1`: there its '
                'owner has put its first row into it. Press **To here**: all go on until it is about to say so. In '
                'its function the same expression is of the same buffer, and it is no longer 0.')
    reader.browser.click(reader.browser.find('End', 'push button'))
    reader.until(lambda: reader.browser.look_for('Ended', 'label'), 'the end')
    reader.text('**End** ends gdb and the program. The breakpoint stays where it is, for the next time.')


# --- The picture of the manual

def show_all(reader, traces, folder):
    """Some rounds of a small run, with one that waited for its row."""
    reader.open(traces.small)
    for _ in range(8):
        reader.browser.press('plus')
    reader.search('await process:"worker 2" wait>1us')
    for _ in range(6):
        reader.browser.press('ctrl+g')
    reader.stop_search()
    reader.browser.move(SIZE[0] // 3, 8)
    reader.browser.settle()
    write_png(folder / 'overview.png', reader.display.pixels())
    reader.browser.close()


# --- The page

INTRODUCTION = '''
This is the case study of LeBlanc, Mellor-Crummey and Fowler, *Analyzing Parallel Program Executions Using Multiple
Views* (1990), done in the browser, step by step: the triangulation of a matrix by Gaussian elimination. Which view
shows what, [the manual](browser.md) tells in full; `docs/figures.md` has the same figures, made by the command line.'''

COMPILE = '''cc -g -O2 -D_GNU_SOURCE -o gauss /usr/local/share/lightcone/samples/gauss/*.c \\
  $(pkg-config --cflags --libs lightcone) -lm
export PATH=$PWD:$PATH'''

TRACES = '''lightcone record -o right.trace -- gauss --workers 16 --size 200
lightcone record -o wrong.trace -- gauss --workers 16 --size 200 --variant faulty --uneven 13:0.5
lightcone record -o slow.trace -- gauss --workers 16 --size 400'''


def begin(reader):
    reader.heading('Tutorial', 1)
    reader.text(INTRODUCTION)
    reader.heading('Four runs')
    reader.text('`gauss` is one of the [examples](examples.md); it is in `build/tests/examples`. With an installed '
                'Lightcone its source is there, in `share/lightcone/samples/gauss` below where that was installed:')
    reader.code(COMPILE)
    reader.text('Record three runs of it; your numbers will differ from those below.')
    reader.code(TRACES)
    reader.text('Without recording: shorter runs of the first two, of 128 rows, are the samples `right.trace` and '
                '`wrong.trace`, in `share/lightcone/samples` and on the first page of the browser. Which worker reads '
                'too early is another one there, and they cannot be replayed.')
    reader.text('The fourth, `crowded.trace`, is simulated. A shorter run of it, of 108 rows, is a sample as well: its '
                'numbers are others, and it has three cycles. `./dev tutorial --traces FOLDER` leaves all four in a '
                'folder. The pictures and the numbers here were made by `./dev tutorial`, which goes through every '
                'step in a real window.',
                'In the figures of the paper each process is a column, and time runs down; in the browser it runs to '
                'the right in a trace that is new. Choose **Down** in the preferences (Ctrl+,) before you begin, or '
                'press Ctrl+R when a trace was opened.')


def end(reader):
    reader.heading('What was used')
    reader.text('Three kinds of time: logical time to see the shape of the rounds, physical time to see who was early '
                'and what was lost, phase time to see what the rounds have in common. And one history for all of '
                'them: what was selected or filtered in one view was so in the next. The paper calls that multiple '
                'views.')


PARTS = [look_at_rounds, look_at_wrong_rounds, look_at_physical, find_early_reads, look_at_parallelism,
         look_at_startup, look_at_places, look_at_communication, look_at_phases]
# gdb in the window is not everywhere.
if os.environ.get('LIGHTCONE_HAVE_TERMINAL') and shutil.which('gdb'):
    PARTS.append(stop_at_early_read)


def go(reader, traces, report=lambda text: None):
    begin(reader)
    try:
        for number, part in enumerate(PARTS, 1):
            part(reader, traces)
            report(f'ok {number} {part.__name__.replace("_", " ")}')
        reader.browser.close()
    except Exception as error:
        report(f'not ok {number} {part.__name__.replace("_", " ")}\n# {type(error).__name__}: {error}')
        reader.display.save('tutorial-failed')
        reader.browser.kill()
        raise
    end(reader)


def try_all(display, traces):
    """Whether every step can be done."""
    try:
        go(Reader(display, None), traces, lambda text: print('# ' + text.replace('\n', '\n# '), flush=True))
        return True
    except Exception:
        return False


def main(arguments):
    if arguments[:1] == ['--traces']:
        Traces(Path(arguments[1]))
        return 0
    quick = arguments == ['--check']
    with tempfile.TemporaryDirectory() as folder:
        traces = Traces(Path(folder), quick)
        display = Display(*SIZE)
        try:
            if quick:
                good = try_all(display, traces)
                print(f'1..1\n{"" if good else "not "}ok 1 every step of the tutorial can be done', flush=True)
                return 0 if good else 1
            reader = Reader(display, Path(arguments[0]))
            go(reader, traces, lambda text: print(text, flush=True))
            Path(arguments[1]).write_text('\n\n'.join(reader.page) + '\n', encoding='utf-8')
            show_all(reader, traces, Path(arguments[0]).parent / 'browser')
        except Exception as error:
            print(f'{type(error).__name__}: {error}', file=sys.stderr)
            return 1
        finally:
            display.close()
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

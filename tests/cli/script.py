#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lightcone script: how scripts are given, how they end, and what stops them."""
import contextlib
import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import time

from cli import LIGHTCONE, PATIENCE, contains, equal, eventually, lightcone, main, test

DATA = os.environ['LIGHTCONE_TEST_DATA']
FOREVER = '(let loop () (loop))'


def copy_workers():
    shutil.copytree(os.path.join(DATA, 'workers.trace'), 'trace')


def write(name, text):
    os.makedirs(os.path.dirname(name) or '.', exist_ok=True)
    with open(name, 'w', encoding='utf-8') as file:
        file.write(text)


def script(*arguments, **options):
    """Runs a script with a home of its own."""
    environment = {**os.environ, 'XDG_DATA_HOME': os.path.abspath('data'), 'XDG_STATE_HOME': os.path.abspath('state')}
    return lightcone('script', *arguments, env=environment, **options)


def gives(arguments, output, **options):
    result = script(*arguments, **options)
    equal((result.returncode, result.stdout, result.stderr), (0, output, ''), f'script {arguments}')


def fails(arguments, message, **options):
    result = script(*arguments, **options)
    equal(result.returncode, 2, f'the status of {arguments} ({result.stdout} {result.stderr})')
    equal(result.stderr, f'lightcone: {message}\n', f'what {arguments} complains of')
    return result.stdout


@test
def expressions_files_and_standard_input_are_run():
    copy_workers()
    gives(['trace', '-e', '(history-event-count)', '-e', '"text"', '-e', '(values 1 2)', '-e', '(if #f #f)'],
          '65\n"text"\n1\n2\n')
    write('a.scm', '(define x 5)\n(write (cons x (command-line)))\n(newline)\n')
    gives(['trace', 'a.scm', '--', 'one', '-e', '--two'], '(5 "a.scm" "one" "-e" "--two")\n')
    gives(['trace', 'a.scm', '-e', 'x'], '(5 "a.scm")\n5\n')
    gives(['trace'], '3\n', input='(display (+ 1 2))\n\n(newline)')
    write('b.scm', '#!/usr/bin/env -S lightcone script\n(write (command-line))\n')
    gives(['b.scm', 'trace', 'x'], '("b.scm" "x")')


@test
def a_script_can_be_called_by_its_name():
    copy_workers()
    write('b.scm', '#!/usr/bin/env -S lightcone script\n(write (list (history-total) (command-line)))\n')
    os.chmod('b.scm', 0o755)
    os.mkdir('bin')
    os.symlink(LIGHTCONE, 'bin/lightcone')
    result = subprocess.run(['./b.scm', 'trace', 'y'], capture_output=True, text=True, check=False, timeout=PATIENCE,
                            env={**os.environ, 'PATH': os.path.abspath('bin') + ':' + os.environ['PATH']})
    equal((result.returncode, result.stdout, result.stderr), (0, '(29640 ("./b.scm" "y"))', ''), 'what it prints')


def converse(*requests):
    """What the console answers to each request, as lists of word and text."""
    process = subprocess.Popen([LIGHTCONE, 'script', '--console', '--time-limit', '8', 'trace'], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def receive():
        frames = []
        while not frames or frames[-1][0] in ('output', 'event', 'object', 'process'):
            word, length = process.stdout.readline().decode().split()
            frames.append((word, process.stdout.read(int(length)).decode()))
        return frames
    equal(receive(), [('done', '')], 'the start')
    answers = []
    for word, text in requests:
        process.stdin.write(f'{word} {len(text.encode())}\n{text}'.encode())
        process.stdin.flush()
        if word != 'view':
            answers.append(receive())
    complaints = process.communicate(timeout=PATIENCE)[1]
    equal((process.returncode, complaints), (0, b''), 'the end')
    return answers


@test
def the_console_answers_in_frames():
    copy_workers()
    answers = converse(('evaluate', '(display "one\ntwo") (+ 1 2)'), ('evaluate', '(car 1)'), ('evaluate', '(+ 1'),
                       ('complete', 'history-tot'), ('view', '0 1 5 10 1'),
                       ('evaluate', '(list selection visible-span (map process-id shown-processes))'),
                       ('evaluate', '(list 5 -1 (cons 0 99999999))'), ('evaluate', '(history-objects)'),
                       ('evaluate', FOREVER),
                       ('evaluate', '"ü"'), ('evaluate', '(read-char)'), ('evaluate', '(exit)'))
    equal(''.join(text for word, text in answers[0]), 'one\ntwo3\n', 'what is displayed, and the value')
    equal([word for word, text in answers[1]], ['failed'], 'an error')
    contains(answers[1][0][1], '(typed):1: In procedure car: Wrong type argument')
    equal(answers[2], [('incomplete', '')], 'a form that has not ended')
    equal(answers[3], [('names', 'history-total')], 'a completion')
    equal(answers[4], [('output', '('), ('event', '0 1\n(0 . 1)'), ('output', ' (5 . 10) (1))\n'), ('done', '')],
          'the view')
    equal(answers[5], [('output', '(5 -1 (0 . 99999999))\n'), ('done', '')], 'what is no event')
    equal(answers[6][1][0], 'object', 'a link to an object')
    equal(answers[7], [('stopped', 'it took longer than --time-limit allows')], 'what does not end')
    equal(answers[8], [('output', '"ü"\n'), ('done', '')], 'text that is not ASCII')
    equal(answers[9], [('output', '#<eof>\n'), ('done', '')], 'standard input, which is empty')
    equal(answers[10], [('exited', '')], 'the end')


@test
def it_ends_as_the_script_says():
    copy_workers()
    for expression, status in (('(exit 3)', 3), ('(exit)', 0), ('(exit #f)', 1)):
        result = script('trace', '-e', expression, '-e', '(display "not reached")')
        equal((result.returncode, result.stdout, result.stderr), (status, '', ''), expression)


@test
def errors_name_file_and_line():
    copy_workers()
    write('a.scm', '(define (f x)\n  (+ 1 (car x)))\n\n(define (g x)\n  (* 2 (f x)))\n(display "begun")\n(g 5)\n')
    output = fails(['trace', 'a.scm', '-e', '1'],
                   'a.scm:2: In procedure car: Wrong type argument in position 1 (expecting pair): 5')
    equal(output, 'begun', 'what it printed before')
    write('b.scm', '#!/usr/bin/env -S lightcone script\n;; nothing\n\n(if)\n')
    fails(['trace', 'b.scm'], 'b.scm:4: source expression failed to match any pattern in (if)')
    write('c.scm', '(display "one")\n(car (list 1)\n')
    equal(fails(['trace', 'c.scm'], 'c.scm:3:1: unexpected end of input while searching for: )'), 'one', 'before it')
    write('d.scm', '(define (find-it name)\n  (process name))\n\n(find-it "nobody")\n')
    fails(['trace', 'd.scm'], 'd.scm:4: trace/history.lightcone: there is no process "nobody"')
    fails(['trace', '-e', '(foo)'], '-e:1: Unbound variable: foo')
    fails(['trace', '-e', '(error "Bad:" 1 "x")'], '-e:1: Bad: 1 "x"')
    fails(['trace', '-e', '(throw (quote odd) 1)'], "-e:1: Throw to key `odd' with args `(1)'.")
    fails(['trace'], '(standard input):2: Unbound variable: nothing', input='(display "")\nnothing\n')
    contains(script('trace', 'none.scm').stderr, 'none.scm')
    write('e.scm', '(display "\\xff")\n')
    with open('f.scm', 'wb') as file:
        file.write(b'(display "\xff\xfe")\n')
    for name in ('e.scm', 'f.scm'):
        result = script('trace', name)
        assert result.returncode in (0, 2), (name, result)


@test
def usage_is_checked():
    copy_workers()
    for arguments, part in ((['trace', 'a.scm', 'more'], 'more'), ([], 'DIR'), (['nowhere', '-e', '1'], 'nowhere'),
                            (['trace', '--time-limit', '-1', '-e', '1'], '--time-limit')):
        result = script(*arguments)
        equal((result.returncode, result.stdout), (2, ''), arguments)
        contains(result.stderr, part)


@test
def limits_stop_what_does_not_end():
    copy_workers()
    limits = ['--time-limit', '1', '--memory-limit', '100']
    late = 'script: it took longer than --time-limit allows'
    large = 'script: it took more memory than --memory-limit allows'
    for expression in (FOREVER, f'(catch #t (lambda () {FOREVER}) (lambda _ #f))',
                       '(let again () (catch #t (lambda () (let l () (l))) (lambda _ #f)) (again))', '(sleep 100)',
                       '(fold-sql (lambda (r n) n) 0 "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) '
                       'SELECT n FROM r WHERE n < 0")'):
        begin = time.monotonic()
        fails(['trace', *limits, '-e', expression, '-e', '(display "not reached")'], late)
        assert time.monotonic() - begin < 30, f'{expression} took too long'
    for expression in ('(define all (list)) (let go () (set! all (cons (make-string 10000 #\\a) all)) (go))',
                       '(define all (list)) (let go () (catch #t (lambda () (set! all (cons (make-vector 9999) all)))'
                       ' (lambda _ #f)) (go))'):
        fails(['trace', '--time-limit', '50', '--memory-limit', '100', '-e', expression], large)
    result = script('trace', *limits, '-e', '(make-vector (expt 10 11))')
    equal((result.returncode, result.stdout), (2, ''), 'what is too large at once')
    contains(result.stderr, 'ut of memory')
    fails(['trace', '--memory-limit', '100', '-e', '(let f ((x 1)) (+ 1 (f x)))'],
          '-e:1: Stack overflow: a procedure calls itself without end')
    begin = time.monotonic()
    result = script('trace', *limits, '-e', '(expt 7 (expt 10 9))')
    equal(result.returncode, 2, 'the status of what does not react')
    contains(result.stderr, 'and was ended')
    assert time.monotonic() - begin < 30, 'it took too long to end'
    gives(['trace', *limits, '-e', '(length (events))'], '65\n')


def interrupt(expression, *more):
    """Runs an expression that prints when it has begun, and sends SIGINT."""
    begun = f'(begin (display "x") (force-output) {expression})'
    with subprocess.Popen([LIGHTCONE, 'script', 'trace', '-e', begun, *more],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        equal(process.stdout.read(1), 'x', 'its first output')
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE)
    return process.returncode, output, errors


@test
def ctrl_c_stops_scripts():
    copy_workers()
    for expression in (FOREVER, '(let again () (catch #t (lambda () (let l () (l))) (lambda _ #f)) (again))',
                       '(sleep 100)', '(sql "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n '
                       'FROM r WHERE n < 0")'):
        equal(interrupt(expression, '-e', '(display "not reached")'),
              (2, '', 'lightcone: script: interrupted\n'), expression)


@test
def scripts_of_the_user_are_loaded_and_those_of_a_trace_are_not():
    copy_workers()
    write('data/lightcone/scripts/b.scm', '(define (mine) (list 2 (base)))\n')
    write('data/lightcone/scripts/a.scm', '(define (base) 1)\n')
    write('data/lightcone/scripts/other.txt', '(exit 9)\n')
    write('trace/scripts/theirs.scm', '(define theirs 7)\n(display "theirs")\n')
    gives(['trace', '-e', '(mine)', '-e', '(defined? (quote theirs))'], '(2 1)\n#f\n')
    gives(['trace', '--trust-scripts', '-e', 'theirs'], 'theirs7\n')
    write('data/lightcone/scripts/aa.scm', '(display "x")\n(car 1)\n')
    result = script('trace', '-e', '(mine)')
    equal((result.returncode, result.stdout), (0, 'xtheirs(2 1)\n'),
          'a script that is broken, and the others, also what has been trusted')
    contains(result.stderr, 'aa.scm:2: In procedure car')


ANALYSES = """
(define-analysis (waits-of-locks)
  "How long each process has waited for locks."
  (map (lambda (p)
         (let ((waited (fold-events (lambda (e n) (+ n (event-waited e))) 0 #:process p #:operation 'lock)))
           `((process . ,p) (waited . ,waited) (share . ,(/ waited 1000)) (note . ,(and (> waited 2500) 'long)))))
       (history-processes)))
(define-analysis (nothing) '())
(define-analysis (uneven) '(((a . 1)) ((b . 2))))
(define-analysis (no-rows) 5)
(define-analysis (broken)
  (map (lambda (row)
         (car row))
       '(1)))
(define-analysis (spoken) '(((name . "a, \\"b\\"") (mixed . 1)) ((name . "c") (mixed . "x"))))
"""


def stats(*arguments):
    return lightcone('stats', *arguments, env={**os.environ, 'XDG_DATA_HOME': os.path.abspath('data')})


@test
def analyses_of_scripts_are_tables_of_stats():
    copy_workers()
    write('data/lightcone/scripts/mine.scm', ANALYSES)
    told = json.loads(stats('trace', 'waits-of-locks', '--json').stdout)
    equal((told['what'], told['timeline']), ('waits-of-locks', 'measured'), 'its head')
    waited = json.loads(lightcone('sql', '--json', 'trace', 'SELECT name, sum(waited) AS waited FROM event JOIN '
                                  "process ON process.id = process WHERE operation = 'lock' "
                                  'GROUP BY process ORDER BY process').stdout)
    equal([(row['process'], row['waited']) for row in told['rows']],
          [(row['name'], row['waited']) for row in waited], 'what it found')
    for row in told['rows']:
        equal((row['share'], row['note']), (row['waited'] / 1000, 'long' if row['waited'] > 2500 else None), 'the rest')
    result = stats('trace', 'waits-of-locks', '--format', 'csv')
    equal(result.stdout.splitlines()[0], 'process,waited,share,note', 'the first line of CSV')
    equal(len(result.stdout.splitlines()), 4, 'lines of CSV')
    result = stats('trace', 'waits-of-locks', '--limit', '1')
    equal((result.returncode, result.stderr), (0, ''), 'for people')
    for part in ('waits-of-locks, timeline measured', 'main', '... and 2 more'):
        contains(result.stdout, part)
    contains(stats('trace', 'nothing').stdout, 'It has found nothing.')
    equal(json.loads(stats('trace', 'nothing', '--json').stdout)['rows'], [], 'nothing, for programs')
    equal(stats('trace', 'spoken', '--format', 'csv').stdout, 'name,mixed\n"a, ""b""",1\nc,x\n', 'texts in CSV')
    lightcone('what-if', 'trace', '--scale', 'queue=0')
    other = json.loads(stats('trace', 'waits-of-locks', '--json', '--timeline', 'what-if').stdout)
    assert other['rows'] != told['rows'], 'it is the same on another timeline'


@test
def analyses_that_cannot_be_shown_are_told_of():
    copy_workers()
    write('data/lightcone/scripts/mine.scm', ANALYSES)
    for name, message in (('uneven', 'uneven: a row has the names b, and the first one a'),
                          ('no-rows', 'no-rows: an analysis gives a list of rows'), ('broken', 'mine.scm:13: In proc'),
                          ('unknown', '“unknown” is none of waiting, '), ('unknown', ', waits-of-locks, nothing, ')):
        result = stats('trace', name)
        equal((result.returncode, result.stdout), (2, ''), name)
        contains(result.stderr, message)
    result = stats('trace', 'waits-of-locks', '--by', 'site')
    contains(result.stderr, '--by goes with')
    write('trace/scripts/theirs.scm', "(define-analysis (theirs) '(((a . 1))))")
    contains(stats('trace', 'theirs').stderr, 'is none of')
    equal(stats('trace', 'theirs', '--trust-scripts', '--format', 'csv').stdout, 'a\n1\n', 'what is trusted')
    os.remove('data/lightcone/scripts/mine.scm')
    equal(stats('trace', 'theirs').returncode, 0, 'what has been trusted')
    write('trace/scripts/theirs.scm', "(define-analysis (theirs) '(((b . 1))))")
    contains(stats('trace', 'theirs').stderr, 'is none of')
    contains(stats('nowhere', 'theirs').stderr, 'nowhere')
    equal(stats('trace', 'waiting').returncode, 0, 'those of Lightcone are there all the same')


@test
def ctrl_c_stops_analyses():
    copy_workers()
    write('data/lightcone/scripts/mine.scm', '(define-analysis (endless) (display "x") (force-output)\n'
                                             '  (let loop () (loop)))')
    with subprocess.Popen([LIGHTCONE, 'stats', 'trace', 'endless'], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, env={**os.environ, 'XDG_DATA_HOME': os.path.abspath('data')}) as process:
        equal(process.stdout.read(1), 'x', 'its first output')
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE)
    equal((process.returncode, output, errors), (2, '', 'lightcone: script: interrupted\n'), 'its end')


# --- The shell -----------------------------------------------------------------------------------------------

class Shell:
    """lightcone script at a terminal."""

    def __init__(self):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ.update({'XDG_STATE_HOME': os.path.abspath('state'), 'XDG_DATA_HOME': os.path.abspath('data'),
                               'TERM': 'dumb'})
            os.execv(LIGHTCONE, [LIGHTCONE, 'script', 'trace'])
        self.text = ''

    def wait_for(self, pattern):
        """What is printed up to and with this."""
        end = time.monotonic() + PATIENCE
        while not re.search(pattern, self.text):
            assert time.monotonic() < end, f'{pattern!r} does not come: {self.text!r}'
            if select.select([self.terminal], [], [], 0.1)[0]:
                self.text += os.read(self.terminal, 4096).decode()
        at = re.search(pattern, self.text).end()
        before, self.text = self.text[:at], self.text[at:]
        return before

    def type(self, text):
        os.write(self.terminal, text.encode())

    def end(self, key=None):
        """Its status. A key that ends it may come before it listens, and so is typed until it has ended."""
        end, ended = time.monotonic() + PATIENCE, 0
        while not ended:
            assert time.monotonic() < end, 'it does not end'
            with contextlib.suppress(OSError):  # it has ended just now
                if key is not None:
                    self.type(key)
                if select.select([self.terminal], [], [], 0.5)[0]:
                    os.read(self.terminal, 4096)
            ended, status = os.waitpid(self.pid, os.WNOHANG)
        os.close(self.terminal)
        return os.waitstatus_to_exitcode(status)


@test
def the_shell_goes_on_after_errors_and_interrupts():
    copy_workers()
    write('trace/scripts/theirs.scm', '(exit 9)\n')
    shell = Shell()
    contains(shell.wait_for('lightcone> '), '--trust-scripts')
    shell.type('(+ 1\n')
    shell.wait_for(r'\.\.\.\.\.\.> ')
    shell.type('2)\n')
    shell.wait_for(r'\n3\r\n')
    shell.wait_for('lightcone> ')
    shell.type('(car 5)\n')
    shell.wait_for(r'lightcone: \(typed\):1: In procedure car')
    shell.wait_for('lightcone> ')
    shell.type('(begin (display "beg") (display "un\\n") (let loop () (loop)))\n')
    shell.wait_for('begun')
    shell.type('\x03')
    shell.wait_for('script: interrupted')
    shell.wait_for('lightcone> ')
    shell.type('(list 1 (')
    shell.wait_for(r'\(list 1 \(')
    shell.type('\x03')
    shell.wait_for('lightcone> ')
    shell.type('(history-event-co\t)\n')
    shell.wait_for(r'\n65\r\n')
    shell.wait_for('lightcone> ')
    shell.type('(display "a\\x1b;[31mb")\n')
    contains(shell.wait_for(r'\na.{0,6}\[31mb'), '\\x1b')
    shell.type('(define-values (a b) (values 3 4))\n(* a b)\n')
    shell.wait_for(r'\n12\r\n')
    shell.type('(exit 4)\n')
    equal(shell.end(), 4, 'its status')
    eventually(lambda: os.path.exists('state/lightcone/script-history'), 'the history is written')
    equal(os.stat('state/lightcone/script-history').st_mode & 0o777, 0o600, 'who may read what was typed')
    shell = Shell()
    shell.wait_for('lightcone> ')
    equal(shell.end('\x04'), 0, 'the status after Ctrl-D')


main()

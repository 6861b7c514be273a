# SPDX-License-Identifier: Apache-2.0
"""Evaluates expressions before events of a program that `lightcone replay --probe` runs.

The program stops in a function of the replay's library, in the thread that is about to do an event; only that thread is
kept from going on. The values are left in its memory (include/lightcone/replay-plan.h), and how many there were is told
to `lightcone replay` in the end.
"""
import os
import re
import struct

import gdb

ANSWERS = os.fdopen(3, 'w', encoding='ascii')
ROOM = 8192  # LC_REPLAY_PROBE_ROOM
LONGEST = 200  # bytes of a text
OURS = 'liblightcone-'
HEADERS = '/usr/include/'
SYSTEM = ('/lib/', '/lib64/', '/usr/lib/', '/usr/lib64/')
PARTS = re.compile(r'program_(await|barrier_await|channel_send|(barrier|channel|crew|semaphore|sync)_begin)')
WHOLE = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_ENUM)


def encode(text):
    return text.encode().hex() or '-'


def tell(*words):
    ANSWERS.write(' '.join(str(word) for word in words) + '\n')
    ANSWERS.flush()


class Expression:
    def __init__(self, number, text):
        self.number = number
        self.text = text
        self.values = 0
        self.failures = {}  # by place and message: how often

    def evaluate(self, place):
        """The bytes that say its value; nothing if it has none."""
        try:
            value = gdb.parse_and_eval(self.text)
            if value.is_optimized_out:
                raise gdb.error('value has been optimized out')
            text = f'{self.text} = {one_line(value)}'
            number = whole_number(value)
        except (gdb.error, RuntimeError, ValueError, OverflowError) as error:
            key = (place, str(error))
            self.failures[key] = self.failures.get(key, 0) + 1
            return b''
        self.values += 1
        return pack(number, text)


def one_line(value):
    return ' '.join(value.format_string(max_elements=40, repeat_threshold=8).split())


def whole_number(value):
    """The value that a tag has, which is 32 bits long; 0 if it is none."""
    if value.type.strip_typedefs().code not in WHOLE:
        return 0
    number = int(value)
    return number if 0 <= number < 1 << 32 else 0


def pack(number, text):
    data = text.encode('utf-8', 'replace')
    if len(data) > LONGEST:
        data = data[:LONGEST - 3].decode('utf-8', 'ignore').encode() + '…'.encode()
    return struct.pack('=II', number, len(data)) + data


# --- Where the program is ---------------------------------------------------------------------------------------------


def is_library(frame):
    """Whether it is code of the language's or the system's, also if the compiler has put it into the program."""
    symbols = frame.find_sal().symtab
    return (gdb.solib_name(frame.pc()) or '').startswith(SYSTEM) or \
        (symbols is not None and symbols.fullname().startswith(HEADERS))


def is_ours(frame):
    """Whether it belongs to the replay, or to what <lightcone/record.h> brings into the program."""
    name = frame.name() or ''
    return OURS in (gdb.solib_name(frame.pc()) or '') or name.startswith('lc_') or PARTS.fullmatch(name) is not None


def describe(frame):
    place = frame.find_sal()
    name = frame.name() or '?'
    return name + (f'() {os.path.basename(place.symtab.filename)}:{place.line}' if place.symtab is not None else '()')


PLACES = {}  # what was found of frames, by their code: it takes long


def program_frame():
    """The frame of the program that called the operation, and what it is called. None: there is no such frame."""
    frame = gdb.newest_frame()
    while frame is not None:
        key = (frame.pc(), frame.name())
        if key not in PLACES:
            PLACES[key] = None if is_ours(frame) or is_library(frame) else describe(frame)
        if PLACES[key] is not None:
            break
        frame = frame.older()
    return frame, PLACES[key]


class Stop(gdb.Breakpoint):
    """Where the program waits for its values."""

    def __init__(self, address, expressions, sets):
        super().__init__(f'*{address}', internal=True)
        self.silent = True
        self.expressions = expressions
        self.sets = sets

    def stop(self):
        frame = gdb.newest_frame()
        probes = int(frame.read_register('rdi')) & 0xFFFFFFFF
        room = int(frame.read_register('rsi')) & 0xFFFFFFFFFFFFFFFF
        caller, place = program_frame()
        answers = b''
        if caller is not None:
            caller.select()
        for expression in self.expressions:
            if self.sets[probes - 1] >> expression.number & 1:
                answers += expression.evaluate(place or '')
        gdb.selected_inferior().write_memory(room, answers + bytes(8))
        return False


# --- The run ----------------------------------------------------------------------------------------------------------


def read_specification():
    address, expressions, sets = '0', [], []
    with open(os.environ['LIGHTCONE_PROBES'], encoding='ascii') as file:
        for line in file:
            kind, value = line.split()
            if kind == 'stop':
                address = value
            elif kind == 'expression':
                expressions.append(Expression(len(expressions), bytes.fromhex(value).decode()))
            else:
                sets.append(int(value))
    return address, expressions, sets


def set_up():
    """The program's signals are its own, and nothing in it is called: locks may be held, and the order is recorded."""
    for command in ('set pagination off', 'set confirm off', 'set may-call-functions off',
                    'set print thread-events off', 'set print inferior-events off', 'set detach-on-fork on',
                    'set follow-fork-mode parent', 'handle all nostop noprint pass',
                    'handle SIGINT nostop noprint pass'):
        gdb.execute(command, to_string=True)


def is_alive():
    return gdb.selected_inferior().pid != 0


def run(stop):
    """Lets the program go to its end. What stops it otherwise is told, and it goes on without us."""
    printed = ''
    try:
        printed = gdb.execute('continue', to_string=True)
    except gdb.error as error:
        printed = str(error)
    if is_alive():
        stop.delete()
        gdb.execute('detach', to_string=True)
        tell('left', encode((printed.strip().splitlines() or ['it has stopped'])[-1]))


def tell_all(expressions):
    for expression in expressions:
        tell('values', expression.number, expression.values)
        for (place, message), count in expression.failures.items():
            tell('failed', expression.number, encode(place), encode(message), count)


def begin():
    set_up()
    if not is_alive():
        return
    address, expressions, sets = read_specification()
    stop = Stop(address, expressions, sets)
    tell('ready')
    run(stop)
    tell_all(expressions)


begin()

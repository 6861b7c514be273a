# SPDX-License-Identifier: Apache-2.0
"""The commands `lightcone ...` of gdb, in a program that `lightcone replay` holds in the recorded order.

`lightcone replay` listens to what is asked here, and says when no thread can go further: by an interrupt.
"""
import socket
import threading

import gdb

REQUESTS = socket.socket(fileno=3)
ANSWERS = REQUESTS.makefile('r', encoding='ascii')
TASKS = socket.socket(fileno=4)
LIBRARY = 'liblightcone-replay'


def encode(text):
    """Names and messages may hold anything."""
    return text.encode().hex() or '-'


def decode(digits):
    return '' if digits == '-' else bytes.fromhex(digits).decode('utf-8', 'replace')


def ask(*words):
    """The lines of an answer."""
    REQUESTS.sendall((' '.join(words) + '\n').encode('ascii'))
    kind, value = ANSWERS.readline().split()
    if kind == 'error':
        raise gdb.GdbError(decode(value))
    return [ANSWERS.readline().strip() for _ in range(int(value))]


def name_threads():
    names = dict(line.split() for line in ask('names'))
    for thread in gdb.selected_inferior().threads():
        if str(thread.ptid[1]) in names:
            thread.name = decode(names[str(thread.ptid[1])])


def show_place(thread_id):
    """Selects the thread, in the function of the program that called the operation."""
    name_threads()
    for thread in gdb.selected_inferior().threads():
        if thread.ptid[1] == thread_id:
            thread.switch()
    frame = gdb.newest_frame()
    while frame is not None and not is_ours(frame):
        frame = frame.older()
    while frame is not None and is_ours(frame):
        frame = frame.older()
    own = frame
    while own is not None and is_library(own):
        own = own.older()
    if own is None:
        own = frame
    if own is not None:
        own.select()


def is_ours(frame):
    """Whether it belongs to the replay, or to what <lightcone/record.h> brings into the program."""
    symbols = frame.find_sal().symtab
    file = symbols.filename if symbols is not None else ''
    return LIBRARY in (gdb.solib_name(frame.pc()) or '') or (frame.name() or '').startswith('lc_') or \
        ('record/program' in file and (frame.name() or '').startswith('program_'))


def is_library(frame):
    """Whether it belongs to C++'s library, which has its locks inlined from headers, as sites are chosen elsewhere."""
    symbols = frame.find_sal().symtab
    file = symbols.fullname() if symbols is not None else ''
    return file.startswith('/usr/include/') or '/include/c++/' in file or \
        (frame.name() or '').startswith(('std::', '__gnu_cxx::', '__gthread_'))


def selected_thread():
    thread = gdb.selected_thread()
    if thread is None:
        raise gdb.GdbError(decode(ask('gone')[0]))
    return str(thread.ptid[1])


class Move:
    """A run that was asked for, until it has stopped. gdb may come back from `continue` before that, as it does where a
    window asks."""

    def __init__(self):
        self.is_asked = False
        self.is_waited_for = False  # by us, in gdb's `continue`
        self.end_event = None  # gdb's event that ended it
        self.printed = ''

    def begin(self):
        self.is_asked = True
        self.end_event = None
        self.printed = ''
        be_quiet(True)
        try:
            self.is_waited_for = True
            self.printed = gdb.execute('continue', to_string=True)
        except gdb.error:
            self.is_asked = False
            be_quiet(False)
            raise
        finally:
            self.is_waited_for = False
        if self.end_event is not None:
            self.end()

    def see_end(self, event):
        """Nothing may be selected before gdb is done with its stop. What is posted and never done crashes gdb 13 at its
        exit."""
        if self.is_asked:
            self.end_event = event
        if self.is_asked and not self.is_waited_for:
            gdb.post_event(lambda: self.end_later(event))

    def end_later(self, event):
        if self.is_asked and self.end_event is event:
            self.end()
            gdb.write('(gdb) ')  # which was there before the run
            gdb.flush()

    def end(self):
        self.is_asked = False
        be_quiet(False)
        if isinstance(self.end_event, gdb.ExitedEvent):
            gdb.write(self.printed)
            code = getattr(self.end_event, 'exit_code', None)
            gdb.write('[The program has exited ' + ('normally]\n' if code == 0 else f'with code {code}]\n'))
            return
        if ask('why')[0] == 'limits':
            show_place(int(ask('selected')[0]))
            show_where()
        elif isinstance(self.end_event, gdb.BreakpointEvent):
            numbers = ', '.join(str(one.number) for one in self.end_event.breakpoints)
            gdb.write(f'Breakpoint {numbers}\n')
        gdb.execute('frame')


def be_quiet(quiet):
    """Whether gdb says where it has stopped by itself: it would be in the replay."""
    try:
        gdb.execute(f'set suppress-cli-notifications {"on" if quiet else "off"}')
    except gdb.error:
        pass  # older ones always say it


MOVE = Move()


def go_on(*words):
    """Lets the threads go as far as is asked for."""
    selected_thread()
    ask(*words)
    MOVE.begin()


def show_where():
    for line in ask('where'):
        gdb.write(decode(line) + '\n')


class Lightcone(gdb.Command):
    """Go on in the recorded order, as far as you like."""

    def __init__(self):
        super().__init__('lightcone', gdb.COMMAND_RUNNING, prefix=True)


class Next(gdb.Command):
    """Let a process do its next event, and the others what that needs.
lightcone next [PROCESS]
Without PROCESS, that of the selected thread."""

    def __init__(self):
        super().__init__('lightcone next', gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        go_on('next', selected_thread(), encode(argument.strip()))


class Until(gdb.Command):
    """Go on to the next stop, which is said as to lightcone replay.
lightcone until PROCESS:ORDINAL,..."""

    def __init__(self, name='until', document=None):
        if document is not None:
            self.__doc__ = document
        self.name = name
        super().__init__('lightcone ' + name, gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        go_on(self.name, selected_thread(), encode(argument.strip()))


class Finish(gdb.Command):
    """Let all others go on as far as they can without the process of the selected thread."""

    def __init__(self):
        super().__init__('lightcone finish', gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        go_on('finish', selected_thread(), '-')


class Go(gdb.Command):
    """Let all go on to the next breakpoints of `lightcone break`, or to the end of the recording."""

    def __init__(self):
        super().__init__('lightcone go', gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        go_on('go', selected_thread(), '-')


class Break(gdb.Command):
    """Stop a process before an event, whenever it comes there.
lightcone break PROCESS:ORDINAL"""

    def __init__(self, name='break', document=None):
        if document is not None:
            self.__doc__ = document
        self.name = name
        super().__init__('lightcone ' + name, gdb.COMMAND_BREAKPOINTS)

    def invoke(self, argument, from_tty):
        for line in ask(self.name, '-', encode(argument.strip())):
            gdb.write(decode(line) + '\n')


class Where(gdb.Command):
    """Say which event each process is to do next."""

    def __init__(self):
        super().__init__('lightcone where', gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        show_where()


class Task:
    """Something that the window which shows the trace asks for, while gdb waits for its user."""

    def __init__(self, line):
        self.kind, self.text = line.split()

    def __call__(self):
        text = decode(self.text)
        if self.kind == 'value':
            self.evaluate(text)
            return
        gdb.write(text + '\n')
        try:
            gdb.execute(text)
        except gdb.error as error:
            gdb.write(f'{error}\n')
            ask('failed', self.text, encode(str(error)))
        if not MOVE.is_asked:
            gdb.write('(gdb) ')  # which the command has taken the place of
            gdb.flush()

    def evaluate(self, text):
        try:
            value = gdb.parse_and_eval(text).format_string(max_elements=40, repeat_threshold=8)
            ask('value', self.text, encode(value))
        except gdb.error as error:
            ask('failed', self.text, encode(str(error)))


def listen():
    for line in TASKS.makefile('r', encoding='ascii'):
        gdb.post_event(Task(line))


def tell_stop(event):
    """What a window asks for at this stop is answered after the move has ended."""
    thread = gdb.selected_thread()
    MOVE.see_end(event)
    ask('stopped', str(thread.ptid[1]) if thread is not None else '0')


def tell_end(event):
    MOVE.see_end(event)
    ask('ended')


def begin():
    gdb.execute('set pagination off')
    gdb.execute('set confirm off')
    for make in (Lightcone, Next, Until, Finish, Go, Break, Where):
        make()
    Until('cut', 'Go on to a cut: each of these processes stands before its event.\n'
                 'lightcone cut PROCESS:ORDINAL,...')
    Until('time', 'Go on until all has been done that had ended at a time of the recording.\nlightcone time TIME')
    Until('layer', 'Go on until all of the layers below has been done.\nlightcone layer LAYER')
    Break('delete', 'Forget a breakpoint.\nlightcone delete PROCESS:ORDINAL')
    gdb.events.cont.connect(lambda event: ask('running'))
    gdb.events.stop.connect(tell_stop)
    gdb.events.exited.connect(tell_end)
    show_place(int(ask('selected')[0]))
    gdb.execute('frame')
    tell_stop(None)
    threading.Thread(target=listen, daemon=True).start()


begin()

# SPDX-License-Identifier: Apache-2.0
"""What a program of the virtual multiprocessor yields: a number of nanoseconds to compute for, or an operation."""


class Operation:
    """One operation. The machine fills in the sequence where it is the one that decides it."""

    def __init__(self, name, object=None, sequence=None, **fields):
        self.name = name
        self.object = object
        self.sequence = sequence
        self.value = fields.pop('value', None)
        self.bytes = fields.pop('bytes', None)
        self.to = fields.pop('to', None)
        self.sender = fields.pop('sender', None)
        self.tag = fields.pop('tag', 0)
        self.takes = fields.pop('takes', None)  # a local operation: ns; else as the machine has it
        self.joins = fields.pop('joins', None)  # unlock: the condition that is waited for from then on
        self.request = fields.pop('request', None)
        self.program = fields.pop('program', None)
        self.blind = False
        assert not fields, fields


def tag(value=0, takes=None):
    return Operation('tag', value=value, takes=takes)


def lock(mutex):
    return Operation('lock', mutex)


def unlock(mutex):
    return Operation('unlock', mutex)


def sleep(condition, mutex):
    """Gives the mutex back, waits for a signal or broadcast, and takes the mutex again: `yield from`."""
    yield Operation('unlock', mutex, joins=condition)
    yield Operation('condition-wait', condition)
    yield Operation('lock', mutex)


def signal(condition):
    return Operation('signal', condition)


def broadcast(condition):
    return Operation('broadcast', condition)


def read_start(crew):
    return Operation('read-start', crew)


def read_end(crew):
    return Operation('read-end', crew)


def write_start(crew):
    return Operation('write-start', crew)


def write_end(crew):
    return Operation('write-end', crew)


def advance(variable, index):
    return Operation('advance', variable, index)


def await_(variable, index):
    return Operation('await', variable, index)


def post(semaphore):
    return Operation('post', semaphore)


def wait(semaphore):
    return Operation('wait', semaphore)


def barrier(name, members):
    return Operation('barrier', name, value=members)


def create(number, program):
    """Begins the process of this number, which must not be there yet."""
    return Operation('create', f'process {number}', to=number, program=program)


def start(number):
    return Operation('start', f'process {number}')


def exit_(number):
    return Operation('exit', f'process {number}')


def join(number):
    return Operation('join', f'process {number}')


def send(to, bytes=0, tag=0):
    return Operation('send', to=to, bytes=bytes, tag=tag)


def ssend(to, bytes=0, tag=0):
    return Operation('ssend', to=to, bytes=bytes, tag=tag)


def recv(sender, tag=0):
    """Takes the next message of this sender; None: of any, and the result is whose it was."""
    return Operation('recv', sender=sender, tag=tag)


def isend(to, bytes=0, tag=0):
    """The result is a request for complete() and test()."""
    return Operation('isend', to=to, bytes=bytes, tag=tag)


def irecv(sender, tag=0):
    return Operation('irecv', sender=sender, tag=tag)


def complete(request):
    return Operation('complete', request=request)


def test(request):
    """The result is whether it was complete: then the event is a `complete`, else a `test-failed`."""
    return Operation('test', request=request)


def collective(name, members, bytes=0, communicator='world'):
    """`name` is the operation: broadcast-root, broadcast-recv, reduce, reduce-root, all-reduce ..."""
    return Operation(name, communicator, value=members, bytes=bytes)

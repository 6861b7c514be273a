# SPDX-License-Identifier: Apache-2.0
"""The widgets of an application, as the accessibility bus tells them all in one answer, read from its bytes.

unpack() of PyGObject makes an object of each part of each widget, and was two thirds of the time of a look. What is
read here is the serialised form of a GVariant of the type (a((so)(so)(so)iiassusau)): what has no fixed size is
followed, at the end of what it is in, by offsets that say where each part of it ends.
"""
import struct
from collections import namedtuple

TYPE = '(a((so)(so)(so)iiassusau))'
# The path of its parent, which of its children it is, and how many it has itself.
Item = namedtuple('Item', 'path parent number n_children interfaces name role description states')
ENDS = {1: struct.Struct('<6B'), 2: struct.Struct('<6H'), 4: struct.Struct('<6I')}
PLACE, STATES = struct.Struct('=ii'), struct.Struct('=II')
ROLE = struct.Struct('=I')


def offset_size(size):
    """Of each offset in something that is so large."""
    return 1 if size <= 0xff else 2 if size <= 0xffff else 4


def parts(data, alignment):
    """Of an array of what differs in size."""
    size, begin = offset_size(len(data)), 0
    ends = int.from_bytes(data[-size:], 'little') if data else 0
    for at in range(ends, len(data), size):
        end = int.from_bytes(data[at:at + size], 'little')
        yield data[begin:end]
        begin = end + -end % alignment


def path_of(reference):
    """Of a (so), the name of a connection and a path, which both are short."""
    return reference[reference[-1]:-2].decode()


def read_item(data, known):
    ends = ENDS[offset_size(len(data))]
    states_end = len(data) - ends.size
    description, name, interfaces, parent, application, path = ends.unpack_from(data, states_end)
    place = parent + -parent % 4
    number, n_children = PLACE.unpack_from(data, place)
    role = name + -name % 4
    states = description + -description % 4
    listed = data[place + PLACE.size:interfaces]
    if listed not in known:  # there are few different lists
        known[listed] = [each[:-1].decode() for each in parts(listed, 1)]
    return Item(path_of(data[:path]), path_of(data[application:parent]), number, n_children, known[listed],
                data[interfaces:name - 1].decode(), ROLE.unpack_from(data, role)[0],
                data[role + ROLE.size:description - 1].decode(), STATES.unpack_from(data, states))


def read_items(answer):
    """All items of a variant of TYPE, which holds nothing but their array."""
    if answer.get_type_string() != TYPE:
        raise ValueError(f'the bus tells of widgets in {answer.get_type_string()}')
    known = {}
    return [read_item(data, known) for data in parts(answer.get_data_as_bytes().get_data(), 4)]

# SPDX-License-Identifier: Apache-2.0
"""What a screen reader is told: the accessibility bus, asked for a whole application in one call.

A walk that asks every widget for its name, role and place takes a third of a second, and a test looks around hundreds
of times. The methods of Node are called as they are in libatspi.
"""
from itertools import takewhile

import gi

gi.require_version('Atspi', '2.0')
from gi.repository import Atspi, Gio, GLib  # noqa: E402

from items import read_items  # noqa: E402

PREFIX = 'org.a11y.atspi.'
ROOT = '/org/a11y/atspi/accessible/root'
WINDOW = 1  # extents are told relative to this
VISIBLE = int(Atspi.StateType.VISIBLE)


class Box:
    def __init__(self, x, y, width, height):
        self.x, self.y, self.width, self.height = x, y, width, height


class Bus:
    """The accessibility bus of the session bus."""

    def __init__(self):
        flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
        self.session = Gio.DBusConnection.new_for_address_sync(
            GLib.getenv('DBUS_SESSION_BUS_ADDRESS'), flags, None, None)
        self.bus = self.session
        address = self.call('org.a11y.Bus', '/org/a11y/bus', 'org.a11y.Bus', 'GetAddress')[0]
        self.bus = Gio.DBusConnection.new_for_address_sync(address, flags, None, None)

    def ask(self, name, path, interface, method, arguments=None):
        return self.bus.call_sync(name, path, interface, method, arguments, None, Gio.DBusCallFlags.NONE, 20000, None)

    def call(self, name, path, interface, method, arguments=None):
        return self.ask(name, path, interface, method, arguments).unpack()

    def call_all(self, name, paths, interface, method, arguments=None):
        """The answers of many objects that are asked at the same time; None: it has gone meanwhile."""
        answers, context = {}, GLib.MainContext.default()

        def take(bus, result, path):
            try:
                answers[path] = bus.call_finish(result).unpack()
            except GLib.Error:
                answers[path] = None
        for path in paths:
            self.bus.call(name, path, interface, method, arguments, None, Gio.DBusCallFlags.NONE, 20000, None, take,
                          path)
        while len(answers) < len(paths):
            context.iteration(True)
        return answers

    def is_owned(self, name):
        """Whether some process has this name on the session bus."""
        return self.session.call_sync('org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus',
                                      'NameHasOwner', GLib.Variant('(s)', (name,)), None, Gio.DBusCallFlags.NONE,
                                      20000, None).unpack()[0]

    def find_application(self, pid):
        """The name on the bus of a process's application, or None."""
        names = self.call(PREFIX + 'Registry', ROOT, PREFIX + 'Accessible', 'GetChildren')[0]
        for name, _ in names:
            try:
                found = self.call('org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus',
                                  'GetConnectionUnixProcessID', GLib.Variant('(s)', (name,)))[0]
            except GLib.Error:  # it has gone meanwhile
                continue
            if found == pid:
                return name
        return None


class Snapshot:
    """All widgets of an application that are known to the bus, as they were at one moment."""

    def __init__(self, bus, name):
        self.bus, self.name = bus, name
        self.read()
        for _ in range(3):
            before = len(self.items)
            if not self.make_known():
                break
            self.read()
            if len(self.items) == before:
                break

    def make_known(self):
        """A widget is on the bus only from when its parent was asked for its children. Whether there were such ones."""
        lacking = [path for path, item in self.items.items() if path != ROOT and self.is_visible(path) and
                   item.n_children > len(self.children.get(path, ()))]
        self.ask_rooms({each for path in lacking for each in self.chain(path)})
        asked = [path for path in lacking if self.has_room_inside(path)]
        found = bool(asked)
        while asked:
            answers = self.bus.call_all(self.name, asked, PREFIX + 'Accessible', 'GetChildren')
            asked = [path for answer in answers.values() if answer for _, path in answer[0] if path not in self.items]
        return found

    def read(self):
        answer = self.bus.ask(self.name, '/org/a11y/atspi/cache', PREFIX + 'Cache', 'GetItems')
        self.items = {item.path: item for item in read_items(answer)}
        self.children, self.rooms = {}, {}
        for path, item in self.items.items():
            if path != ROOT:
                self.children.setdefault(item.parent, []).append(path)
        for paths in self.children.values():
            paths.sort(key=lambda path: self.items[path].number)

    def is_visible(self, path):
        return bool(self.items[path].states[0] >> VISIBLE & 1)

    def needs_room(self, path):
        """A page of a stack has no place of its own."""
        item = self.items[path]
        return item.name != 'GtkStackPage' and PREFIX + 'Component' in item.interfaces

    def ask_rooms(self, paths):
        asked = [path for path in paths if path not in self.rooms and self.needs_room(path)]
        where = GLib.Variant('(u)', (WINDOW,))
        answers = self.bus.call_all(self.name, asked, PREFIX + 'Component', 'GetExtents', where)
        for path, answer in answers.items():
            self.rooms[path] = answer is not None and answer[0][2] > 0 and answer[0][3] > 0

    def has_room(self, path):
        return self.is_visible(path) and (not self.needs_room(path) or self.rooms[path])

    def chain(self, path):
        """A widget and what it is in, from the inside out."""
        while path in self.items and path != ROOT:
            yield path
            path = self.items[path].parent

    def has_room_inside(self, path):
        """Whether a widget takes up room, and all that it is in do."""
        chain = list(self.chain(path))
        if self.items[chain[-1]].parent != ROOT or not all(map(self.is_visible, chain)):
            return False
        self.ask_rooms(chain)
        return all(map(self.has_room, chain))

    def is_still_seen(self, path):
        """Whether a widget of this moment, and all that it was in, are visible and take up room now."""
        chain = list(self.chain(path))
        states = self.bus.call_all(self.name, chain, PREFIX + 'Accessible', 'GetState')
        self.rooms = {}
        self.ask_rooms(chain)
        return all(states[each] and states[each][0][0] >> VISIBLE & 1 for each in chain) and \
            all(self.rooms.get(each, True) for each in chain)

    def walk(self, path=ROOT):
        """The paths of all inside of one, from the outside in, whether they take up room or not."""
        for child in self.children.get(path, ()):
            yield child
            yield from self.walk(child)

    def nodes(self, path=ROOT, is_wanted=lambda node: True):
        """All inside of one that takes up room, from the outside in; of what is not wanted nobody asks for its room."""
        chains = {}
        for each in self.walk(path):
            if is_wanted(Node(self, each)):
                chain = list(takewhile(lambda outer: outer != path, self.chain(each)))
                if all(map(self.is_visible, chain)):
                    chains[each] = chain
        self.ask_rooms({part for chain in chains.values() for part in chain})
        return [Node(self, each) for each, chain in chains.items() if all(map(self.has_room, chain))]


class Node:
    """A widget. Its name, role, description and state are those of the snapshot, unless it is asked to be live."""

    def __init__(self, snapshot, path, bus=None, name=None):
        self.snapshot, self.path = snapshot, path
        self.bus, self.name = bus or snapshot.bus, name or snapshot.name
        self.item = snapshot.items.get(path) if snapshot else None

    def live(self):
        """The same one, that is asked each time."""
        self.item = None
        return self

    def call(self, interface, method, *arguments):
        return self.bus.call(self.name, self.path, PREFIX + interface, method, *arguments)

    def property(self, interface, name):
        return self.bus.call(self.name, self.path, 'org.freedesktop.DBus.Properties', 'Get',
                             GLib.Variant('(ss)', (PREFIX + interface, name)))[0]

    def get_name(self):
        return self.item.name if self.item else self.property('Accessible', 'Name')

    def get_description(self):
        return self.item.description if self.item else self.property('Accessible', 'Description')

    def get_role_name(self):
        return Atspi.role_get_name(Atspi.Role(self.item.role if self.item else self.call('Accessible', 'GetRole')[0]))

    def has_state(self, name):
        states = self.item.states if self.item else self.call('Accessible', 'GetState')[0]
        number = int(getattr(Atspi.StateType, name))
        return bool(states[number // 32] >> number % 32 & 1)

    def get_parent(self):
        path = self.item.parent if self.item else self.property('Accessible', 'Parent')[1]
        return Node(self.snapshot, path) if path in self.snapshot.items else None

    def seen_name(self):
        """The name that it has now; None: it has gone, or nobody sees it."""
        try:
            return self.property('Accessible', 'Name') if self.snapshot.is_still_seen(self.path) else None
        except GLib.Error:  # just now
            return None

    def get_children(self):
        return [Node(None, path, self.bus, self.name) for _, path in self.call('Accessible', 'GetChildren')[0]]

    def get_extents(self):
        return Box(*self.call('Component', 'GetExtents', GLib.Variant('(u)', (WINDOW,)))[0])

    def get_text(self):
        """What is written in it; None: nothing can be."""
        if PREFIX + 'Text' not in (self.item.interfaces if self.item else self.call('Accessible', 'GetInterfaces')[0]):
            return None
        return self.call('Text', 'GetText', GLib.Variant('(ii)', (0, self.property('Text', 'CharacterCount'))))[0]

    def set_text(self, text):
        self.call('EditableText', 'SetTextContents', GLib.Variant('(s)', (text,)))

    def set_value(self, value):
        self.bus.call(self.name, self.path, 'org.freedesktop.DBus.Properties', 'Set',
                      GLib.Variant('(ssv)', (PREFIX + 'Value', 'CurrentValue', GLib.Variant('d', value))))

    def do_action(self, number):
        self.call('Action', 'DoAction', GLib.Variant('(i)', (number,)))

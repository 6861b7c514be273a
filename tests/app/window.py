# SPDX-License-Identifier: Apache-2.0
"""The browser in a real window: a display and a bus of its own, keys, pointer, what a screen reader sees, pictures."""
import ctypes
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

from accessible import ROOT, Bus, Node, Snapshot
from screen import Input, settle

BROWSER = os.environ['LIGHTCONE_BROWSER']
APPLICATION = 'org.lightcone.Browser'
LIGHTCONE = os.environ['LIGHTCONE']
MAKE_TRACE = os.environ.get('LIGHTCONE_MAKE_TRACE')  # the tutorial needs none
DATA = Path(__file__).resolve().parent.parent / 'data'
# Where pictures of what was seen are left, for people to look at.
SEEN = Path(os.environ.get('LIGHTCONE_SEEN') or tempfile.mkdtemp(prefix='lightcone-seen-'))


def end_with_parent():
    """Who dies leaves nothing behind that holds its output open, which whoever runs the tests waits for."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


DOUBLE_CLICK = 0.5  # s; GTK's own is 0.4

# GTK 4.8 complains of a widget that only itself has, the slider of a scrollbar, when a text that was longer than its
# room is removed and a frame is due.
GIZMO = 'Trying to snapshot GtkGizmo'


class Failure(Exception):
    """Something is not as it should be."""


class Display:
    """A screen without a monitor, a window manager, a message bus. For all that this process does from now on."""

    def __init__(self, width=1280, height=860):
        self.folder = tempfile.mkdtemp(prefix='lightcone-display-')
        self.processes = []
        self.size = (width, height)
        read, write = os.pipe()
        self.start('Xvfb', '-displayfd', str(write), '-screen', '0', f'{width}x{height}x24', '-fbdir', self.folder,
                   '-nolisten', 'tcp', '-noreset', pass_fds=[write])
        os.close(write)
        with os.fdopen(read) as number:
            os.environ['DISPLAY'] = ':' + number.readline().strip()
        self.prepare_environment()
        self.start('openbox', '--config-file', str(Path(__file__).with_name('openbox.xml')))
        self.input = Input()
        wait_for(self.input.is_managed, 'the window manager')
        self.accessible = Bus()
        Browser.display = self

    def prepare_environment(self):
        """Nothing of the user's is read or written."""
        bus = subprocess.Popen(['dbus-daemon', '--session', '--print-address', '--nofork', '--nopidfile'],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                               preexec_fn=end_with_parent)
        self.processes.append(bus)
        os.environ['DBUS_SESSION_BUS_ADDRESS'] = bus.stdout.readline().strip()
        for name in ['CACHE', 'CONFIG', 'DATA', 'STATE', 'RUNTIME']:
            folder = Path(self.folder, name.lower())
            folder.mkdir(mode=0o700)
            os.environ[f'XDG_{name}_{"DIR" if name == "RUNTIME" else "HOME"}'] = str(folder)
        os.environ.update(GDK_BACKEND='x11', GSK_RENDERER='cairo', GSETTINGS_BACKEND='memory', NO_AT_BRIDGE='0',
                          GTK_A11Y='atspi', HOME=self.folder)
        # What is painted by cairo needs none of the libraries that GTK loads to find out what GL can do.
        os.environ['GDK_DEBUG'] = 'gl-disable'
        os.environ.pop('WAYLAND_DISPLAY', None)
        # A cursor that blinks, and what slides in, is never quiet.
        settings = Path(self.folder, 'config', 'gtk-4.0', 'settings.ini')
        settings.parent.mkdir()
        settings.write_text('[Settings]\ngtk-cursor-blink=false\ngtk-enable-animations=false\n')

    def settle(self, *pids):
        """Until all that was done has been seen by these, and been painted."""
        return settle([*pids, *(process.pid for process in self.processes)])

    def start(self, *command, **options):
        self.processes.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                               preexec_fn=end_with_parent, **options))

    def close(self):
        self.input.close()
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def pixels(self):
        """What is on the screen: rows of (blue, green, red, nothing)."""
        data = Path(self.folder, 'Xvfb_screen0').read_bytes()
        header = struct.unpack('>25I', data[:100])
        width, height, line, colors = header[4], header[5], header[12], header[19]
        first = header[0] + colors * 12
        return [data[first + y * line:first + y * line + 4 * width] for y in range(height)]

    def save(self, name):
        """Leaves what is on the screen as a picture."""
        lines = []
        for row in self.pixels():
            line = bytearray(3 * (len(row) // 4))
            line[0::3], line[1::3], line[2::3] = row[2::4], row[1::4], row[0::4]
            lines.append(b'\0' + bytes(line))

        def chunk(kind, data):
            return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
        SEEN.mkdir(parents=True, exist_ok=True)
        header = struct.pack('>2I5B', len(lines[0]) // 3, len(lines), 8, 2, 0, 0, 0)
        (SEEN / f'{name}.png').write_bytes(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', header) +
                                           chunk(b'IDAT', zlib.compress(b''.join(lines), 6)) + chunk(b'IEND', b''))


def wait_for(question, what, seconds=20.0):
    """Asks again and again until there is an answer, and leaves the processors to who is asked for half of the time."""
    end = time.monotonic() + seconds
    while True:
        begin = time.monotonic()
        answer = question()
        now = time.monotonic()
        if answer:
            return answer
        if now > end:
            raise Failure(f'{what}: not within {seconds:g} s')
        time.sleep(max(0.02, now - begin))


class Browser:
    """One running browser, on the display that is there."""

    display = None
    clicked = None, 0  # where and when the last click was
    started = []

    def __init__(self, *arguments, environment=None, program=BROWSER, folder=None):
        self.errors = tempfile.TemporaryFile()
        self.input = self.display.input
        self.wait_until_forgotten()
        self.process = subprocess.Popen([program, *map(str, arguments)], stderr=self.errors, cwd=folder,
                                        preexec_fn=end_with_parent, env={**os.environ, **(environment or {})})
        self.started.append(self)
        self.found = {}
        self.name = wait_for(self.find_application, 'the browser on the accessibility bus')
        self.window = wait_for(self.find_window, 'a window that has the keyboard')
        self.settle()

    def check_runs(self):
        if self.process.poll() is not None:
            raise Failure(f'the browser ended with {self.process.returncode}: {self.complaints()}')

    def find_application(self):
        self.check_runs()
        return self.display.accessible.find_application(self.process.pid)

    def find_window(self):
        """The one that has the keyboard, if it is one of this browser's."""
        self.check_runs()
        window = self.input.active_window()
        return window if window and self.input.pid_of(window) == self.process.pid else None

    def settle(self):
        self.display.settle(self.process.pid)

    def resize(self, width, height):
        self.input.place(self.window, width, height)
        end = time.monotonic() + 2
        while self.size() != (width, height) and time.monotonic() < end:
            time.sleep(0.01)
        self.settle()

    def size(self):
        """Of the window, in pixels."""
        return self.input.geometry(self.window)[2:]

    # --- What a screen reader sees

    def look(self):
        """All widgets as they are now."""
        self.check_runs()
        return Snapshot(self.display.accessible, self.name)

    @property
    def windows(self):
        self.check_runs()
        return Node(None, ROOT, self.display.accessible, self.name).get_children()

    def nodes(self, root=None, **wanted):
        """All of a name, role and description that takes up room, from the outside in. (GTK 4.8 does not say what is
        showing.)
        """
        path = root.path if root is not None else ROOT
        return self.look().nodes(path, lambda node: self.is_wanted(node, **wanted))

    def is_wanted(self, node, name=None, role=None, describe=None):
        return (name is None or self.matches(node.get_name(), name)) and \
            (role is None or node.get_role_name() == role) and \
            (describe is None or self.matches(node.get_description(), describe))

    def look_for(self, name=None, role=None, describe=None):
        snapshot = self.look()
        for path in snapshot.walk():
            node = Node(snapshot, path)
            if self.is_wanted(node, name, role, describe) and snapshot.has_room_inside(path):
                return node.live()
        return None

    @staticmethod
    def matches(text, wanted):
        return wanted.search(text or '') is not None if hasattr(wanted, 'search') else text == wanted

    def find(self, name=None, role=None, describe=None, seconds=20.0):
        """A widget by its name (a text, or a compiled pattern), role and description."""
        return wait_for(lambda: self.look_for(name, role, describe),
                        f'a {role or "widget"} called {name!r} described {describe!r}', seconds)

    def again(self, name):
        """What is asked for often, by the pattern of its name: all widgets are looked at only when it is not there any
        more, or not seen, or has another name.
        """
        node = self.found.get(name)
        told = node.seen_name() if node is not None else None
        if told is None or not self.matches(told, name):
            node = self.found[name] = self.find(name)
        return node

    def tree(self):
        """All of it as text, for people."""
        lines = []
        for node in self.nodes():
            depth, parent = 0, node
            while parent is not None and depth < 40:
                parent, depth = parent.get_parent(), depth + 1
            lines.append(f'{"  " * depth}{node.get_role_name()} {node.get_name()!r} {node.get_description()!r}')
        return '\n'.join(lines)

    # --- What a user does

    def place(self, node):
        """The middle of a widget on the screen."""
        x, y, width, height = self.box(node)
        return x + width // 2, y + height // 2

    def box(self, node):
        box = node.get_extents()
        left, top = self.origin()
        return left + box.x, top + box.y, box.width, box.height

    def origin(self):
        """Where the accessible frame begins on the screen: within its shadow."""
        x, y, width, height = self.input.geometry(self.window)
        frame = self.windows[0].get_extents()
        return x + (width - frame.width) // 2, y + (height - frame.height) // 2

    def place_of_nothing(self):
        """Of the diagram: above its first row, where a click selects nothing and gives it the keyboard."""
        x, y, _, _ = self.box(self.diagram)
        return x + 5, y + 5

    def stands_still(self, node):
        """Where a widget is, once it is there a frame later, too."""
        place = self.place(node)
        self.settle()
        return place if self.place(node) == place else None

    def click(self, node, button=1, times=1, keys=()):
        """Clicks; and again at a list that has not opened: after one that lay below the pointer has closed, GTK may
        drop a click, as it does for people."""
        opens = not isinstance(node, tuple) and node.get_role_name() == 'combo box'
        self.click_once(node, button, times, keys)
        if opens and not self.has_list():
            self.click_once(node, button, times, keys)

    def has_list(self):
        """Whether a list or menu is open, or opens now."""
        try:
            return wait_for(lambda: self.look_for('GtkPopoverContent'), 'an open list', 3)
        except Failure:
            return None

    def click_once(self, node, button, times, keys):
        """The pointer has come, and been seen to have, before the button goes down; and so long after a click at the
        same place that the two are not taken for a double click."""
        self.settle()
        place = node if isinstance(node, tuple) else wait_for(lambda: self.stands_still(node), 'a place to click at')
        if place == self.clicked[0]:
            time.sleep(max(0, self.clicked[1] + DOUBLE_CLICK - time.monotonic()))
        self.move(*place)
        self.input.hold(keys, True)
        for _ in range(times):
            self.input.button(button, True)
            self.settle()
            self.input.button(button, False)
        self.input.hold(keys, False)
        self.clicked = place, time.monotonic()
        self.settle()

    def move(self, x, y):
        """From the place beside it: no motion is told of a pointer that is there already, and when a popover was closed
        with the pointer in it, GTK knows of no widget below the pointer until one is, and drops the next click.
        """
        self.input.move(x + (-1 if x > 0 else 1), y)
        self.settle()
        self.input.move(x, y)
        self.settle()

    def drag(self, start, end, button=1, keys=()):
        self.move(*start)
        self.input.hold(keys, True)
        self.input.button(button, True)
        for step in range(1, 11):
            self.input.move(start[0] + (end[0] - start[0]) * step / 10, start[1] + (end[1] - start[1]) * step / 10)
            self.settle()
        self.input.button(button, False)
        self.input.hold(keys, False)
        self.settle()

    def wheel(self, place, clicks, keys=()):
        """Down when more than 0."""
        self.move(*place)
        self.input.hold(keys, True)
        for _ in range(abs(clicks)):
            self.input.button(5 if clicks > 0 else 4, True)
            self.input.button(5 if clicks > 0 else 4, False)
            self.settle()
        self.input.hold(keys, False)
        self.settle()

    def columns(self):
        """Has each process be a column, and time run down, as in a trace that is new it does not."""
        overview = re.compile('^The whole run, and the part')

        def runs_down():
            _, _, width, height = self.box(self.again(overview))
            return width < height
        self.settle()
        if not runs_down():
            self.press('ctrl+r')
            wait_for(runs_down, 'time that runs down')

    def press(self, *keys):
        for key in keys:
            self.input.key(key)
            self.settle()

    def type(self, text):
        self.input.type(str(text))
        self.settle()

    def do(self, node, action=0):
        """The first action of a widget, as a screen reader would ask for it."""
        node.do_action(action)
        self.settle()

    # --- The end

    def complaints(self):
        self.errors.seek(0)
        return self.errors.read().decode(errors='replace')

    def close(self):
        """Ends it as a user would; nothing may have been complained of."""
        if self.process.poll() is None:
            self.press('ctrl+q')
        try:
            status = self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise Failure('it does not end with Control-Q') from None
        self.wait_until_forgotten()
        said = '\n'.join(line for line in self.complaints().splitlines()
                         if ('WARNING' in line or 'CRITICAL' in line or 'ERROR' in line) and GIZMO not in line)
        if status != 0 or said:
            raise Failure(f'it ended with {status}, and said: {said}')

    def wait_until_forgotten(self):
        """The bus sees the end of a process some time after it, and until then hands over what the next one is to open
        to the one that is gone."""
        if not any(other.process.poll() is None for other in Browser.started):
            wait_for(lambda: not self.display.accessible.is_owned(APPLICATION), 'the bus without a browser')

    def kill(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.wait_until_forgotten()


def lightcone(*arguments):
    """The command line; its output."""
    return subprocess.run([LIGHTCONE, *map(str, arguments)], check=True, stdout=subprocess.PIPE, text=True).stdout


def attempt(test, display):
    """Whether it went well; what did not is told, and left as a picture."""
    browsers = []
    folder = Path(tempfile.mkdtemp(prefix='lightcone-app-'))

    def start(*arguments, **options):
        browsers.append(Browser(*arguments, **options))
        return browsers[-1]
    try:
        test(display, start, folder)
        for browser in browsers:
            browser.close()
        return True
    except Exception as error:
        display.save(f'{test.__name__}-failed')
        print(f'# {type(error).__name__}: {error}'.replace('\n', '\n# '))
        print(f'# see {SEEN}/{test.__name__}-failed.png', flush=True)
        for browser in browsers:
            browser.kill()
        return False
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run(tests, size=(1280, 860)):
    """Runs the tests on a display of their own, and speaks TAP. A test is a function of the display."""
    wanted = sys.argv[1:]
    tests = [test for test in tests if not wanted or test.__name__ in wanted]
    print(f'1..{len(tests)}')
    failed = 0
    display = Display(*size)
    for number, test in enumerate(tests, 1):
        good = attempt(test, display)
        print(f'{"" if good else "not "}ok {number} {test.__doc__ or test.__name__}', flush=True)
        failed += not good
    display.close()
    sys.exit(failed != 0)

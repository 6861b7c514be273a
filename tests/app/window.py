# SPDX-License-Identifier: Apache-2.0
"""The browser in a real window: a display and a bus of its own, keys, pointer, what a screen reader sees, pictures."""
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

BROWSER = os.environ['LIGHTCONE_BROWSER']
LIGHTCONE = os.environ['LIGHTCONE']
MAKE_TRACE = os.environ.get('LIGHTCONE_MAKE_TRACE')  # the tutorial needs none
DATA = Path(__file__).resolve().parent.parent / 'data'
# Where pictures of what was seen are left, for people to look at.
SEEN = Path(os.environ.get('LIGHTCONE_SEEN') or tempfile.mkdtemp(prefix='lightcone-seen-'))


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

    def prepare_environment(self):
        """Nothing of the user's is read or written."""
        bus = subprocess.Popen(['dbus-daemon', '--session', '--print-address', '--nofork', '--nopidfile'],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.processes.append(bus)
        os.environ['DBUS_SESSION_BUS_ADDRESS'] = bus.stdout.readline().strip()
        for name in ['CACHE', 'CONFIG', 'DATA', 'STATE', 'RUNTIME']:
            folder = Path(self.folder, name.lower())
            folder.mkdir(mode=0o700)
            os.environ[f'XDG_{name}_{"DIR" if name == "RUNTIME" else "HOME"}'] = str(folder)
        os.environ.update(GDK_BACKEND='x11', GSK_RENDERER='cairo', GSETTINGS_BACKEND='memory', NO_AT_BRIDGE='0',
                          GTK_A11Y='atspi', HOME=self.folder)
        os.environ.pop('WAYLAND_DISPLAY', None)

    def start(self, *command, **options):
        self.processes.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                               **options))

    def close(self):
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
    """Asks again and again until there is an answer."""
    end = time.monotonic() + seconds
    while True:
        answer = question()
        if answer:
            return answer
        if time.monotonic() > end:
            raise Failure(f'{what}: not within {seconds:g} s')
        time.sleep(0.05)


def xdotool(*arguments):
    return subprocess.run(['xdotool', *map(str, arguments)], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True).stdout


class Browser:
    """One running browser."""

    def __init__(self, *arguments, environment=None, program=BROWSER, folder=None):
        import gi
        gi.require_version('Atspi', '2.0')
        from gi.repository import Atspi
        self.atspi = Atspi
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen([program, *map(str, arguments)], stderr=self.errors, cwd=folder,
                                        env={**os.environ, **(environment or {})})
        self.application = wait_for(self.find_application, 'the browser on the accessibility bus')
        self.window = wait_for(self.find_window, 'a window').strip().split('\n')[-1]

    def find_application(self):
        if self.process.poll() is not None:
            raise Failure(f'the browser ended with {self.process.returncode}: {self.complaints()}')
        desktop = self.atspi.get_desktop(0)
        for number in range(desktop.get_child_count()):
            application = desktop.get_child_at_index(number)
            try:
                if application is not None and application.get_process_id() == self.process.pid:
                    return application
            except Exception:  # it has gone meanwhile
                pass
        return None

    def find_window(self):
        try:
            return xdotool('search', '--onlyvisible', '--pid', self.process.pid)
        except subprocess.CalledProcessError:
            return None

    def resize(self, width, height):
        xdotool('windowmove', self.window, 0, 0, 'windowsize', '--sync', self.window, width, height)
        time.sleep(0.3)

    def size(self):
        """Of the window, in pixels."""
        lines = dict(line.split('=') for line in xdotool('getwindowgeometry', '--shell', self.window).split())
        return int(lines['WIDTH']), int(lines['HEIGHT'])

    # --- What a screen reader sees

    def nodes(self, root=None):
        """All that takes up room, from the outside in. (GTK 4.8 does not say what is showing.)"""
        root = root or self.application
        try:
            children = [root.get_child_at_index(number) for number in range(root.get_child_count())]
        except Exception:  # it has gone meanwhile
            return
        for child in children:
            if child is not None and self.has_room(child):
                yield child
                yield from self.nodes(child)

    def has_room(self, node):
        try:
            if not self.has_state(node, 'VISIBLE'):
                return False
            if node.get_name() == 'GtkStackPage':
                return True
            component = node.get_component_iface()
            if component is None:
                return True
            box = component.get_extents(self.atspi.CoordType.WINDOW)
            return box.width > 0 and box.height > 0
        except Exception:  # it has gone meanwhile
            return False

    def look_for(self, name=None, role=None, describe=None):
        if self.process.poll() is not None:
            raise Failure(f'the browser ended with {self.process.returncode}: {self.complaints()}')
        for node in self.nodes():
            try:
                if name is not None and not self.matches(node.get_name(), name):
                    continue
                if role is not None and node.get_role_name() != role:
                    continue
                if describe is not None and not self.matches(node.get_description(), describe):
                    continue
            except Exception:
                continue
            return node
        return None

    @staticmethod
    def matches(text, wanted):
        return wanted.search(text or '') is not None if hasattr(wanted, 'search') else text == wanted

    def find(self, name=None, role=None, describe=None, seconds=20.0):
        """A widget by its name (a text, or a compiled pattern), role and description."""
        return wait_for(lambda: self.look_for(name, role, describe),
                        f'a {role or "widget"} called {name!r} described {describe!r}', seconds)

    def tree(self):
        """All of it as text, for people."""
        lines = []
        for node in self.nodes():
            depth, parent = 0, node
            while parent is not None and depth < 40:
                parent, depth = parent.get_parent(), depth + 1
            lines.append(f'{"  " * depth}{node.get_role_name()} {node.get_name()!r} {node.get_description()!r}')
        return '\n'.join(lines)

    def has_state(self, node, name):
        return node.get_state_set().contains(getattr(self.atspi.StateType, name))

    # --- What a user does

    def place(self, node):
        """The middle of a widget on the screen."""
        box = node.get_component_iface().get_extents(self.atspi.CoordType.WINDOW)
        left, top = self.origin()
        return left + box.x + box.width // 2, top + box.y + box.height // 2

    def box(self, node):
        box = node.get_component_iface().get_extents(self.atspi.CoordType.WINDOW)
        left, top = self.origin()
        return left + box.x, top + box.y, box.width, box.height

    def origin(self):
        """Where the accessible frame begins on the screen: within its shadow."""
        values = dict(line.split('=') for line in xdotool('getwindowgeometry', '--shell', self.window).split())
        frame = self.application.get_child_at_index(0).get_component_iface().get_extents(self.atspi.CoordType.WINDOW)
        return (int(values['X']) + (int(values['WIDTH']) - frame.width) // 2,
                int(values['Y']) + (int(values['HEIGHT']) - frame.height) // 2)

    def place_of_nothing(self):
        """Of the diagram: above its first row, where a click selects nothing and gives it the keyboard."""
        x, y, _, _ = self.box(self.diagram)
        return x + 5, y + 5

    def click(self, node, button=1, times=1, keys=()):
        x, y = self.place(node) if not isinstance(node, tuple) else node
        self.move(x, y)
        for key in keys:
            xdotool('keydown', key)
        xdotool('click', '--repeat', times, '--delay', 60, button)
        for key in keys:
            xdotool('keyup', key)
        time.sleep(0.15)

    def move(self, x, y):
        xdotool('mousemove', int(x), int(y))
        time.sleep(0.05)

    def drag(self, start, end, button=1, keys=()):
        self.move(*start)
        for key in keys:
            xdotool('keydown', key)
        xdotool('mousedown', button)
        for step in range(1, 11):
            self.move(start[0] + (end[0] - start[0]) * step / 10, start[1] + (end[1] - start[1]) * step / 10)
        xdotool('mouseup', button)
        for key in keys:
            xdotool('keyup', key)
        time.sleep(0.15)

    def wheel(self, place, clicks, keys=()):
        """Down when more than 0."""
        self.move(*place)
        for key in keys:
            xdotool('keydown', key)
        xdotool('click', '--repeat', abs(clicks), '--delay', 30, 5 if clicks > 0 else 4)
        for key in keys:
            xdotool('keyup', key)
        time.sleep(0.15)

    def press(self, *keys):
        for key in keys:
            xdotool('key', '--clearmodifiers', key)
            time.sleep(0.1)

    def type(self, text):
        xdotool('type', '--delay', 20, '--', text)
        time.sleep(0.2)

    def do(self, node, action=0):
        """The first action of a widget, as a screen reader would ask for it."""
        node.get_action_iface().do_action(action)
        time.sleep(0.15)

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
        said = '\n'.join(line for line in self.complaints().splitlines()
                         if 'WARNING' in line or 'CRITICAL' in line or 'ERROR' in line)
        if status != 0 or said:
            raise Failure(f'it ended with {status}, and said: {said}')

    def kill(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()


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
    """Runs the tests on a display of their own, and speaks TAP. A test is a function of the display.

    Pointer and keys come when they come, and machines are busy: what fails is tried once again, and both are told.
    """
    wanted = sys.argv[1:]
    tests = [test for test in tests if not wanted or test.__name__ in wanted]
    print(f'1..{len(tests)}')
    failed = 0
    display = Display(*size)
    for number, test in enumerate(tests, 1):
        good = attempt(test, display) or attempt(test, display)
        print(f'{"" if good else "not "}ok {number} {test.__doc__ or test.__name__}', flush=True)
        failed += not good
    display.close()
    sys.exit(failed != 0)

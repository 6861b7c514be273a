# SPDX-License-Identifier: Apache-2.0
"""Keys, pointer and windows of a display, and when all that follows from them has been done."""
import ctypes
import os
import subprocess
import time
from pathlib import Path

SPAN = 0.022  # more than a frame takes: what is animated is not quiet
STEP = 0.006
ENOUGH = 1.0  # what goes on longer, as progress does, does not settle


class Input:
    """Keys and pointer, as xdotool moves them, without a process for each."""

    def __init__(self):
        self.library = ctypes.CDLL('libxdo.so.3')
        self.library.xdo_new.restype = ctypes.c_void_p
        self.xdo = ctypes.c_void_p(self.library.xdo_new(None))
        if not self.xdo:
            raise OSError('the display cannot be opened')
        # A window that has gone meanwhile is no reason to end, as it is for Xlib.
        self.ignore = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(lambda display, error: 0)
        self.x11 = ctypes.CDLL('libX11.so.6')
        self.x11.XSetErrorHandler(self.ignore)
        self.x11.XOpenDisplay.restype = ctypes.c_void_p
        self.x11.XInternAtom.restype = ctypes.c_ulong
        self.x11.XDefaultRootWindow.restype = ctypes.c_ulong
        self.display = ctypes.c_void_p(self.x11.XOpenDisplay(None))
        self.root = self.x11.XDefaultRootWindow(self.display)

    def call(self, name, *arguments):
        return getattr(self.library, 'xdo_' + name)(self.xdo, *arguments)

    def close(self):
        self.x11.XCloseDisplay(self.display)
        self.library.xdo_free(self.xdo)

    # --- Keys and pointer

    def move(self, x, y):
        self.call('move_mouse', int(x), int(y), 0)

    def button(self, button, is_down):
        self.call('mouse_down' if is_down else 'mouse_up', ctypes.c_ulong(0), button)

    def hold(self, keys, is_down):
        for key in keys:
            self.call('send_keysequence_window_' + ('down' if is_down else 'up'), ctypes.c_ulong(0), key.encode(), 0)

    def key(self, keys):
        self.call('send_keysequence_window', ctypes.c_ulong(0), keys.encode(), 0)

    def type(self, text):
        self.call('enter_text_window', ctypes.c_ulong(0), text.encode(), 1000)

    # --- Windows

    def is_managed(self):
        """Whether the window manager runs."""
        number = ctypes.c_long()
        return self.call('get_number_of_desktops', ctypes.byref(number)) == 0 and number.value > 0

    def property_of(self, window, name):
        """The first number of a window's property; 0: it has none, or has gone, for which libxdo ends the process."""
        kind, form, count, left = ctypes.c_ulong(), ctypes.c_int(), ctypes.c_ulong(), ctypes.c_ulong()
        data = ctypes.POINTER(ctypes.c_ulong)()
        atom = ctypes.c_ulong(self.x11.XInternAtom(self.display, name, 0))
        status = self.x11.XGetWindowProperty(
            self.display, ctypes.c_ulong(window), atom, ctypes.c_long(0), ctypes.c_long(1), 0, ctypes.c_ulong(0),
            ctypes.byref(kind), ctypes.byref(form), ctypes.byref(count), ctypes.byref(left), ctypes.byref(data))
        if status != 0 or not data:
            return 0
        found = data[0] if count.value == 1 and form.value == 32 else 0
        self.x11.XFree(data)
        return found

    def active_window(self):
        """Which window has the keyboard; 0: none."""
        return self.property_of(self.root, b'_NET_ACTIVE_WINDOW')

    def pid_of(self, window):
        return self.property_of(window, b'_NET_WM_PID')

    def geometry(self, window):
        """Of what is in a window's frame: x, y, width, height."""
        x, y, width, height = ctypes.c_int(), ctypes.c_int(), ctypes.c_uint(), ctypes.c_uint()
        self.call('get_window_location', ctypes.c_ulong(window), ctypes.byref(x), ctypes.byref(y), None)
        self.call('get_window_size', ctypes.c_ulong(window), ctypes.byref(width), ctypes.byref(height))
        return x.value, y.value, width.value, height.value

    def set_resources(self, text):
        """What programs that start from now on read as the user's settings of the display: Xft.dpi, for example."""
        manager, string, replace, data = 23, 31, 0, text.encode()
        self.x11.XChangeProperty(self.display, ctypes.c_ulong(self.root), ctypes.c_ulong(manager),
                                 ctypes.c_ulong(string), 8, replace, data, len(data))
        self.x11.XFlush(self.display)

    def place(self, window, width, height):
        """At the corner of the screen, so large."""
        self.call('move_window', ctypes.c_ulong(window), 0, 0)
        self.call('set_window_size', ctypes.c_ulong(window), width, height, 0)


def read_status(pid, thread):
    file = os.open(f'/proc/{pid}/task/{thread}/status', os.O_RDONLY)
    try:
        return os.read(file, 4096)
    finally:
        os.close(file)


def activity(pids):
    """What the threads of some processes have done so far; None: one of them has something to do now.

    Read as bytes, of which only the state and the last two lines, the numbers of switches, are looked at: this is done
    thousands of times in a test.
    """
    found = []
    for pid in pids:
        try:
            for thread in os.listdir(f'/proc/{pid}/task'):
                status = read_status(pid, thread)
                at = status.index(b'\nState:\t') + len(b'\nState:\t')
                if status[at] not in b'SZ':
                    return None
                found.append((thread, status[status.rfind(b'\nvoluntary_ctxt_switches'):]))
        except (OSError, ValueError):  # it has gone meanwhile
            continue
    return found


def settle(pids, enough=ENOUGH):
    """Until these processes have slept for longer than a frame takes.

    Who is sent something has something to do from then on, on however busy a machine: so all that was sent has been
    taken. What comes by a clock later than that is to be waited for by what it does.
    """
    end = time.monotonic() + enough
    before, since, step = None, 0, STEP
    while time.monotonic() < end:
        now = activity(pids)
        if now is None or now != before:
            before, since, step = now, time.monotonic(), STEP
        elif time.monotonic() - since >= SPAN:
            return True
        else:  # asleep for a while: the next time that it is worth to look is at the end
            step = max(STEP, since + SPAN - time.monotonic())
        time.sleep(step)
    return False


def window_name(window):
    return subprocess.run(['xdotool', 'getwindowname', str(window)], check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True).stdout.strip()

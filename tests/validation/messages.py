# SPDX-License-Identifier: Apache-2.0
"""Messages and collective operations of the virtual multiprocessor."""
from collections import defaultdict


class Message:
    """One of a channel. `sent` is the begin of its send, and when it can be taken from the buffer it has arrived."""

    def __init__(self, channel, number, sender):
        self.channel = channel
        self.number = number
        self.sender = sender
        self.sent = None
        self.arrives = None
        self.rendezvous = None  # the process in its ssend
        self.receiver = None    # the process that has come to take it, when that needs it to go on
        self.received = None    # the begin of its irecv
        self.bytes = None


class Messages:
    """Channels, in order for each sender, receiver and tag."""

    def set_up_messages(self):
        self.sent = defaultdict(int)
        self.taken = defaultdict(int)
        self.messages = {}
        self.arrived = defaultdict(list)  # (receiver, tag): for blind receives
        self.blind = {}                   # (receiver, tag): the process that waits for any

    def message(self, channel, number, sender):
        return self.messages.setdefault((channel, number), Message(channel, number, sender))

    def next_message(self, counts, sender, receiver, tag):
        channel = f'{sender}>{receiver}:{tag}'
        message = self.message(channel, counts[channel], sender)
        counts[channel] += 1
        return message

    def journey(self, message):
        """What it takes besides of the copying at both ends."""
        ends = message.channel.split(':')[0].split('>')
        return self.costs.network.takes(message.bytes,
                                        self.costs.network.hops(int(ends[0]), int(ends[1]), self.n_processes))

    def post_message(self, process, operation):
        message = self.next_message(self.sent, process.number, operation.to, operation.tag)
        operation.object, operation.sequence = message.channel, message.number
        message.sent = process.begin
        message.bytes = operation.bytes
        message.arrives = message.sent + self.journey(message) + self.costs.copy
        return message

    def name_message(self, operation, message):
        operation.object, operation.sequence = message.channel, message.number
        operation.sender, operation.bytes = message.sender, message.bytes

    # --- Sending

    def do_send(self, process, operation):
        message = self.post_message(process, operation)
        self.at(message.arrives, process, self.arrive, message, operation.to, operation.tag)
        self.finish(process, process.begin + self.costs.copy)
        self.hand_over(message)

    def do_isend(self, process, operation):
        message = self.post_message(process, operation)
        self.at(message.arrives, process, self.arrive, message, operation.to, operation.tag)
        request = ('isend', message, process.begin)
        self.finish(process, process.begin + self.costs.takes('isend'), result=request)
        self.hand_over(message)

    def do_ssend(self, process, operation):
        message = self.post_message(process, operation)
        message.rendezvous = process
        self.hand_over(message)

    # --- Receiving

    def do_recv(self, process, operation):
        if operation.sender is None:
            operation.blind = True
            self.blind[process.number, operation.tag] = process
            self.take_any(process.number, operation.tag)
            return
        message = self.next_message(self.taken, operation.sender, process.number, operation.tag)
        message.receiver = process
        self.hand_over(message)

    def hand_over(self, message):
        """Ends the recv, or the blocking complete, if both it and the message are there."""
        process = message.receiver
        if process is None or message.sent is None:
            return
        self.name_message(process.pending, message)
        sent = (message.sent, message.sender)
        if message.rendezvous is not None:
            sender = message.rendezvous
            ready = max(message.sent, process.begin)
            time = ready + self.journey(message) + 2 * self.costs.copy
            self.finish(sender, time, [(process.begin, process.number)])
        elif message.received is not None:
            nowait, _ = self.costs.nowait_and_wait('complete')
            time = max(self.irecv_is_over(message), process.begin + nowait)
        else:
            time = max(message.arrives + self.costs.copy, process.begin + self.costs.copy)
        self.finish(process, time, [sent], True)

    def arrive(self, message, receiver, tag):
        self.arrived[receiver, tag].append(message)
        self.take_any(receiver, tag)

    def take_any(self, receiver, tag):
        """First come, first served: what has arrived is in that order."""
        if self.arrived[receiver, tag] and (receiver, tag) in self.blind:
            process = self.blind.pop((receiver, tag))
            message = self.arrived[receiver, tag].pop(0)
            self.name_message(process.pending, message)
            time = max(message.arrives, process.begin) + self.costs.copy
            self.finish(process, time, [(message.sent, message.sender)], message.sender)

    # --- What goes on in the background

    def do_irecv(self, process, operation):
        message = self.next_message(self.taken, operation.sender, process.number, operation.tag)
        message.received = process.begin
        operation.object, operation.sequence = message.channel, message.number
        request = ('irecv', message, process.begin)
        self.finish(process, process.begin + self.costs.takes('irecv'), result=request)

    def irecv_is_over(self, message):
        """None: it is not known yet."""
        if message.sent is None:
            return None
        return max(message.arrives + self.costs.copy, message.received + self.costs.copy)

    def do_complete(self, process, operation):
        kind, message, begin = operation.request
        if kind == 'irecv':
            message.receiver = process
            self.hand_over(message)
        else:
            operation.object, operation.sequence = message.channel, message.number
            nowait, _ = self.costs.nowait_and_wait('complete')
            self.finish(process, max(begin + self.costs.copy, process.begin + nowait), result=True)

    def do_test(self, process, operation):
        kind, message, begin = operation.request
        over = self.irecv_is_over(message) if kind == 'irecv' else begin + self.costs.copy
        if self.ideal_polls or (over is not None and over <= process.begin):
            operation.name = 'complete'
            self.do_complete(process, operation)
        else:
            operation.name = 'test-failed'
            operation.object, operation.sequence = message.channel, message.number
            self.finish(process, process.begin + self.costs.takes('test-failed'), result=False)


class Collectives:
    """The n-th call of each process on a communicator belongs to the n-th of all others."""

    ROOTS = {'broadcast-recv': 'broadcast-root', 'scatter': 'scatter-root'}

    def set_up_collectives(self):
        self.calls = defaultdict(dict)  # (communicator, n): process number -> process
        self.roots = {}                 # the point of the root, once it has come
        self.begun = defaultdict(dict)  # process number -> when it came to the call

    def join_call(self, process, operation):
        operation.sequence = process.calls[operation.object]
        process.calls[operation.object] += 1
        key = (operation.object, operation.sequence)
        self.calls[key][process.number] = process
        self.begun[key][process.number] = process.begin
        return key

    def through_tree(self, operation):
        rounds = (operation.value - 1).bit_length()
        return rounds * self.costs.network.takes(operation.bytes, 1)

    # --- From the root to all

    def do_broadcast_root(self, process, operation):
        key = self.join_call(process, operation)
        self.roots[key] = self.here(process)
        self.local(process, operation)
        for member in self.calls[key].values():
            if member is not process:
                self.receive_from_tree(member, key, [self.roots[key]])

    do_scatter_root = do_broadcast_root

    def do_broadcast_recv(self, process, operation):
        key = self.join_call(process, operation)
        if key in self.roots:
            self.receive_from_tree(process, key, [self.roots[key]])

    do_scatter = do_broadcast_recv

    def receive_from_tree(self, process, key, points):
        copy = self.costs.copy
        sent = max(points)[0]
        time = max(sent + self.through_tree(process.pending) + 2 * copy, process.begin + copy)
        self.finish(process, time, points)

    # --- From all to the root

    def do_reduce(self, process, operation):
        key = self.join_call(process, operation)
        self.local(process, operation)
        self.gather_at_root(key)

    do_gather = do_reduce

    def do_reduce_root(self, process, operation):
        key = self.join_call(process, operation)
        self.roots[key] = process
        self.gather_at_root(key)

    do_gather_root = do_reduce_root

    def gather_at_root(self, key):
        root = self.roots.get(key)
        if root is not None and len(self.calls[key]) == root.pending.value:
            points = [(begin, number) for number, begin in self.begun[key].items() if number != root.number]
            self.receive_from_tree(root, key, points)

    # --- From all to all

    def do_all_reduce(self, process, operation):
        key = self.join_call(process, operation)
        if len(self.calls[key]) == operation.value:
            self.leave_together(list(self.calls[key].values()), linear=False)

    do_all_gather = do_all_to_all = do_reduce_scatter = do_scan = do_all_reduce

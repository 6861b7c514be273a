# SPDX-License-Identifier: Apache-2.0
"""Servers, bare and recorded: each is started on the loopback, asked the same, and told to end. For harm.py --all."""
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

import harm

PATIENCE = 60


def free_port():
    with socket.socket() as listener:
        listener.bind(('127.0.0.1', 0))
        return listener.getsockname()[1]


def find(name, *folders):
    found = shutil.which(name, path=os.pathsep.join([os.environ['PATH'], '/usr/sbin', *map(str, folders)]))
    if found is None:
        raise harm.Skip(f'there is no {name}')
    return found


def wait_for_port(port, process):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        assert process.poll() is None, f'the server ended with {process.returncode}'
        with contextlib.suppress(OSError), socket.create_connection(('127.0.0.1', port), 1):
            return
        time.sleep(0.05)
    raise AssertionError('the server does not listen')


def talk(port, text, until):
    """Sends all of it, and receives until the end is there."""
    with socket.create_connection(('127.0.0.1', port), PATIENCE) as connection:
        connection.settimeout(PATIENCE)
        connection.sendall(text.encode())
        answer = b''
        while not answer.endswith(until.encode()):
            part = connection.recv(65536)
            if not part:
                break
            answer += part
        return answer


class Server:
    """How it is started in a folder, what it is asked, and by what signal it ends."""

    def __init__(self, folder, recorded, user=None):
        self.folder = folder
        self.recorded = recorded
        self.user = user
        self.process = None
        self.prefix = []   # of the command
        self.options = []  # of its recording

    def start(self, *command, port=None, environment=None):
        command = [*self.prefix, *command]
        if self.recorded:
            command = [harm.LIGHTCONE, *harm.RECORD, *self.options, '-o', str(self.folder / 'out.trace'), '--',
                       *command]
        self.process = subprocess.Popen(command, cwd=self.folder, stdin=subprocess.DEVNULL,
                                        stdout=open(self.folder / 'output', 'wb'), stderr=subprocess.STDOUT,
                                        user=self.user, env={**os.environ, **(environment or {})},
                                        extra_groups=[] if self.user else None)
        wait_for_port(port, self.process)

    def end(self, number=signal.SIGTERM):
        """Its status; `lightcone record` hands signals on."""
        self.process.send_signal(number)
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            output = (self.folder / 'output').read_text(errors='replace')[-500:]
            raise AssertionError(f'the server does not end: {output}') from None


def redis(server):
    port = free_port()
    server.start(find('redis-server'), '--port', str(port), '--bind', '127.0.0.1', '--save', '', '--io-threads', '4',
                 '--io-threads-do-reads', 'yes', '--appendonly', 'yes', '--dir', str(server.folder), port=port)
    answers = [talk(port, ''.join(f'SET k{i} {i}\r\nINCR n\r\n' for i in range(500)) + 'GET k7\r\n', '$1\r\n7\r\n')]
    answers.append(talk(port, 'BGREWRITEAOF\r\n', '\r\n')[:1])  # a fork
    return answers, server.end()


def memcached(server):
    port = free_port()
    server.start(find('memcached'), '-l', '127.0.0.1', '-p', str(port), '-t', '4', '-u', 'nobody', port=port)
    text = ''.join(f'set k{i} 0 0 3\r\n{i:03}\r\n' for i in range(500)) + 'get k1 k499\r\n'
    return talk(port, text, 'END\r\n'), server.end()


def nginx(server):
    port = free_port()
    (server.folder / 'index.html').write_text('<p>hello' * 1000)
    (server.folder / 'nginx.conf').write_text(
        'daemon off; master_process on; worker_processes 2;\n'
        f'pid {server.folder}/pid; error_log {server.folder}/error;\n'
        'thread_pool default threads=4;\n'
        'events {}\n'
        f'http {{ access_log off; client_body_temp_path {server.folder}/body; proxy_temp_path {server.folder}/proxy;\n'
        f'fastcgi_temp_path {server.folder}/fastcgi; uwsgi_temp_path {server.folder}/uwsgi; '
        f'scgi_temp_path {server.folder}/scgi;\n'
        f'server {{ listen 127.0.0.1:{port}; root {server.folder}; aio threads; }} }}\n')
    server.start(find('nginx'), '-p', str(server.folder), '-c', str(server.folder / 'nginx.conf'), port=port)
    pages = {urllib.request.urlopen(f'http://127.0.0.1:{port}/', timeout=PATIENCE).read() for _ in range(50)}
    return pages, server.end(signal.SIGQUIT)


def postgres(server):
    folders = sorted(Path('/usr/lib/postgresql').glob('*/bin'))
    data = server.folder / 'data'
    initdb, postgres_, psql = (find(name, *folders) for name in ('initdb', 'postgres', 'psql'))
    port = free_port()

    def as_user(*command):
        return subprocess.run(command, user=server.user, extra_groups=[] if server.user else None, cwd=server.folder,
                              capture_output=True, text=True, timeout=PATIENCE)
    made = as_user(initdb, '-D', str(data), '-A', 'trust', '-U', 'tester', '--no-sync')
    assert made.returncode == 0, made.stderr
    server.start(postgres_, '-D', str(data), '-p', str(port), '-h', '127.0.0.1', '-k', str(server.folder), port=port)
    answer = as_user(psql, '-h', '127.0.0.1', '-p', str(port), '-U', 'tester', '-d', 'postgres', '-Atc',
                     'CREATE TABLE t AS SELECT i FROM generate_series(1, 100000) i; SELECT sum(i), count(*) FROM t')
    return (answer.returncode, answer.stdout, answer.stderr), server.end(signal.SIGINT)


JAVA = '''
import java.io.*; import java.net.*; import java.util.concurrent.*;
public class Serve {
  public static void main (String[] arguments) throws Exception {
    ServerSocket listener = new ServerSocket (Integer.parseInt (arguments[0]), 50, InetAddress.getLoopbackAddress ());
    ExecutorService pool = Executors.newFixedThreadPool (4);
    ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<> ();
    while (true) {
      Socket socket = listener.accept ();
      pool.submit (() -> {
        try (BufferedReader in = new BufferedReader (new InputStreamReader (socket.getInputStream ()));
             PrintWriter out = new PrintWriter (socket.getOutputStream (), true)) {
          for (String line; (line = in.readLine ()) != null; )
            synchronized (map) { out.print (map.merge (line, 1, Integer::sum) + ";"); out.flush (); }
        } catch (IOException e) { }
      });
    }
  }
}
'''


def java(server):
    port = free_port()
    (server.folder / 'Serve.java').write_text(JAVA)
    compiler = find('javac')
    subprocess.run([compiler, 'Serve.java'], cwd=server.folder, check=True, timeout=PATIENCE, capture_output=True)
    server.start(find('java'), '-Xmx256m', '-cp', str(server.folder), 'Serve', str(port), port=port)
    return talk(port, 'a\nb\na\n' * 100, '200;'), server.end()


NODE = '''
const { Worker, isMainThread, parentPort } = require ('worker_threads');
if (!isMainThread) parentPort.on ('message', n => {
  let s = 0;
  for (let i = 0; i < n; i++) s += i;
  parentPort.postMessage (s);
});
else require ('net').createServer (socket => {
  const worker = new Worker (__filename);
  socket.on ('data', data => worker.postMessage (Number (data.toString ())));
  worker.on ('message', sum => { socket.end (sum + ';'); worker.terminate (); });
}).listen (Number (process.argv[2]), '127.0.0.1');
'''


def node(server):
    port = free_port()
    (server.folder / 'serve.js').write_text(NODE)
    server.start(find('node'), 'serve.js', str(port), port=port)
    return [talk(port, '100000', ';') for _ in range(10)], server.end()


def compare(function, place):
    found = []
    for recorded in (False, True):
        folder = place.folder()
        user = None
        for path in (place.top, folder):
            path.chmod(0o755)  # for those that become another user
        if function is postgres and os.geteuid() == 0:
            user = harm.NOBODY  # it will not be root
            os.chown(folder, user, -1)
        server = Server(folder, recorded, user)
        try:
            found.append(function(server))
        finally:
            if server.process is not None and server.process.poll() is None:
                server.process.terminate()
                server.process.wait(PATIENCE)
    assert found[0] == found[1], f'{str(found[0])[:700]} bare, {str(found[1])[:700]} recorded'
    harm.info(folder / 'out.trace')


def tests():
    for function in (redis, memcached, nginx, postgres, java, node):
        yield function.__name__, lambda place, function=function: compare(function, place)

"""memcached: several threads behind many connections, values of all sizes, evictions."""

import concurrent.futures
import hashlib
import socket

from harness.server import free_port, listens

PACKAGES = ["memcached"]


def value(client, i):
    return (b"%d-%d " % (client, i)) * (i * 37 % 900)


def talk(port, client):
    """Stores, reads back, appends and deletes; the hash of all that came back."""
    seen = hashlib.sha256()
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        stream = connection.makefile("rwb")

        def ask(line, data=None):
            stream.write(line + b"\r\n" + (b"" if data is None else data + b"\r\n"))
            stream.flush()
            answer = stream.readline()
            if answer.startswith(b"VALUE"):
                answer += stream.read(int(answer.split()[3]) + 2) + stream.readline()
            seen.update(answer)

        for i in range(1500):
            key = b"k%d.%d" % (client, i)
            data = value(client, i)
            ask(b"set %s 0 0 %d" % (key, len(data)), data)
            ask(b"get %s" % key)
            if i % 3 == 0:
                ask(b"append %s 0 0 4" % key, b"more")
                ask(b"get %s" % key)
            if i % 5 == 0:
                ask(b"delete %s" % key)
        ask(b"get no-such-key")
    return seen.hexdigest()


def case(lab):
    port = free_port()
    words = ["memcached", "-l", "127.0.0.1", "-p", str(port), "-U", "0", "-t", "4", "-m", "64"]
    with lab.server([*words, "-u", "nobody"], ready=lambda: listens(port)) as server:
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            lab.observe("answers", list(pool.map(lambda client: talk(port, client), range(8))))
        server.prove_loaded()

"""php-fpm behind nginx under load: every answer the same, no worker that dies, memory that stays."""

import glob
import hashlib
import http.client
import os
import signal
import threading

from harness import processes
from harness.server import free_port, listens

PACKAGES = ["nginx", "php-fpm", "wrk"]
SECONDS = 600

NGINX = """
daemon off;
{user}
worker_processes 2;
pid {folder}/nginx.pid;
error_log {folder}/error.log error;
events {{ worker_connections 512; }}
http {{
  access_log off;
  client_body_temp_path {folder}/temp/body;
  proxy_temp_path {folder}/temp/proxy;
  fastcgi_temp_path {folder}/temp/fastcgi;
  uwsgi_temp_path {folder}/temp/uwsgi;
  scgi_temp_path {folder}/temp/scgi;
  server {{
    listen 127.0.0.1:{port};
    location / {{
      fastcgi_pass unix:{folder}/fpm;
      fastcgi_param SCRIPT_FILENAME {folder}/root/work.php;
      fastcgi_param QUERY_STRING $query_string;
      fastcgi_param REQUEST_METHOD $request_method;
      fastcgi_param CONTENT_TYPE $content_type;
      fastcgi_param CONTENT_LENGTH $content_length;
    }}
  }}
}}
"""

# Workers leave after some requests, so that new ones are forked under load.
POOL = """
[global]
error_log = {folder}/fpm.log
daemonize = no
process_control_timeout = 20
[www]
{user}
listen = {folder}/fpm
listen.mode = 0666
pm = static
pm.max_children = 6
pm.max_requests = 700
env[USE_ZEND_ALLOC] = $USE_ZEND_ALLOC
"""

PHP = r"""<?php
$n = (int)($_GET['n'] ?? 1);
mt_srand($n);
$map = [];
for ($i = 0; $i < 2000 + $n * 10; $i++) $map["k" . mt_rand(0, 500)][] = str_repeat("v", $i % 60);
ksort($map);
$text = json_encode($map);
$swapped = preg_replace_callback('/k(\d+)/', fn($m) => "<" . $m[1] * $n . ">", $text);
$info = new finfo(FILEINFO_MIME_TYPE);
$wide = iconv("UTF-8", "UTF-16LE", substr($swapped, 0, 30000));
echo $n, " ", md5($swapped), " ", md5($wide), " ", $info->buffer($text), " ",
  strlen(gzcompress($swapped)), " ", count(unserialize(serialize($map))), " ",
  strlen(file_get_contents("php://input")), "\n", substr($swapped, 0, $n * 100), "\n";
"""

WRK = """
local n = 0
request = function()
  n = (n + 7) % 100
  if n % 10 == 0 then return wrk.format("POST", "/?n=" .. n, nil, string.rep("p", n * 300)) end
  return wrk.format("GET", "/?n=" .. n)
end
"""

_MAY_GROW = 1.25  # between two equal loads, beside 16 MiB


def resident_bytes(pids):
    """What the processes keep in memory together; pages they share count once."""
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
                total += sum(int(line.split()[1]) * 1024 for line in file if line.startswith("Pss:"))
        except OSError:
            pass  # it has just left
    return total


def ask(port, numbers, answers, problems):
    """One connection after the other: notes each answer; two for a number must be the same."""
    for number in numbers:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            body = b"b" * (number * 50) if number % 3 == 0 else None
            connection.request("POST" if body else "GET", f"/?n={number}", body)
            answer = connection.getresponse()
            digest = f"{answer.status} {hashlib.sha256(answer.read()).hexdigest()}"
        except OSError as error:
            digest = f"failed: {error}"
        finally:
            connection.close()
        if answers.setdefault(number, digest) != digest:
            problems.append(f"n={number}: {digest}, before {answers[number]}")


def case(lab):
    port = free_port()
    is_root = os.geteuid() == 0
    lab.write("root/work.php", PHP)
    lab.write("load.lua", WRK)
    os.makedirs(lab.path("temp"))
    lab.write("nginx.conf", NGINX.format(
        user="user nobody nogroup;" if is_root else "", folder=lab.folder, port=port))  # fmt: skip
    lab.write("fpm.conf", POOL.format(
        user="user = nobody\ngroup = nogroup" if is_root else "", folder=lab.folder))  # fmt: skip
    installed = sorted(glob.glob("/usr/sbin/php-fpm[0-9]*"))
    lab.require(installed, "php-fpm: not installed (see packages/soak.txt)")
    fpm_words = [installed[-1], "-y", lab.path("fpm.conf"), *(["-R"] if is_root else [])]

    def load(seconds):
        words = ["wrk", "-t2", "-c24", f"-d{seconds}s", "--timeout", "30s", "-s", lab.path("load.lua")]
        out = lab.run([*words, f"http://127.0.0.1:{port}/"], record=False, label="wrk", timeout=120).stdout
        for bad in (b"Non-2xx", b"Socket errors"):
            lab.require(bad not in out, out.decode())

    def compare_answers():
        answers, problems = {}, []
        clients = [
            threading.Thread(target=ask, args=(port, [n for n in range(60)] * 2, answers, problems))
            for _ in range(8)
        ]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        lab.require(not problems, "\n".join(problems[:5]))
        lab.observe("answers", "\n".join(f"{n} {answers[n]}" for n in sorted(answers)))

    for setting in ("1", "0"):
        fpm = lab.server(fpm_words, ready=lambda: os.path.exists(lab.path("fpm")),
                         env={"USE_ZEND_ALLOC": setting}, stop_signal=signal.SIGQUIT)  # fmt: skip
        web = ["nginx", "-c", lab.path("nginx.conf"), "-p", lab.folder]
        with fpm, lab.server(web, ready=lambda: listens(port), stop_signal=signal.SIGQUIT):
            compare_answers()
            load(10)
            first = resident_bytes(processes.descendants())
            load(10)
            fpm.process.send_signal(signal.SIGUSR2)  # a new generation, by exec
            compare_answers()
            load(10)
            last = resident_bytes(processes.descendants())
            print(f"{lab.allocator.name}: zend alloc {setting}: {first >> 20} MiB, then {last >> 20} MiB")
            lab.require(last < first * _MAY_GROW + (16 << 20), f"memory: {first} bytes, then {last}")
    for log in ("fpm.log", "error.log"):
        dead = [line for line in lab.read(log).splitlines() if b"signal" in line and b"exited" in line]
        lab.require(not dead, b"\n".join(dead).decode(errors="replace"))
    lab.observe("error log", lab.read("error.log"))

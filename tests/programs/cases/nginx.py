"""nginx with two workers under wrk, over loopback, with gzip, a reload under load, and curl."""

import os
import signal

from harness.server import free_port, listens

PACKAGES = ["nginx", "wrk", "curl"]

CONFIG = """
daemon off;
{user}
worker_processes 2;
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
events {{ worker_connections 256; }}
http {{
  access_log {folder}/access.log;
  types {{ text/plain txt; text/html html; }}
  client_body_temp_path {folder}/temp/body;
  proxy_temp_path {folder}/temp/proxy;
  fastcgi_temp_path {folder}/temp/fastcgi;
  uwsgi_temp_path {folder}/temp/uwsgi;
  scgi_temp_path {folder}/temp/scgi;
  gzip on; gzip_types text/plain; gzip_min_length 100;
  server {{
    listen 127.0.0.1:{port};
    root {folder}/root;
    location /list/ {{ autoindex on; autoindex_format json; }}
    location /again/ {{ proxy_pass http://127.0.0.1:{port}/; }}
    location ~ ^/say/(.*)$ {{ return 200 "you said $1\\n"; }}
  }}
}}
"""


def case(lab):
    port = free_port()
    sizes = {"small": 200, "middle": 20000, "big": 1500000}
    for name, size in sizes.items():
        lab.write(f"root/{name}.txt", "".join(f"{i * 7919 % 10007} " for i in range(size // 5)))
    for i in range(40):
        lab.write(f"root/list/{i}.html", "x" * i)
        os.utime(lab.path("root/list", f"{i}.html"), (1700000000, 1700000000))
    os.makedirs(lab.path("temp"))
    user = "user nobody nogroup;" if os.geteuid() == 0 else ""
    lab.write("nginx.conf", CONFIG.format(user=user, folder=lab.folder, port=port))
    url = f"http://127.0.0.1:{port}"

    def fetch(path, *words, **options):
        options.setdefault("label", " ".join(["curl", path, *words]))
        return lab.run(["curl", "-sS", *words, url + path], **options).stdout

    def load(path, also=(b"Socket errors",)):
        words = ["wrk", "-t2", "-c16", "-d1s", "--timeout", "10s", url + path]
        out = lab.run(words, record=False, label=f"wrk {path}").stdout
        for bad in (b"Non-2xx", *also):
            lab.require(bad not in out, f"wrk {path}: {out.decode()}")

    arguments = ["nginx", "-c", lab.path("nginx.conf"), "-p", lab.folder]
    with lab.server(arguments, ready=lambda: listens(port), stop_signal=signal.SIGQUIT) as server:
        for name in sizes:
            fetch(f"/{name}.txt")
            fetch(f"/{name}.txt", "--compressed")
            fetch(f"/{name}.txt", "-r", "50-1234")
            fetch(f"/again/{name}.txt")
        fetch("/list/")
        fetch("/missing", "-f", status=22)
        load("/middle.txt")
        load("/say/hello")
        server.prove_loaded()
        server.process.send_signal(signal.SIGHUP)
        load("/again/small.txt", also=())  # the workers that leave close their connections
        lab.observe("after the reload", fetch("/say/goodbye"))
    errors = lab.read("error.log").splitlines()  # time, pid, number of the connection, text
    lab.observe("error log", [line.split(b" ", 5)[5].split(b", client")[0] for line in errors])

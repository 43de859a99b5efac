"""postgres: initdb, a server with autovacuum and parallel workers, pgbench, as an ordinary user."""

import glob
import os
import signal

from harness.lab import CaseFailure

PACKAGES = ["postgresql"]
SECONDS = 150

QUERIES = """
CREATE TABLE t AS SELECT i, md5(i::text) AS h, i % 100 AS k FROM generate_series(1, 60000) i;
CREATE INDEX ON t(h); CREATE INDEX ON t(k, i DESC); ANALYZE t;
SELECT k, count(*), min(h), string_agg(substr(h, 1, 2), '' ORDER BY i) FROM t
  WHERE i % 50 = 0 GROUP BY k ORDER BY k;
SELECT count(*) FROM t a JOIN t b ON a.h = b.h AND a.i <= b.i;
SELECT jsonb_object_agg(i, jsonb_build_object('h', h, 'k', k)) FROM t WHERE i < 2000;
SELECT sum(length(regexp_replace(h, '[0-9]+', '<\\&>', 'g'))) FROM t;
DO $$ DECLARE s text := ''; BEGIN FOR n IN 1..20000 LOOP s := s || n; END LOOP;
  RAISE NOTICE 'length %', length(s); END $$;
WITH RECURSIVE r(n, s) AS (SELECT 1, 'a' UNION ALL SELECT n + 1, s || 'b' FROM r WHERE n < 2000)
  SELECT max(length(s)) FROM r;
SET work_mem = '64kB'; SELECT md5(string_agg(h, ',')) FROM (SELECT h FROM t ORDER BY h) x;
SET max_parallel_workers_per_gather = 2; SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SELECT sum(i), max(h) FROM t WHERE k < 90;
SELECT 1 / 0;
"""

FINAL = """
SELECT md5(string_agg(a::text, ',' ORDER BY aid)) FROM pgbench_accounts a;
SELECT count(*), sum(delta) FROM pgbench_history;
SELECT sum(bbalance) FROM pgbench_branches;
"""


def binaries():
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
    if not found:
        raise CaseFailure("initdb: not installed (see packages/test.txt)")
    return os.path.dirname(found[-1])


def without_keys(text):
    """A dump without the random keys of its \\restrict lines."""
    return b"\n".join(line for line in text.split(b"\n") if b"restrict " not in line)


def case(lab):
    programs = binaries()
    home = lab.give_to_unprivileged("home")
    sockets = lab.give_to_unprivileged("s")
    env = {"HOME": home, "PGHOST": sockets, "PGUSER": "owner", "PGDATABASE": "postgres"}

    def run(name, *words, **options):
        options.setdefault("label", " ".join([name, *words])[:50])
        command = [os.path.join(programs, name), *words]
        return lab.run(command, env=env, cwd=home, ordinary=True, **options)

    run("initdb", "-D", "data", "-U", "owner", "-A", "trust", "-N", "--locale=C", "-E", "UTF8",
        loads=[os.path.join(programs, "postgres")])  # fmt: skip
    words = [os.path.join(programs, "postgres"), "-D", "data", "-k", sockets, "-F"]
    for setting in ("listen_addresses=", "shared_buffers=16MB", "autovacuum_naptime=1s"):
        words += ["-c", setting]
    server = lab.server(
        words,
        ready=lambda: lab.probe([os.path.join(programs, "pg_isready"), "-h", sockets]) is not None,
        env=env,
        cwd=home,
        ordinary=True,
        stop_signal=signal.SIGINT,
    )
    with server:
        run("psql", "-X", "-a", "-A", "-t", stdin=QUERIES, label="queries")
        run("pgbench", "-i", "-q", "-s", "1", record=False)
        load = ["-n", "-t", "150", "-c", "4", "-j", "2", "--random-seed=42"]
        for protocol in ("simple", "prepared"):
            run("pgbench", *load, "-M", protocol, record=False)
            server.prove_loaded()
        run("psql", "-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", stdin=FINAL, label="final state")
        run("vacuumdb", "--analyze", "--quiet", "-j", "2", "postgres")
        run("pg_dump", "-t", "t", label="dump", clean=without_keys)
        run("psql", "-X", "-c", "SELECT * FROM missing", status=1)

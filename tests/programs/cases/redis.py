"""redis-server under redis-benchmark, BGSAVE (fork) beside load, asynchronous freeing, restart."""

from harness.lab import wait_for

PACKAGES = ["redis-server", "redis-tools"]

FILL = r"""
for i = 1, 20000 do
  redis.call('set', 's:' .. i, string.rep('v', i % 300))
  redis.call('hset', 'h:' .. i % 500, 'f' .. i, i * i)
  redis.call('zadd', 'z:' .. i % 50, i, 'm' .. i)
  redis.call('rpush', 'l:' .. i % 90, 'e' .. i)
  redis.call('sadd', 't:' .. i % 70, i)
  redis.call('xadd', 'x:' .. i % 5, i .. '-1', 'a', i)
  if i % 3 == 0 then redis.call('append', 's:' .. i / 3, 'more') end
  if i % 7 == 0 then redis.call('del', 's:' .. i / 7) end
end
return redis.call('dbsize')
"""

TESTS = "set,get,incr,lpush,rpush,lpop,rpop,sadd,hset,spop,zadd,zpopmin,lrange_100,mset"


def case(lab):
    socket = lab.path("s")

    def cli(*words, **options):
        options.setdefault("label", " ".join(["redis-cli", *words])[:50])
        return lab.run(["redis-cli", "-s", socket, *words], **options).stdout.strip()

    def answers():
        probe = lab.probe(["redis-cli", "-s", socket, "ping"])
        return probe == b"PONG\n"

    def start():
        words = ["--port", "0", "--unixsocket", socket, "--save", "", "--dir", lab.folder]
        words += ["--enable-debug-command", "yes", "--io-threads", "2", "--lazyfree-lazy-user-del"]
        return lab.server(["redis-server", *words, "yes"], ready=answers)

    def saved():
        state = cli("info", "persistence", record=False)
        lab.require(b"rdb_last_bgsave_status:ok" in state, "BGSAVE failed")
        return b"rdb_bgsave_in_progress:0" in state

    with start() as server:
        load = ["redis-benchmark", "-s", socket, "-q", "-c", "20", "-P", "8", "-r", "400"]
        load += ["-n", "8000", "-d", "100", "-t"]
        lab.run([*load, TESTS], record=False)
        server.prove_loaded()
        cli("dbsize")
        cli("llen", "mylist")
        keys = cli("keys", "*", record=False)
        lab.observe("keys", b"\n".join(sorted(keys.split())))
        cli("bgsave", label="save beside load")
        lab.run([*load, "set,get,lpush"], record=False)
        wait_for(saved, 120, "BGSAVE")
        cli("flushall", "async")
        lab.write("fill.lua", FILL)
        cli("--eval", lab.path("fill.lua"))
        digest = cli("debug", "digest")
        cli("bgsave")
        wait_for(saved, 120, "BGSAVE")
        cli("debug", "reload")
    with start():
        cli("debug", "digest", label="after the restart")
        lab.require(lab.records[-2][1] == digest + b"\n", "loaded data differ from those saved")
        cli("memory", "doctor", record=False)

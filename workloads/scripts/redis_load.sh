#!/bin/sh
# A server of keys and lists under load: redis_load.sh FOLDER. The server runs on the allocator that is
# preloaded, the load on the C library's. Reports the server's requests a second.
set -eu
socket=$1/redis.socket
redis-server --port 0 --unixsocket "$socket" --save '' --appendonly no >"$1/log" &
server=$!
unset LD_PRELOAD
trap 'kill $server 2>/dev/null || true' EXIT
tries=0
until redis-cli -s "$socket" ping >/dev/null 2>&1; do
  tries=$((tries + 1))
  if [ $tries = 100 ] || ! kill -0 $server 2>/dev/null; then
    echo "the server does not listen: $(tail -n 1 "$1/log")" >&2
    exit 1
  fi
  sleep 0.05
done
redis-benchmark -s "$socket" -n 200000 -r 20000 -d 90 -P 16 -q --csv -t set,get,lpush,lpop,sadd,hset >"$1/rates"
redis-cli -s "$socket" shutdown nosave >/dev/null 2>&1 || true
wait $server
awk -F, 'NR > 1 { gsub(/"/, ""); seconds += 200000 / $2; count += 200000 }
  END { if (count == 0) exit 1; printf "requests %.0f per_s\n", count / seconds }' \
  "$1/rates" >>"${MMT_BENCH_REPORT:-/dev/stdout}"

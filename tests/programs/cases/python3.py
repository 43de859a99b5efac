"""python3 with PYTHONMALLOC=malloc: objects, threads, fork, spawn, subprocess, ctypes, modules.

Debian's interpreter by its full path: another one in PATH may be built differently.
"""

PACKAGES = ["python3"]
PYTHON = "/usr/bin/python3"

DATA = r"""
import collections, decimal, gc, hashlib, json, random, re, zlib
random.seed(3)
words = ["w%d" % random.randrange(20000) for _ in range(120000)]
count = collections.Counter(words)
print(len(count), sorted(count.items())[:20])
rows = [{"id": i, "name": w, "tags": [w[:2], w[2:]]} for i, w in enumerate(words[:20000])]
text = json.dumps(rows)
back = json.loads(text)
print(len(text), hashlib.sha256(text.encode()).hexdigest(), back[777])
print(len(re.sub(r"(w\d)(\d*)", r"<\2\1>", " ".join(words))), len(re.findall(r"\bw1\d+", text)))
class Node:
    def __init__(self, n): self.n, self.me, self.data = n, self, [n] * (n % 30)
nodes = [Node(i) for i in range(60000)]
del nodes[::2]
nodes.clear()
print("collected", gc.collect() > 0)
blob = b"".join(zlib.compress(bytes([i % 256]) * i) for i in range(2000))
print(len(blob), zlib.crc32(blob))
print(decimal.Decimal(2).sqrt(decimal.Context(prec=800)))
big = 3 ** 60000
print(hash(big), big % 1000007)
buffer = bytearray()
for i in range(200000): buffer += i.to_bytes(4, "little")
print(hashlib.md5(buffer).hexdigest(), sum(map(len, (s * 3 for s in words))))
"""

THREADS = r"""
import concurrent.futures, queue, threading, hashlib
def work(n):
    parts = {i: hashlib.sha1(b"x" * (i * n % 5000)).hexdigest() for i in range(200)}
    return hashlib.sha1("".join(parts.values()).encode()).hexdigest()
with concurrent.futures.ThreadPoolExecutor(8) as pool:
    print("\n".join(pool.map(work, range(40))))
q, got = queue.Queue(100), []
def feed():
    for i in range(5000): q.put([i] * (i % 50))
    q.put(None)
def drain():
    while (item := q.get()) is not None: got.append(len(item))
pair = [threading.Thread(target=f) for f in (feed, drain)]
for t in pair: t.start()
for t in pair: t.join()
print(len(got), sum(got))
for _ in range(100):
    t = threading.Thread(target=lambda: [str(i) for i in range(500)]); t.start(); t.join()
threading.Thread(target=threading.Event().wait, daemon=True).start()
print("leaving with a thread that sleeps")
"""

PROCESSES = r"""
import multiprocessing, os, subprocess, sys, threading
table = {i: "v" * (i % 200) for i in range(30000)}
def square(n): return n * n + len(table[n])
def count(q, n): q.put(sum(len(table[i]) for i in range(0, 30000, n)))
if __name__ == "__main__":
    for method in "fork", "spawn", "forkserver":
        context = multiprocessing.get_context(method)
        with context.Pool(3) as pool:
            print(method, sum(pool.map(square, range(3000), 50)))
        q = context.Queue()
        many = [context.Process(target=count, args=(q, n)) for n in (2, 3, 5)]
        for p in many: p.start()
        print(sorted(q.get() for _ in many), [p.join() or p.exitcode for p in many])
    stop = threading.Event()
    def allocate():
        while not stop.is_set(): [bytes(n) for n in range(0, 3000, 7)]
    busy = [threading.Thread(target=allocate) for _ in range(3)]
    for t in busy: t.start()
    status = []
    for n in range(30):
        pid = os.fork()
        if pid == 0:
            os._exit(0 if len([str(i) * n for i in range(2000)]) == 2000 else 1)
        status.append(os.waitpid(pid, 0)[1])
    stop.set()
    for t in busy: t.join()
    print("forked beside allocating threads", sum(status))
    out = [subprocess.run([sys.executable, "-c", "print(len(list(range(%d))))" % n],
                          capture_output=True).stdout for n in range(5)]
    print(out, subprocess.run("exit 6", shell=True).returncode)
    print(subprocess.getoutput("echo $((6 * 7)) | cat"))
    sys.exit(8)
"""

FOREIGN = r"""
import ctypes, sqlite3
libc = ctypes.CDLL(None)
libc.malloc.restype = libc.realloc.restype = libc.calloc.restype = ctypes.c_void_p
libc.aligned_alloc.restype = ctypes.c_void_p
size = [ctypes.c_size_t]
libc.malloc.argtypes = size; libc.calloc.argtypes = libc.aligned_alloc.argtypes = size * 2
libc.free.argtypes = [ctypes.c_void_p]; libc.realloc.argtypes = [ctypes.c_void_p] + size
for n in range(0, 40000, 37):
    p = libc.malloc(n); ctypes.memset(p, n % 251, n); p = libc.realloc(p, n * 2 + 1)
    assert ctypes.string_at(p, n) == bytes([n % 251]) * n
    libc.free(p)
zero = libc.calloc(1000, 77); assert ctypes.string_at(zero, 77000) == bytes(77000); libc.free(zero)
for shift in range(4, 21):
    p = libc.aligned_alloc(1 << shift, 1 << shift); assert p % (1 << shift) == 0; libc.free(p)
compare = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))
array = (ctypes.c_int * 3000)(*[i * 7919 % 3001 for i in range(3000)])
libc.qsort(array, 3000, 4, compare(lambda a, b: a[0] - b[0]))
print(array[0], array[1500], array[2999])
libc.strdup.restype = ctypes.c_void_p
copy = libc.strdup(b"copied by libc"); print(ctypes.string_at(copy)); libc.free(copy)
db = sqlite3.connect(":memory:")
db.execute("create table t(a, b)")
db.executemany("insert into t values(?, ?)", ((i, "x" * (i % 300)) for i in range(30000)))
db.create_function("twice", 1, lambda x: x * 2)
print(db.execute("select sum(twice(a)), sum(length(b)) from t where a % 3 = 0").fetchone())
print(db.execute("select b from t group by length(b) order by a desc limit 3").fetchall())
print(libc.malloc(2 ** 62))
"""


def case(lab):
    env = {"PYTHONMALLOC": "malloc", "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    scripts = {"data": 0, "threads": 0, "processes": 8, "foreign": 0}
    for name, status in scripts.items():
        lab.write(f"{name}.py", globals()[name.upper()])
        lab.run([PYTHON, f"{name}.py"], env=env, status=status)
    lab.run([PYTHON, "-c", "import sys; sys.exit('message')"], env=env, status=1, label="exit")
    lab.run([PYTHON, "-c", "bytearray(2**62)"], env=env, status=1, label="no memory")

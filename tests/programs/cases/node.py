"""node: JSON, Buffers, worker_threads, child processes, zlib and crypto in its thread pool."""

PACKAGES = ["nodejs"]

SCRIPT = r"""
const { Worker, isMainThread, workerData, parentPort } = require('worker_threads');
const { execFile, fork, execSync } = require('child_process');
const { promisify } = require('util');
const crypto = require('crypto'), zlib = require('zlib'), fs = require('fs');
const sha = (x) => crypto.createHash('sha256').update(x).digest('hex');

if (process.argv[2] === 'child') {
  process.on('message', (m) => { process.send({ sum: m.list.reduce((a, b) => a + b, 0) });
                                 process.disconnect(); });
} else if (!isMainThread) {
  const map = new Map();
  for (let i = 0; i < 20000; i++) map.set('k' + i * workerData, Buffer.alloc(i % 500, i % 256));
  let n = 0;
  for (const b of map.values()) n += b.length + (b[0] || 0);
  const shared = new Uint8Array(new ArrayBuffer(100000)).fill(workerData);
  parentPort.postMessage({ n, id: workerData, shared }, [shared.buffer]);
} else {
  (async () => {
    const rows = [];
    for (let i = 0; i < 50000; i++)
      rows.push({ id: i, name: 'n' + (i * 7919) % 10007, on: i % 2 == 0 });
    const text = JSON.stringify(rows);
    console.log(text.length, sha(text), JSON.parse(text)[777]);
    const buffers = [];
    for (let i = 0; i < 20000; i++) buffers.push(Buffer.from(('b' + i).repeat(i % 20)));
    const all = Buffer.concat(buffers);
    console.log(all.length, sha(all), all.toString('base64').length);
    const inflate = promisify(zlib.inflate), deflate = promisify(zlib.deflate);
    const parts = Array.from({ length: 16 }, (_, i) => deflate(all.subarray(i * 999)));
    const packed = await Promise.all(parts);
    const back = await Promise.all(packed.map((p) => inflate(p)));
    console.log(packed.map((p) => p.length).join(), sha(Buffer.concat(back)));
    const scrypt = promisify(crypto.scrypt);
    const secrets = [1, 2, 3, 4].map((i) => scrypt('secret' + i, 'salt', 32, { N: 2048 }));
    const keys = await Promise.all(secrets);
    console.log(sha(Buffer.concat(keys)));
    const done = await Promise.all([1, 2, 3, 4, 5, 6].map((id) => new Promise((ok, bad) => {
      const w = new Worker(__filename, { workerData: id });
      let got; w.on('message', (m) => { got = m; }); w.on('error', bad);
      w.on('exit', (code) =>
        ok([got.id, got.n, got.shared.length, got.shared[99999], code].join(':')));
    })));
    console.log(done.join(' '));
    for (let i = 0; i < 5; i++) {
      const kid = fork(__filename, ['child']);
      kid.send({ list: Array.from({ length: 1000 * i }, (_, k) => k) });
      console.log(await new Promise((ok) => kid.on('message', (m) => ok(m.sum))));
    }
    console.log((await promisify(execFile)('echo', ['from', 'execFile'])).stdout.trim());
    console.log(execSync('seq 1 2000 | wc -l').toString().trim());
    await fs.promises.writeFile('out.bin', all);
    console.log(sha(await fs.promises.readFile('out.bin')));
    console.error('leaving');
    process.exit(6);
  })();
}
"""


def case(lab):
    lab.write("script.js", SCRIPT)
    lab.run(["node", "script.js"], status=6)
    lab.run(["node", "-e", "throw new Error('on purpose')"], status=1, stderr=False, label="throw")
    lab.run(["node", "--max-old-space-size=64", "-p", "[1, 2].map(x => x * 2)"], label="print")

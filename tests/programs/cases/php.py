"""php, with its own allocator and (USE_ZEND_ALLOC=0) with every object through malloc. It runs
alone and with the modules that Debian turns on, which it opens with RTLD_DEEPBIND."""

import os

PACKAGES = ["php-cli"]

SCRIPT = r"""<?php
mt_srand(5);
$map = [];
for ($i = 0; $i < 150000; $i++) $map["k" . mt_rand(0, 20000)][] = $i;
ksort($map);
echo count($map), " ", md5(json_encode($map)), "\n";
$text = "";
for ($i = 0; $i < 50000; $i++) $text .= "n$i:" . $i * $i . " ";
$swapped = preg_replace_callback('/n(\d+):(\d+)/', fn($m) => $m[2] . "<" . $m[1] . ">", $text);
echo strlen($text), " ", md5($swapped), "\n";
class Node { public $next; public $data; public $me;
  function __construct($n, $d) {
    $this->next = $n; $this->data = str_repeat("x", $d % 90); $this->me = $this;
  }
}
for ($round = 0; $round < 3; $round++) {
  $list = null;
  for ($i = 0; $i < 40000; $i++) $list = new Node($i % 100 ? $list : null, $i);
  unset($list);
}
gc_collect_cycles();
function walk($d) { if ($d == 0) return; yield $d; yield from walk($d - 1); }
echo array_sum(iterator_to_array(walk(300), false)), "\n";
$big = range(1, 200000); shuffle($big); sort($big);
echo $big[777], " ", count(array_chunk($big, 7)), "\n";
echo md5(serialize(unserialize(serialize($map)))), " ", strlen(gzcompress($text)), "\n";
fprintf(STDERR, "leaving\n");
exit(4);
"""

# Each of them allocates in one of the modules, or frees there what the program allocated.
MODULES = r"""<?php
echo implode(" ", get_loaded_extensions()), "\n";
$info = new finfo(FILEINFO_MIME);
echo $info->file(__FILE__), " ", $info->buffer("GIF89a\1\0\1\0"), "\n";
$long = str_repeat("gr\xc3\xbc\xc3\x9fe ", 20000);
echo md5(iconv("UTF-8", "UTF-16LE", $long)), " ", iconv_strlen($long, "UTF-8"), "\n";
echo count(PhpToken::tokenize(str_repeat('<?php $a = [1, "x"]; ?>', 3000))), "\n";
$archive = new PharData("made.tar");
for ($i = 0; $i < 60; $i++) $archive["part$i.txt"] = str_repeat("line $i\n", $i * 20);
$archive->compress(Phar::GZ);
echo count(new PharData("made.tar.gz")), " ", md5_file("phar://made.tar/part59.txt"), "\n";
$ffi = FFI::cdef("void* malloc(size_t); void free(void*); char* strdup(const char*);");
for ($i = 1; $i < 2000; $i++) { $ffi->free($ffi->malloc($i * 37)); $ffi->free($ffi->strdup("copy $i")); }
$pair = []; socket_create_pair(AF_UNIX, SOCK_STREAM, 0, $pair);
socket_write($pair[0], str_repeat("s", 5000)); echo strlen(socket_read($pair[1], 9000)), "\n";
$shared = shmop_open(0, "c", 0600, 10000) and shmop_delete($shared);
echo posix_getpwuid(0)["name"], " ", ctype_alpha("abc") ? "alpha" : "", " ";
echo jdtogregorian(2451545), " ", gettext("same"), "\n";
function burn($n) { $s = 0; for ($i = 0; $i < $n; $i++) $s = ($s * 31 + $i) % 1000003; return $s; }
echo burn(300000), " ", opcache_get_status() === false ? "no cache" : "cached", "\n";
"""


def case(lab):
    lab.write("script.php", SCRIPT)
    for setting in ("1", "0"):
        words = ["php", "-n", "-d", "memory_limit=1G", "script.php"]
        lab.run(words, env={"USE_ZEND_ALLOC": setting}, status=4, label=f"zend alloc {setting}")
    lab.write("modules.php", MODULES)
    for setting, cache in (("1", "1"), ("0", "0")):
        options = ["memory_limit=1G", f"opcache.enable_cli={cache}", "opcache.jit_buffer_size=16M"]
        words = ["php", *(word for option in options for word in ("-d", option))]
        env = {"USE_ZEND_ALLOC": setting}
        lab.run([*words, "modules.php"], env=env, label=f"modules, zend alloc {setting}")
        lab.run([*words, "script.php"], env=env, status=4, label=f"with modules, {setting}")
        os.unlink(lab.path("made.tar"))
        os.unlink(lab.path("made.tar.gz"))
    lab.run(["php", "-r", 'readline_add_history("x"); echo count(readline_list_history());'], label="readline")
    lab.run(["php", "-n", "-r", "missing();"], status=255, label="error")

"""php, with its own allocator and (USE_ZEND_ALLOC=0) with every object through malloc."""

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


def case(lab):
    lab.write("script.php", SCRIPT)
    for setting in ("1", "0"):
        words = ["php", "-n", "-d", "memory_limit=1G", "script.php"]
        lab.run(words, env={"USE_ZEND_ALLOC": setting}, status=4, label=f"zend alloc {setting}")
    lab.run(["php", "-n", "-r", "missing();"], status=255, label="error")

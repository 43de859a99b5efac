"""gawk: associative arrays, regular expressions, string building, sorting, pipes, big numbers."""

PACKAGES = ["gawk"]

WORDS = r"""
BEGIN {
  seed = 42
  for (i = 0; i < 120000; i++) {
    seed = (seed * 1103515245 + 12345) % 2147483648
    word = sprintf("w%d", seed % 20011)
    count[word]++
    where[word] = where[word] " " i
  }
  n = asorti(count, order)
  for (i = 1; i <= n; i += 97) print order[i], count[order[i]], length(where[order[i]])
  for (word in count) if (count[word] > 5) delete count[word]
  print length(count)
  for (i = 0; i < 300; i++) for (j = 0; j < 100; j++) matrix[i][j] = i * j
  for (i in matrix) total += length(matrix[i])
  print total
}
"""

TEXT = r"""
function reverse(s,   r, i) { for (i = length(s); i > 0; i--) r = r substr(s, i, 1); return r }
{
  line = gensub(/([0-9]+)x/, "<\\1>", "g")
  gsub(/b+/, "B", line)
  n = split(line, parts, /[,;]/)
  print NR, n, toupper(parts[1]), reverse(parts[n])
  if (match(line, /([a-z]+);([a-z]+)/, got)) print got[1] "|" got[2]
  print line | "sort"
}
END { close("sort"); while (("seq 1 200" | getline x) > 0) s += x; print s }
"""


def case(lab):
    lab.run(["gawk", WORDS], label="words")
    rows = "".join(f"a{i}x,bb{i % 7}bb;left;right{i * i}\n" for i in range(4000))
    lab.run(["gawk", TEXT], stdin=rows, label="text", loads=["sort", "seq"])
    lab.run(["gawk", "-M", "BEGIN { print 2^4000; print 3^1000 % 10^50 }"], label="big numbers")
    lab.run(["gawk", 'BEGIN { print substr("x", }'], status=1, label="syntax error")
    lab.run(["gawk", "BEGIN { exit 5 }"], status=5, label="exit")

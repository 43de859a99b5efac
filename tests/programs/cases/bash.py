"""bash: arrays, subshells, pipes, traps, here documents, process substitution, many forks."""

PACKAGES = ["bash", "coreutils"]

ARRAYS = r"""
declare -a numbers
declare -A squares
for ((i = 0; i < 3000; i++)); do
  numbers+=("$i")
  squares["key$i"]=$((i * i))
done
sum=0
for n in "${numbers[@]}"; do sum=$((sum + squares["key$n"])); done
echo "sum $sum, count ${#numbers[@]} ${#squares[@]}"
text=""
for ((i = 0; i < 2000; i++)); do text="$text$i,"; done
echo "length ${#text}, replaced ${#text} ${text//1/one}" | md5sum
IFS=, read -ra parts <<<"$text"
echo "parts ${#parts[@]} last ${parts[1999]}"
mapfile -t lines < <(seq 1 5000)
echo "lines ${#lines[@]} ${lines[4999]}"
unset 'numbers[5]'
echo "${!numbers[@]}" | md5sum
[[ "release-12.34" =~ ^([a-z]+)-([0-9]+)\.([0-9]+)$ ]] && echo "${BASH_REMATCH[@]}"
printf '%s\n' {a..e}{1..3} | tr '\n' ' '
"""

PROCESSES = r"""
trap 'echo leaving with $?' EXIT
trap 'echo got USR1' USR1
kill -USR1 $BASHPID
for i in {1..40}; do
  result=$(echo "$i" | { read -r x; echo $((x * 2)); })
  total=$((total + result))
done
echo "total $total"
for i in {1..10}; do (sleep 0.01; exit "$i") & pids+=($!); done
failed=0
for pid in "${pids[@]}"; do wait "$pid" || failed=$((failed + $?)); done
echo "failed $failed"
diff <(seq 1 100) <(seq 1 99) | tail -1
coproc counter { while read -r line; do echo "${#line}"; done; }
echo "hello there" >&"${counter[1]}"
read -r length <&"${counter[0]}"
echo "length $length"
eval "exec ${counter[1]}>&-"
wait
f() { local depth=$1; ((depth == 0)) && return 7; f $((depth - 1)); }
f 200
echo "returned $?"
echo "to stderr" >&2
cat <<END | sort -r
one $((1 + 1))
two $(echo nested "$(echo deeper)")
END
exit 3
"""


def case(lab):
    lab.write("arrays.sh", ARRAYS)
    lab.run(["bash", "arrays.sh"], loads=["md5sum", "seq", "tr"])
    lab.write("processes.sh", PROCESSES)
    lab.run(["bash", "processes.sh"], status=3, loads=["sort", "diff", "sleep"])
    lab.run(["bash", "-c", "sleep 0.2; kill -9 $$"], status=-9, label="killed")
    lab.run(["bash", "-c", "no-such-command"], status=127)

# Completion of mmt(1) for bash. Options of the library are asked of mmt itself.

_mmt_options() {
  "${COMP_WORDS[0]}" list options 2>/dev/null | tail -n +2 | cut -d' ' -f1
}

_mmt_allocators() {
  "${COMP_WORDS[0]}" list allocators 2>/dev/null | tail -n +2 | cut -d' ' -f1
}

_mmt() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local verb=${COMP_WORDS[1]} i
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W 'run stats list doctor bench study report --help --version' -- "$current")
    return
  fi
  for ((i = 2; i < COMP_CWORD; i++)); do
    if [[ ${COMP_WORDS[i]} == -- ]]; then
      declare -F _command_offset >/dev/null && _command_offset $((i + 1))
      return
    fi
  done
  case $verb:$previous in
    run:-o)
      mapfile -t COMPREPLY < <(compgen -S = -W "$(_mmt_options)" -- "$current")
      compopt -o nospace
      ;;
    bench:--allocators)
      mapfile -t COMPREPLY < <(compgen -W "$(_mmt_allocators)" -- "$current")
      ;;
    bench:--only | bench:--runs | bench:--budget | bench:--timeout | bench:--seed | bench:--pin)
      ;;
    bench:--json | bench:--csv | bench:--suite)
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      ;;
    run:*)
      mapfile -t COMPREPLY < <(compgen -W "--stats --heap --backend --protocol --no-follow --quiet --strict --help -o --
        $(_mmt_options | grep -vxE 'follow|quiet|stats' | sed 's/^/--/; s/_/-/g')" -- "$current")
      ;;
    stats:*)
      mapfile -t COMPREPLY < <(compgen -W "--full --json --watch --help $(pgrep -u "$UID" . 2>/dev/null)" -- "$current")
      ;;
    list:*)
      mapfile -t COMPREPLY < <(compgen -W 'heaps backends protocols allocators studies options
        --json --markdown --help' -- "$current")
      ;;
    doctor:*)
      mapfile -t COMPREPLY < <(compgen -W '--json --help' -- "$current")
      ;;
    report:--output)
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      ;;
    report:*)
      mapfile -t COMPREPLY < <(compgen -f -W '--output --help' -- "$current")
      ;;
    study:*)
      mapfile -t COMPREPLY < <(compgen -W "heap-layers mmt --list --only --output --budget --rounds --seed
        --timeout --small --paper-inputs --fresh --quiet --help" -- "$current")
      ;;
    bench:*)
      mapfile -t COMPREPLY < <(compgen -W "--suite --only --allocators --runs --budget --timeout
        --seed --pin --json --csv --latency --demo --list --quiet --help --
        $("${COMP_WORDS[0]}" bench --list 2>/dev/null | cut -d/ -f1 | sort -u)" -- "$current")
      ;;
  esac
}

complete -F _mmt mmt

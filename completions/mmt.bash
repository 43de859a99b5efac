# Completion of mmt(1) for bash, which asks `mmt complete`. Needs no other package.
_mmt() {
  local line=${COMP_LINE:0:COMP_POINT} current=${COMP_WORDS[COMP_CWORD]} typed word
  local -a words
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  typed=${words[-1]}
  # Bash begins a new word behind '=' and ':'; what stands before it stays.
  [[ $current == [=:] ]] && current=
  mapfile -t COMPREPLY < <("${words[0]}" complete -- "${words[@]:1}" 2>/dev/null)
  for word in "${!COMPREPLY[@]}"; do
    COMPREPLY[word]=${COMPREPLY[word]#"${typed%"$current"}"}
  done
  [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[/=] ]] && compopt -o nospace 2>/dev/null
}
complete -F _mmt mmt

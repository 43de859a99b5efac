# Completion of mmt(1) for bash, which asks `mmt complete`. Needs no other package.

# Sets `words` to those of a line as the shell reads them, without quotes. The last may be unfinished.
__mmt_words() {
  local line=$1 quote= word= begun= c i
  words=()
  for ((i = 0; i < ${#line}; i++)); do
    c=${line:i:1}
    if [[ $quote != "'" && $c == \\ ]]; then
      ((++i))
      word+=${line:i:1} begun=1
    elif [[ $quote ]]; then
      if [[ $c == "$quote" ]]; then quote=; else word+=$c; fi
    elif [[ $c == [\'\"] ]]; then
      quote=$c begun=1
    elif [[ $c == [[:space:]] ]]; then
      [[ $begun ]] && words+=("$word")
      word= begun=
    else
      word+=$c begun=1
    fi
  done
  words+=("$word")
}

_mmt() {
  local current=${COMP_WORDS[COMP_CWORD]} typed begin word
  local -a words
  # A home is the shell's to find.
  [[ $current == '~'* ]] && { compopt -o default; return; }
  # Bash begins a new word behind '=' and ':'; what stands before it stays.
  [[ $current == [=:] ]] && current=
  __mmt_words "$current"
  typed=${words[0]}
  __mmt_words "${COMP_LINE:0:COMP_POINT}"
  begin=${words[-1]%"$typed"}
  mapfile -t COMPREPLY < <("${words[0]}" complete -- "${words[@]:1}" 2>/dev/null)
  for word in "${!COMPREPLY[@]}"; do
    COMPREPLY[word]=${COMPREPLY[word]#"$begin"}
    if [[ $current != [\'\"]* && ${COMPREPLY[word]} == *[!A-Za-z0-9_./:=,+%@-]* ]]; then
      printf -v "COMPREPLY[word]" %q "${COMPREPLY[word]}"
    fi
  done
  [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[/=] ]] && compopt -o nospace 2>/dev/null
}
complete -F _mmt mmt

# Completion of mmt(1) for fish, which asks `mmt complete`.
function __mmt_complete
    set -l words (commandline -opc)
    $words[1] complete -- $words[2..] (commandline -ct) 2>/dev/null
end
complete -c mmt -f -a '(__mmt_complete)'

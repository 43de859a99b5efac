# Completion of mmt(1) for fish. Options of the library are asked of mmt itself.

function __mmt_names
    mmt list $argv[1] 2>/dev/null | tail -n +2 | string split -f1 ' '
end

function __mmt_verb
    __fish_seen_subcommand_from $argv[1]; and not contains -- -- (commandline -opc)
end

complete -c mmt -f
complete -c mmt -n __fish_use_subcommand -a run -d 'Run a program with its memory managed by MMT'
complete -c mmt -n __fish_use_subcommand -a stats -d 'Show the heap of a running program'
complete -c mmt -n __fish_use_subcommand -a list -d 'List heaps, allocators, options, ...'
complete -c mmt -n __fish_use_subcommand -a doctor -d 'Show what this machine offers to MMT'
complete -c mmt -n __fish_use_subcommand -a bench -d 'Compare allocators on programs'
complete -c mmt -n __fish_use_subcommand -a study -d 'Regenerate figures and tables of the papers'
complete -c mmt -n __fish_use_subcommand -a report -d 'Join results of bench and study into one page'
complete -c mmt -l help -d 'Print help'

complete -c mmt -n '__mmt_verb run' -l stats -d 'Write statistics at exit'
complete -c mmt -n '__mmt_verb run' -l no-follow -d 'Programs started run without MMT'
complete -c mmt -n '__mmt_verb run' -s q -l quiet -d 'No messages of MMT'
complete -c mmt -n '__mmt_verb run' -x -l heap -a 'native kingsley kingsley-coalescing lea phk hoard' -d 'Heap to run on, in line'
complete -c mmt -n '__mmt_verb run' -l backend -a 'native glibc kingsley kingsley-coalescing lea phk hoard jemalloc mimalloc tcmalloc tbbmalloc' -d 'Allocator to put behind the memory thread'
complete -c mmt -n '__mmt_verb run' -x -l protocol -a 'mmt sync async-free main-alloc-pthread main-alloc-minimalist main-alloc-bulk preallocate recycle-shared recycle-sized' -d 'How program and memory thread share the work'
complete -c mmt -n '__mmt_verb run' -l strict -d 'Refuse programs that cannot be served'
complete -c mmt -n '__mmt_verb run' -s o -x -a '(__mmt_names options | string replace -r "\$" "=")'
complete -c mmt -n '__mmt_verb run' -a '(__mmt_names options | string match -vr "^(follow|quiet|stats)\$" | string replace -a _ - | string replace -r "^" -- --)'
complete -c mmt -n '__fish_seen_subcommand_from run bench; and contains -- -- (commandline -opc)' \
    -a '(__fish_complete_subcommand --fcs-skip=3)'

complete -c mmt -n '__mmt_verb stats' -a '(__fish_complete_pids)'
complete -c mmt -n '__mmt_verb stats' -l full -d 'Every figure'
complete -c mmt -n '__mmt_verb stats' -l watch -x -d 'Again every so many seconds'
complete -c mmt -n '__mmt_verb list' -a 'heaps backends protocols allocators studies options'
complete -c mmt -n '__mmt_verb list' -l markdown -d 'Options as a table'
complete -c mmt -n '__fish_seen_subcommand_from stats list doctor' -l json -d 'As JSON'

complete -c mmt -n '__mmt_verb bench' -a '(mmt bench --list 2>/dev/null | string split -f1 / | sort -u)'
complete -c mmt -n '__mmt_verb bench' -l allocators -x -a '(__mmt_names allocators)'
complete -c mmt -n '__mmt_verb bench' -l suite -r -F -d 'Suite by file'
complete -c mmt -n '__mmt_verb bench' -l json -r -F -d 'Write a report'
complete -c mmt -n '__mmt_verb bench' -l csv -r -F -d 'Write every sample'
for flag in only runs budget timeout seed pin
    complete -c mmt -n '__mmt_verb bench' -l $flag -x
end
for flag in latency demo list quiet
    complete -c mmt -n '__mmt_verb bench' -l $flag
end
complete -c mmt -n '__mmt_verb study' -a 'heap-layers mmt'
for flag in only output budget rounds seed timeout
    complete -c mmt -n '__mmt_verb study' -l $flag -x
end
for flag in list small paper-inputs fresh quiet help
    complete -c mmt -n '__mmt_verb study' -l $flag
end
complete -c mmt -n '__mmt_verb report' -F
complete -c mmt -n '__mmt_verb report' -l output -r -F -d 'The page'

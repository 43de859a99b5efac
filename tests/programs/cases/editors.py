"""vim in silent mode and ed: macros, substitutions, undo, sorting, many small strings."""

PACKAGES = ["ed", "vim-tiny"]

VIM = r"""
set nomore undolevels=1000 nocompatible
%s/\(\d\+\) \(\w\+\)/\2:\1/g
sort! /:/
g/7$/d
1,500m$
2000,2500y a | $put a
undo | redo
let s = 0
%s/x/yy/ge
1,3join
w! out.txt
g/5/s/5/five/g
%!sort -r | head -700
w! filtered.txt
q!
"""

ED = r"""H
1,$s/\([0-9]*\) word/\1-WORD/
g/9$/d
1,200m$
,n
w out.ed
u
/300/p
v/1/s/W/w/
w again.ed
q
"""


def case(lab):
    rows = "".join(f"{i} word{i * 7919 % 3001}x\n" for i in range(8000))
    lab.write("rows.txt", rows)
    lab.write("script.vim", VIM.strip())
    lab.run(["vim.tiny", "-u", "NONE", "-i", "NONE", "-es", "-S", "script.vim", "rows.txt"],
            status=None)  # fmt: skip
    for name in ("out.txt", "filtered.txt"):
        lab.observe(name, lab.read(name))
    lab.run(["ed", "-s", "rows.txt"], stdin=ED)
    for name in ("out.ed", "again.ed"):
        lab.observe(name, lab.read(name))

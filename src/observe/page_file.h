#pragma once
// Option stats=FOLDER/ keeps the statistics page of each process in a file of that folder as well.
// The file is named by process id and time. There `mmt run --stats` reads it also when the process
// has been killed. A process that may not write to the folder of such a run, having changed its
// user, makes its file beside it. Nothing here allocates. Where a file cannot be made (no such
// folder for this user, no space, a limit) the process goes without.
#include "interprocess/stats_page.h"

namespace mmt::heap {
struct Heap;
}  // namespace mmt::heap

namespace mmt::observe {

using heap::Heap;

// Once, from the library's constructor: the folder, whose path ends in a slash.
void keep_page_in(const char* folder);

// Makes the file of this process, with the figures that the page has; `inherited`: they are the
// parent's doing. Does nothing without a folder.
void open_page_file(Heap& heap, const StatsPage& page, bool inherited);

// The file, as memory. nullptr: there is none, or the caller is a vfork's child. Under a filter of
// system calls that child has it too: what it writes there holds for the heap that it shares.
PageFile* page_file(Heap& heap);

// A fork's child: the file in memory is the parent's. False: there was none.
bool leave_page_file_in_child(Heap& heap);

}  // namespace mmt::observe

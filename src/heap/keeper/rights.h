#pragma once
// The memory thread has no right that the program's threads gave up. It gives up all capabilities
// as it starts. It has its starter's users and groups, and a change of those ends it. Either the
// calls that make a change end it (confine/credentials.h), or it sees that a change was made past
// them. The next client that is due starts it anew, as a thread of that client's. The thread does
// not start at once, as changes come in series. Where they come often, it stays away for long
// (absence.h).
//
// The process may have been started with a seccomp filter. Under such a filter the memory thread
// asks for nothing that might kill. It keeps its capabilities, and calls that give some up end it
// too.
#include <cstdint>

namespace mmt::heap {

struct Heap;

// --- the program's threads, in any context; errno is kept ---

// Ends the memory thread for a change that the caller is about to make, or has made. The call waits
// until nobody can see the thread any more, and tells whether there was one. The thread comes again
// as above.
bool stop_for_change(Heap& heap);
// The caller has changed users or groups, or what nobody can read of a thread (Landlock, memory
// policy). These are its own, or with `of_all` those of all threads.
void note_changed_identity(Heap& heap, bool of_all);
// The caller may have given up capabilities, or what an exec could give it, or a part of its
// bounding set.
void note_changed_capabilities(Heap& heap, bool of_bounding_set);

// When so much has been fetched, the memory thread is still to stay away.
bool rights_forbid_start(Heap& heap, uint64_t fetched);

// --- the memory thread ---

// It leaves, as the program's threads have others, or, `differing`, others among themselves.
void note_left_for_rights(Heap& heap, bool differing);

}  // namespace mmt::heap

#pragma once
// The memory thread has no right that the program's threads gave up. It gives up all capabilities
// as it starts. It has its starter's users and groups, and a change of those ends it: by the calls
// that make one (abi/credentials.inc), or as it sees that one was made past them. It starts anew by
// the next client that is due, as a thread of that one's; not at once, as changes come in series,
// and not for long where they come often (absence.h).
//
// Under a seccomp filter that the process was started with it asks for nothing that might kill: it
// keeps its capabilities, and calls that give some up end it too.
#include <cstdint>

namespace mmt::offload {

struct Heap;

// --- the program's threads, in any context; errno is kept ---

// Ends the memory thread for a change that the caller is about to make, or has made, and waits
// until nobody can see it any more. Whether there was one. It comes again as above.
bool stop_for_change(Heap& heap);
// The caller has changed users or groups, or what nobody can read of a thread (Landlock, memory
// policy): its own, or `of_all` those of all threads.
void note_changed_identity(Heap& heap, bool of_all);
// The caller may have given up capabilities, or what an exec could give it, or a part of its
// bounding set.
void note_changed_capabilities(Heap& heap, bool of_bounding_set);

// When so much has been fetched, the memory thread is still to stay away.
bool rights_forbid_start(Heap& heap, uint64_t fetched);

// --- the memory thread ---

// It leaves, as the program's threads have others, or, `differing`, others among themselves.
void note_left_for_rights(Heap& heap, bool differing);

}  // namespace mmt::offload

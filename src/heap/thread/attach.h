#pragma once
// Threads get clients, and hand them over as they end.
#include "heap/object/client.h"

namespace mmt::heap {

// A client for the calling thread, which has none; nullptr when the heap is not open, the registry
// is full or memory is short. The thread goes without one then.
Client* attach_client(Heap& heap);

// One for a thread to come. False as above.
bool add_client_ahead(Heap& heap);

// Once, when the heap opens: ended(heap) is called as a thread ends that has a client.
void prepare_thread_ends(void (*ended)(Heap& heap));

}  // namespace mmt::heap

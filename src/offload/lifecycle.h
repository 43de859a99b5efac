#pragma once
// What ties the heap to the life of threads and of the process.
namespace mmt::offload {

// Once, when the heap opens: lets ended threads hand over their clients.
void prepare_thread_ends();
// For the calling thread, which has just got a client.
void watch_thread_end();

// Registers the handlers of fork; once, whoever calls. From the library's constructor at the
// latest.
void install_fork_handlers();

}  // namespace mmt::offload

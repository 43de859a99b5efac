#pragma once
// ProcessServer is the memory thread of a library that is the one heap of its process. The thread
// counts among the program's threads in libc. So it sees by itself when those have ended, and ends
// as the last.
#include <sys/syscall.h>

#include <atomic>
#include <cstdint>
#include <optional>

#include <mmt/layers/thread/offload/pthread_server.h>
#include <mmt/sys/last_thread.h>
#include <mmt/sys/syscall.h>
#include <mmt/sys/thread.h>

namespace mmt::heaps {

class ProcessServer : public layers::PthreadServer {
 public:
  // By the main thread, before there are others; also a fork's child's.
  static void adopt_process() { sys::watch_main_thread(sys::current_process_id()); }

  // It is as PthreadServer's. What an earlier thread found out about its calls holds for that one.
  bool start(void (*entry)(void*), void* argument, const pthread_attr_t* attributes = nullptr) {
    join();
    sleep_ = sys::WatchfulSleep{};
    return PthreadServer::start(entry, argument, attributes);
  }
  // The thread's own, as what follows.
  static void sleep(std::atomic<uint32_t>& word, uint32_t expected, int64_t wait_ns) {
    sleep_(word, expected, wait_ns);
  }
  static void note_work() { sleep_.note_work(); }

  // Whether the caller is the process's last thread. It is to end by itself as a thread of libc's,
  // so that libc ends the process if it knows of no other. Where the main thread ended past libc,
  // the caller ends here, by that one's status.
  static bool is_last() {
    if (!sys::main_thread_has_ended()) return false;
    const std::optional<int> status = sys::status_of_last_thread();
    if (status.value_or(0) != 0) sys::raw_syscall(SYS_exit, *status);
    return status.has_value();
  }

 private:
  static inline sys::WatchfulSleep sleep_;
};

}  // namespace mmt::heaps

#pragma once
// The memory thread of a layered heap that is a whole library: one of pthread's, which has no more
// rights than the program's threads. One for a process.
#include <mmt/offload/pthread_server.h>
#include <mmt/sys/rights_handover.h>

namespace mmt::heaps {

class ServerThread : public offload::PthreadServer {
 public:
  // Between two steps of the thread's.
  struct Errands {
    static void open() { handover_.open(); }
    static bool are_waiting() { return handover_.is_asked(); }
    static void run() { handover_.answer(); }
    static void close() { handover_.close(); }
  };

  void reset_in_child() {
    PthreadServer::reset_in_child();
    handover_.reset_in_child();
  }

  template <class Wake>
  static void hand_over_rights(Wake&& wake) {
    handover_.hand_over(wake);
  }
  static void follow_class_of_caller() { handover_.follow_class_of_caller(); }

 private:
  static inline constinit sys::RightsHandover handover_;
};

}  // namespace mmt::heaps

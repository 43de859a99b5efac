#pragma once
// The memory thread of a layered heap that is a whole library: one of pthread's, which has no more
// rights than the program's threads. One for a process.
#include <cstdint>

#include <mmt/sys/rights.h>
#include <mmt/sys/rights_handover.h>
#include <mmt/sys/thread.h>

#include "heap/object/absence.h"
#include "heaps/process_server.h"

namespace mmt::heaps {

// A heap that writes messages needs the program's descriptors, and does not look.
enum class Looks : uint8_t { kNo, kYes };

template <Looks kLooks = Looks::kYes>
class ServerThread : public ProcessServer {
 public:
  bool start(void (*entry)(void*), void* argument) {
    handover_.expect();
    if (ProcessServer::start(entry, argument)) return true;
    handover_.close();
    return false;
  }
  // See offload_server.h.
  struct Errands {
    static void open() {
      handover_.open();
      looks_ = kLooks == Looks::kYes && !sys::is_filtered() && sys::leave_open_files();
      if (looks_) watch_.open(sys::current_thread_id(), sys::current_process_id());
    }
    static bool are_waiting() { return handover_.is_asked(); }
    static void run() { handover_.answer(); }
    template <class Clock>
    static bool must_leave(Clock&& now) {
      if (!looks_) return false;
      const uint64_t now_ns = now();
      const sys::Standing standing = watch_.look_if_due(now_ns, false);
      if (watch_.looks() != looked_) {
        looked_ = watch_.looks();
        handover_.follow(watch_);
      }
      // A thread that starts the next one has the program's users and groups.
      if (standing != sys::Standing::kAlike) {
        const uint64_t volume = volume_.load(std::memory_order_relaxed);
        absence_.note_end(now_ns, volume);
        if (standing == sys::Standing::kDiffers) absence_.note_difference();
      }
      return standing != sys::Standing::kAlike;
    }
    static void close() { handover_.close(); }
    static bool stays_away(uint64_t volume) {
      // It is relaxed, as above: a number.
      volume_.store(volume, std::memory_order_relaxed);
      return absence_.holds(volume);
    }
  };

  void reset_in_child() {
    ProcessServer::reset_in_child();
    handover_.reset_in_child();
    absence_.reset_in_child();
  }

  template <class Wake>
  static void hand_over_rights(const sys::SystemCall& made, Wake&& wake) {
    handover_.hand_over(made, wake);
  }
  static void follow_class_of_caller() { handover_.follow_class_of_caller(); }

 private:
  static inline constinit sys::RightsHandover handover_;
  static inline constinit heap::Absence absence_;
  static inline constinit std::atomic<uint64_t> volume_{0};
  // It is the thread's.
  static inline constinit sys::RightsWatch watch_;
  static inline constinit bool looks_ = false;
  static inline constinit uint32_t looked_ = 0;
};

}  // namespace mmt::heaps

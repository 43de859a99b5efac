#pragma once
// HandedOver is what confine/background_thread.h asks for, of a thread that libc knows. The thread
// goes on beside calls that confine the program. It takes over rights that the program's threads
// change each for itself.
#include <mmt/sys/syscall.h>

namespace mmt::confine {

// Heap: hand_over_rights(call), follow_class_of_caller().
template <class Heap>
struct HandedOver {
  static bool stop() { return false; }
  static void start_early() {}
  static void reconsider() { Heap::follow_class_of_caller(); }
  static void start_none(bool) {}
  // What is confined changes nothing for it.
  static bool at_home() { return false; }
  // Those of all libc has carried over.
  static void identity_changed(bool of_all) {
    if (!of_all) Heap::hand_over_rights({});
  }
  static void unreadable_changed(const sys::SystemCall& made) { Heap::hand_over_rights(made); }
  static void capabilities_changed(bool) { Heap::hand_over_rights({}); }
};

}  // namespace mmt::confine

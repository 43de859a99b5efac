#pragma once
// This is a part of a source, which does not compile alone.
// Every library of a heap that is offloaded has this beside heaps/library.h. Calls by which
// threads of the program change their rights are handed over to the memory thread. The file is
// included once in the library, where mmt::names::ProcessHeap has been defined.
#include <type_traits>

#include "confine/background_thread.h"
#include "confine/handed_over.h"
#include "confine/seen_calls.h"
#include "heaps/server_thread.h"

namespace mmt::heaps {

struct OfOffloaded {
  using Thread = std::remove_reference_t<decltype(names::ProcessHeap::heap())>::ThreadPolicy;

  static void hand_over_rights(const sys::SystemCall& made) {
    Thread::hand_over_rights(made, [] { names::ProcessHeap::heap().wake_server(); });
  }
  static void follow_class_of_caller() { Thread::follow_class_of_caller(); }
};

}  // namespace mmt::heaps

namespace mmt::confine {
using BackgroundThread = HandedOver<heaps::OfOffloaded>;
using SeenCalls = NoSeenCalls;
static_assert(IsBackgroundThread<BackgroundThread>);
}  // namespace mmt::confine

#include "confine/confinement.h"
#include "confine/credentials.h"
#include "confine/scheduling.h"
#include "heaps/library.h"

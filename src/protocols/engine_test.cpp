// What a fork's child may find its thread in the midst of.
#include "protocols/engine.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include <gtest/gtest.h>

#include <mmt/sys/clock.h>

#include "backend/library.h"
#include "interprocess/protocol_options.h"
#include "protocols/main_alloc.h"

namespace mmt::protocols {

using backend::find_library;
using backend::library;
using backend::options;

namespace {

using OneByOne = Engine<MainAlloc<MinimalPrimitives>>;

pid_t child = -1;
bool forks_next = false;
bool is_in_malloc = false;
bool is_called_in_malloc = false;

// As if a signal had come in the midst of the library, whose handler forks.
void* malloc_in_which_a_handler_forks(size_t bytes) {
  if (forks_next) {
    forks_next = false;
    is_in_malloc = true;
    child = ::fork();
    is_in_malloc = false;
  }
  return std::malloc(bytes);
}

TEST(Engine, AForkInsideTheLibraryDoesNotEnterItAgain) {
  find_library();
  library.malloc = malloc_in_which_a_handler_forks;
  library.free = [](void* block) {
    if (is_in_malloc && child == -1) is_called_in_malloc = true;
    std::free(block);
  };
  options.start = 0;
  options.starve = 500;  // what is freed meanwhile is in the queue when the fork comes
  OneByOne::install_fork_handlers();
  void* const block = OneByOne::allocate_slow(100);
  sys::sleep_ns(100 * sys::kNanosAMilli);
  OneByOne::deallocate_slow(block);
  forks_next = true;
  void* const other = OneByOne::allocate_slow(100);
  if (child == 0) ::_exit(is_called_in_malloc ? 1 : 0);
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << "the library was called while it was in the midst of another call";
  OneByOne::deallocate_slow(other);
}

}  // namespace
}  // namespace mmt::protocols

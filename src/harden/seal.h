#pragma once
// Sealed metadata can be read, not written. The tables that the store alone writes are sealed by
// mprotect. A fault opens a table where the library's own code writes to it. The table is sealed
// again as that call ends. A write from anywhere else is the program's, and is told of.
//
// What threads write on their fast paths stays open: caches, states, and returned blocks. While
// sealed, the heap has no memory thread, which no handler may interrupt.
namespace mmt::harden {

// From now on, if the settings want it. Once, before there is a second thread.
void begin_sealing();

// In a handler: whether the access goes on now. If it does not, and was to metadata, it is told of.
bool open_sealed(const void* address, const void* instruction);

// What a call has opened is sealed at the end of the scope.
class SealedAgain {
 public:
  SealedAgain() = default;
  ~SealedAgain() {
    if (__builtin_expect(has_opened, false)) seal();
  }
  SealedAgain(const SealedAgain&) = delete;
  SealedAgain& operator=(const SealedAgain&) = delete;

 private:
  static void seal();
  friend bool open_sealed(const void* address, const void* instruction);
  friend void begin_sealing();

  static bool has_opened;  // relaxed, as what another thread opens it seals itself
};

}  // namespace mmt::harden

#pragma once
// Sealed metadata can be read, not written. The tables that the store alone writes are sealed by
// mprotect. A fault opens a page of a table where the library's own code writes to it. The page is
// sealed again as that call ends. A write from anywhere else is the program's, and is told of.
// Where a fault would end the thread, as it blocks the signal, a call opens all tables as it
// begins. So does each step with the depot.
//
// What threads write on their fast paths stays open: caches, states, and returned blocks. While
// sealed, the heap has no memory thread, which no handler may interrupt.
namespace mmt::harden {

// From now on, if the settings want it. Once, before there is a second thread.
void begin_sealing();

// In a handler: whether the access goes on now. If it does not, and was to metadata, it is told of.
bool open_sealed(const void* address, const void* instruction);

// What a fork does to the tables it does unsealed: the thread may have blocked the signal. A child
// has one thread, and nobody is amid a call there.
void unseal_for_fork();
void seal_after_fork();
void seal_in_child();

// The scope of a call that may write to tables. What it has opened is sealed at its end.
class SealedAgain {
 public:
  SealedAgain() {
    if (__builtin_expect(is_sealing, false)) begin_call();
  }
  ~SealedAgain() {
    if (__builtin_expect(is_sealing, false)) end_call();
  }
  SealedAgain(const SealedAgain&) = delete;
  SealedAgain& operator=(const SealedAgain&) = delete;

  static bool is_sealing;

 private:
  void begin_call();
  void end_call();

  bool has_opened_all_ = false;
};

}  // namespace mmt::harden

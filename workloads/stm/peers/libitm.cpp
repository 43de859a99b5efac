// Compiled with -fgnu-tm: the compiler turns every access within a transaction into a call of
// libitm, and malloc and free into its own.
#include <cstdlib>
#include <type_traits>

#include "stm/peers/measure.h"

namespace mmt::workloads::stm {

namespace {

struct Direct {
  template <class T>
  T read(const T& at) {
    return at;
  }
  template <class T>
  void write(T& at, std::type_identity_t<T> value) {
    at = value;
  }
  void* allocate(size_t bytes) { return std::malloc(bytes); }
  void free(void* block, size_t) { std::free(block); }
};

struct LibitmWorker {
  template <class Body>
  bool run(Body&& body) {
    bool result;
    __transaction_atomic {
      Direct tx;
      result = body(tx);
    }
    return result;
  }
};

}  // namespace

bool has_libitm() { return true; }

double measure_libitm(const Round& round) {
  return seconds_of(round, [] { return LibitmWorker(); });
}

}  // namespace mmt::workloads::stm

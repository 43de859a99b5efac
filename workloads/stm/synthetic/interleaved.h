// These transactions give up the processor in their midst. So those of many threads overlap on few
// processors as they would on many. The addresses then decide which of them conflict, not the
// scheduler. Throughput says nothing here.
#pragma once

#include <sched.h>

#include <cstdint>
#include <type_traits>

#include "common/rng.h"
#include "stm/common/world.h"

namespace mmt::workloads::stm {

// When a thread yields: after 1 to 2 * every - 1 reads and writes, at random.
class Interleaving {
 public:
  // Set before threads begin. A thread's number is added to the seed of the run.
  static inline uint64_t every = 0;
  static inline uint64_t seed = 0;

  explicit Interleaving(uint64_t seed) : random_(seed) {}
  void step() {
    if (--left_ != 0) return;
    left_ = next();
    ::sched_yield();
  }

 private:
  uint64_t next() { return 1 + random_.below(2 * every - 1); }

  Rng random_;
  uint64_t left_ = next();
};

template <class Base>
class InterleavedTx : public Base {
 public:
  template <class Inner>
  InterleavedTx(Inner& inner, Interleaving& interleaving)
      : Base(inner), interleaving_(interleaving) {}

  template <class T>
  T read(const T& at) {
    interleaving_.step();
    return Base::read(at);
  }
  template <class T>
  void write(T& at, std::type_identity_t<T> value) {
    Base::write(at, value);
    interleaving_.step();  // while it holds the lock
  }

 private:
  Interleaving& interleaving_;
};

class InterleavedWorker {
 public:
  InterleavedWorker(mmt::stm::Memory& memory, unsigned number)
      : thread_(memory), interleaving_(Interleaving::seed + number) {}

  template <class Body>
  auto run(Body&& body) {
    return run_transaction(thread_, [&](mmt::stm::Tx& base) {
      InterleavedTx<Counted<mmt::stm::Tx>> tx(base, interleaving_);
      return body(tx);
    });
  }

 private:
  mmt::stm::Thread thread_;
  Interleaving interleaving_;
};

using InterleavedWorld = WorldOf<InterleavedWorker>;

}  // namespace mmt::workloads::stm

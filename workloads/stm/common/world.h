// What an application is a template on: a world runs its parallel phase, and gives each thread a
// worker, whose run(body) is a transaction. PlainWorld is one thread without any transaction,
// StmWorld several of a transactional memory. Plain is the interface of a transaction for data that
// nobody else sees yet.
#pragma once

#include <barrier>
#include <cstddef>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <vector>

#include <mmt/stm/atomically.h>
#include <mmt/stm/memory.h>
#include <mmt/stm/plain_tx.h>

#include "stm/common/regions.h"

namespace mmt::workloads::stm {

class Plain {
 public:
  template <class T>
  T read(const T& at) {
    return at;
  }
  template <class T>
  void write(T& at, std::type_identity_t<T> value) {
    at = value;
  }
  void* allocate(size_t bytes) { return plain_allocate(bytes); }
  void free(void* block, size_t /*bytes*/ = 0) { plain_free(block); }
};

// A transaction whose allocations are counted. A failing allocation is std::bad_alloc.
template <class Base>
class Counted {
 public:
  explicit Counted(Base& base) : base_(base), counts_(my_counts()) {}

  template <class T>
  T read(const T& at) {
    return base_.read(at);
  }
  template <class T>
  void write(T& at, std::type_identity_t<T> value) {
    base_.write(at, value);
  }
  void* allocate(size_t bytes) {
    void* const block = base_.allocate(bytes);
    if (block == nullptr) throw std::bad_alloc();
    note_allocation(counts_, Region::kTx, bytes);
    return block;
  }
  void free(void* block, size_t bytes = 0) {
    if (block == nullptr) return;
    note_free(counts_, Region::kTx);
    base_.free(block, bytes);
  }
  // What was read cannot be gone on with: begin anew. Without others that cannot be.
  [[noreturn]] void retry() {
    if constexpr (requires(Base & base) { base.retry(); }) {
      base_.retry();
    } else {
      throw std::logic_error("stamp: a retry without transactions");
    }
  }

 private:
  Base& base_;
  Counts& counts_;
};

class PlainWorker {
 public:
  template <class Body>
  auto run(Body&& body) {
    mmt::stm::PlainTx base;
    Counted<mmt::stm::PlainTx> tx(base);
    return body(tx);
  }
};

class StmWorker {
 public:
  explicit StmWorker(mmt::stm::Memory& memory) : thread_(memory) {}

  template <class Body>
  auto run(Body&& body) {
    return mmt::stm::atomically(thread_, [&](mmt::stm::Tx& base) {
      Counted<mmt::stm::Tx> tx(base);
      return body(tx);
    });
  }

 private:
  mmt::stm::Thread thread_;
};

class PlainWorld {
 public:
  unsigned threads() const { return 1; }
  void wait() {}

  template <class Body>
  void parallel(Body&& body) {
    ParallelPhase phase(0);
    PlainWorker worker;
    body(worker, 0U);
  }
};

class StmWorld {
 public:
  StmWorld(const mmt::stm::Options& options, unsigned threads)
      : memory_(options), threads_(threads), barrier_(threads) {}

  unsigned threads() const { return threads_; }
  mmt::stm::Memory& memory() { return memory_; }
  // Within the body: until all threads are here.
  void wait() { barrier_.arrive_and_wait(); }

  // An exception that leaves the body of any thread ends the program: the others may wait for it.
  template <class Body>
  void parallel(Body&& body) {
    auto one = [&](unsigned number) noexcept {
      ParallelPhase phase(number);
      StmWorker worker(memory_);
      body(worker, number);
    };
    std::vector<std::thread> others;
    for (unsigned number = 1; number < threads_; ++number) others.emplace_back(one, number);
    one(0);
    for (std::thread& other : others) other.join();
  }

 private:
  mmt::stm::Memory memory_;
  unsigned threads_;
  std::barrier<> barrier_;
};

// Part `number` of [0, count) in as many parts as there are threads.
struct Share {
  size_t begin;
  size_t end;
  Share(size_t count, unsigned number, unsigned threads)
      : begin(count * number / threads), end(count * (number + 1) / threads) {}
};

}  // namespace mmt::workloads::stm

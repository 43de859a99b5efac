// What an application is a template on: a world runs its parallel phase, and gives each thread a
// worker, whose run(body) is a transaction. PlainWorld is one thread without any transaction,
// StmWorld several of a transactional memory. Plain is the interface of a transaction for data that
// nobody else sees yet.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <vector>

#include <mmt/stm/atomically.h>
#include <mmt/stm/memory.h>
#include <mmt/stm/plain_tx.h>
#include <mmt/stm/recovering.h>

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
  explicit Counted(Base& base) : base_(base), counts_(my_counts()), running_(counts_) {}

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
  [[noreturn]] void retry() { base_.retry(); }

 private:
  Base& base_;
  Counts& counts_;
  InTransaction running_;
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

// A transaction on what the thread's memory was asked for: where attempts validate, doomed ones may
// fault as well.
template <class Body>
auto run_transaction(mmt::stm::Thread& thread, Body&& body) {
  if (thread.memory().options().validate_every == 0) return mmt::stm::atomically(thread, body);
  // An attempt that a fault ends does not count that it is over.
  const unsigned around = my_counts().transactions;
  return mmt::stm::atomically_recovering(thread, [&](mmt::stm::Tx& tx) {
    my_counts().transactions = around;
    return body(tx);
  });
}

class StmWorker {
 public:
  StmWorker(mmt::stm::Memory& memory, unsigned /*number*/) : thread_(memory) {}

  template <class Body>
  auto run(Body&& body) {
    return run_transaction(thread_, [&](mmt::stm::Tx& base) {
      Counted<mmt::stm::Tx> tx(base);
      return body(tx);
    });
  }

 private:
  mmt::stm::Thread thread_;
};

// What a parallel phase keeps for its threads, by plain calls: their handles, their numbers, and
// the barrier at which they meet.
class Pool {
 public:
  explicit Pool(unsigned threads)
      : handles_(static_cast<pthread_t*>(plain_allocate(threads * sizeof(pthread_t)))),
        numbers_(static_cast<uint64_t*>(plain_allocate(threads * sizeof(uint64_t)))),
        barrier_(static_cast<pthread_barrier_t*>(plain_allocate(sizeof(pthread_barrier_t)))),
        threads_(threads) {
    if (pthread_barrier_init(barrier_, nullptr, threads) != 0) throw std::bad_alloc();
    for (unsigned number = 0; number < threads; ++number) numbers_[number] = number;
  }
  ~Pool() {
    pthread_barrier_destroy(barrier_);
    plain_free(barrier_);
    plain_free(numbers_);
    plain_free(handles_);
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  unsigned threads() const { return threads_; }
  void wait() { pthread_barrier_wait(barrier_); }

  // one(number) in each thread, the caller being the first. A thread that cannot be had ends the
  // program: the others may wait for it.
  template <class One>
  void run(One&& one) {
    struct Task {
      One* one;
      const uint64_t* number;
    };
    std::vector<Task> tasks;
    for (unsigned number = 0; number < threads_; ++number)
      tasks.push_back({&one, &numbers_[number]});
    for (unsigned number = 1; number < threads_; ++number) {
      const auto enter = [](void* argument) -> void* {
        const Task& task = *static_cast<Task*>(argument);
        (*task.one)(static_cast<unsigned>(*task.number));
        return nullptr;
      };
      if (pthread_create(&handles_[number], nullptr, enter, &tasks[number]) != 0) {
        std::fputs("a thread cannot be had\n", stderr);
        std::abort();
      }
    }
    one(0U);
    for (unsigned number = 1; number < threads_; ++number) pthread_join(handles_[number], nullptr);
  }

 private:
  pthread_t* handles_;
  uint64_t* numbers_;
  pthread_barrier_t* barrier_;
  unsigned threads_;
};

class PlainWorld {
 public:
  PlainWorld() : pool_(1) {}
  unsigned threads() const { return 1; }
  void wait() { pool_.wait(); }

  template <class Body>
  void parallel(Body&& body) {
    pool_.run([&](unsigned number) {
      ParallelPhase phase(number);
      PlainWorker worker;
      body(worker, number);
    });
  }

 private:
  Pool pool_;
};

// Worker: constructible from the memory and the thread's number, with run(body).
template <class Worker>
class WorldOf {
 public:
  WorldOf(const mmt::stm::Options& options, unsigned threads) : memory_(options), pool_(threads) {}

  unsigned threads() const { return pool_.threads(); }
  mmt::stm::Memory& memory() { return memory_; }
  // Within the body: until all threads are here.
  void wait() { pool_.wait(); }

  // An exception that leaves the body of any thread ends the program: the others may wait for it.
  template <class Body>
  void parallel(Body&& body) {
    pool_.run([&](unsigned number) noexcept {
      ParallelPhase phase(number);
      Worker worker(memory_, number);
      body(worker, number);
    });
  }

 private:
  mmt::stm::Memory memory_;
  Pool pool_;
};

using StmWorld = WorldOf<StmWorker>;

// Part `number` of [0, count) in as many parts as there are threads.
struct Share {
  size_t begin;
  size_t end;
  Share(size_t count, unsigned number, unsigned threads)
      : begin(count * number / threads), end(count * (number + 1) / threads) {}
};

}  // namespace mmt::workloads::stm

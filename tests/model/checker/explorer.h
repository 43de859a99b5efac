// The explorer runs a small program in every way the memory model allows, up to equivalence. It
// searches depth-first over the choices of each step: which thread, which store a load reads, where
// in the modification order a store goes. Executions are replayed from the start (stateless).
// Failed requirements, data races on Plain, threads that wait for ever, and programs that do not
// end within the step bound are reported.
//
// There are two reductions, both exact (no bound on preemptions or reorderings):
//  - Sleep sets over (thread, choice): a choice tried before stays asleep until a step that it
//    depends on. Loads and stores of one location do not depend on one another as steps. A load
//    that finds a new store tries just that one.
//  - A step that no other thread's step can influence is taken alone (persistent set). Such are
//    stores, since every older store stays readable, and loads of what no other live thread writes.
//    So are fences when no other live thread fences. None is taken alone while another thread may
//    run a barrier on this one. The explorer learns what threads write. The search starts over when
//    a thread does what it was not known to do, so the last search rests on true knowledge.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checker/fiber.h"
#include "checker/memory.h"
#include "checker/operation.h"
#include "checker/view.h"

namespace mmt::model {

// A program under test. Locations are made by create(), threads all start after it.
struct Program {
  int threads = 0;
  bool kills = false;  // uses kKill: no step may be taken alone
  void* (*create)() = nullptr;
  void (*thread)(void* object, int index) = nullptr;
  void (*finish)(void* object) = nullptr;  // after the last thread has ended
  void (*destroy)(void* object) = nullptr;
};

struct Limits {
  uint64_t executions = 20'000'000;
  uint32_t steps = 400;
};

struct Result {
  enum class Verdict { kHolds, kRequirement, kRace, kStuck, kEndless, kIncomplete };
  Verdict verdict = Verdict::kHolds;
  uint64_t executions = 0;  // to the end
  uint64_t redundant = 0;   // given up as equivalent to another
  uint64_t steps = 0;
  std::string message;
  std::string trace;
};

const char* name_of(Result::Verdict verdict);

class Explorer {
 public:
  Explorer(const Program& program, const Limits& limits) : program_(program), limits_(limits) {}
  Explorer(const Explorer&) = delete;
  Explorer& operator=(const Explorer&) = delete;

  Result run();

  // The explorer whose program calls; null outside of a run.
  static Explorer* current();

  // --- For the program's threads, and for create() and finish(), which run alone ---

  int add_location(uint64_t initial) { return memory_.add_location(initial); }
  // The value read; for kFutexWait nothing, for kChoose the choice.
  uint64_t perform(Operation op);
  void fence(std::memory_order order, const char* site = nullptr);
  // Orders the caller's stores past the caches before its later stores. Like a fence below seq_cst
  // it changes nothing but what the caller knows, so it is no step of its own.
  void stream_fence(const char* site);
  // A seq_cst fence in every thread, each at some time during the call; weaker: the caller's alone.
  void fence_all_threads(std::memory_order order, const char* site);
  int running_thread() const { return running_; }  // -1 in create() and finish()
  const Memory& memory() const { return memory_; }
  // Ends the execution as an error; does not return when called by a thread.
  void fail(Result::Verdict verdict, const std::string& message);

 private:
  enum class Stop { kNone, kEnd, kRedundant, kError };

  struct Read {
    int location;
    StoreId id;
    Time time;
    bool operator==(const Read& other) const {
      return location == other.location && id == other.id;
    }
  };
  struct Thread {
    Fiber fiber;
    Operation pending;
    uint64_t result = 0;
    bool finished = false;
    bool in_futex = false;
    std::vector<Read> reads;         // since the last await
    std::vector<Read> reads_before;  // in the round before
    bool awaited = false;
  };
  struct Choices {
    std::vector<uint64_t> options;  // not yet tried, in trying order
    std::vector<uint64_t> asleep;   // tried: equivalent to another execution
    Operation::Kind kind = Operation::Kind::kNone;
    int location = -1;
    uint64_t operand = 0;
  };
  struct Node {
    Choices threads[kMaxThreads];
    int chosen = 0;
    size_t next = 0;
    bool alone = false;  // only `chosen` needs to be tried here
  };

  static void thread_body(void* explorer, int index);
  static bool depends(int sleeper, const Choices& asleep, int thread, const Choices& step);

  Stop run_once();
  Stop step(size_t depth);
  bool enabled(int thread);
  void enter(Node* node, const Node* parent);
  bool unaffected(int thread) const;
  bool next_thread(Node* node) const;
  bool backtrack();
  void options_of(int thread, std::vector<uint64_t>* out);
  void execute(int thread, uint64_t option);
  void note_read(int thread, int location, StoreId id);
  void learn(ThreadMask* who, int thread);
  uint64_t perform_alone(const Operation& op);
  void record(int thread, const Operation& op, const std::string& outcome);

  const Program program_;
  const Limits limits_;
  Memory memory_;
  Thread threads_[kMaxThreads];
  void* object_ = nullptr;
  int running_ = -1;
  ThreadMask live_ = 0;

  std::vector<Node> stack_;
  size_t depth_ = 0;  // nodes of stack_ in use

  // What threads were ever seen to do.
  ThreadMask writers_[kMaxLocations] = {};
  ThreadMask fencers_ = 0;
  ThreadMask barrierers_ = 0;
  ThreadMask futexers_ = 0;
  bool learnt_ = false;

  bool tracing_ = false;
  Result result_;
  bool failed_ = false;
};

}  // namespace mmt::model

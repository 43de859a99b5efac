// The driver applies random operations to states, one state after the other. A state has Op,
// apply(op), check_invariants() and finish(). Each function throws std::exception with what does
// not hold. An Op has kind (an enumeration with kCount), which and amount, and a describe(op).
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace mmt::fuzz {

// A phase favours some kinds of operations and few places, as phases of programs do.
template <class Op>
class Phase {
 public:
  explicit Phase(std::mt19937_64& random) : random_(random), left_(1 + random() % 200) {
    for (uint64_t& weight : weights_) weight = random() % 16 == 0 ? 30 : random() % 4;
    weights_[0] += 1;
    first_ = static_cast<uint32_t>(random());
    places_ = 1 + static_cast<uint32_t>(random() % 8);
  }

  bool over() const { return left_ == 0; }

  Op next() {
    --left_;
    uint64_t sum = 0;
    for (const uint64_t weight : weights_) sum += weight;
    uint64_t at = random_() % sum;
    size_t kind = 0;
    while (at >= weights_[kind]) at -= weights_[kind++];
    return {static_cast<Kind>(kind), first_ + static_cast<uint32_t>(random_() % places_),
            static_cast<uint32_t>(random_())};
  }

 private:
  using Kind = decltype(Op::kind);

  std::mt19937_64& random_;
  uint64_t left_;
  uint64_t weights_[static_cast<size_t>(Kind::kCount)] = {};
  uint32_t first_ = 0;
  uint32_t places_ = 1;
};

// A state from its beginning to its end; *ops are the operations that were begun.
template <class State>
void run_one(uint64_t seed, size_t most_ops, std::vector<typename State::Op>* ops) {
  std::mt19937_64 random(seed);
  const size_t length = random() % most_ops;
  std::optional<Phase<typename State::Op>> phase;
  State state;
  while (ops->size() < length) {
    if (!phase || phase->over()) phase.emplace(random);
    ops->push_back(phase->next());
    state.apply(ops->back());
    state.check_invariants();
  }
  state.finish();
}

// How long to run, and from which seed on.
struct Request {
  uint64_t seconds = 0;
  uint64_t seed = 1;
};

// From the arguments SECONDS [SEED]. Says on stderr what is wrong with them; nothing then.
std::optional<Request> read_request(int argc, char** argv);

// Whether `seconds` since the first call are over.
bool time_is_over(uint64_t seconds);

void print_failure(uint64_t seed, const std::vector<std::string>& ops, const char* what);
void print_success(uint64_t ops, uint64_t runs);

// main(): runs until the time is over. 1, and the last operations, when something does not hold.
template <class State>
int fuzz(int argc, char** argv, size_t most_ops) {
  const std::optional<Request> request = read_request(argc, argv);
  if (!request) return 2;
  uint64_t seed = request->seed;
  uint64_t count = 0;
  for (; !time_is_over(request->seconds); ++seed) {
    std::vector<typename State::Op> ops;
    try {
      run_one<State>(seed, most_ops, &ops);
    } catch (const std::exception& failure) {
      std::vector<std::string> described;
      for (const auto& op : ops) described.push_back(describe(op));
      print_failure(seed, described, failure.what());
      return 1;
    }
    count += ops.size();
  }
  print_success(count, seed - request->seed);
  return 0;
}

}  // namespace mmt::fuzz

// depot_fuzz SECONDS [SEED]: random operations on depots, one after the other, until the time is
// over. Exit status 1 and the last operations when something does not hold.
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <random>
#include <vector>

#include "depot/depot_state.h"

namespace {

using mmt::fuzz::DepotState;
using mmt::fuzz::Op;
using mmt::fuzz::OpKind;

constexpr int kMostOps = 5000;
constexpr size_t kShown = 30;

// A phase favours some kinds and classes, as phases of programs do.
class Phase {
 public:
  explicit Phase(std::mt19937_64& random) : random_(random), left_(1 + random() % 200) {
    for (uint64_t& weight : weights_) weight = random() % 16 == 0 ? 30 : random() % 4;
    weights_[0] += 1;
    first_class_ = static_cast<uint32_t>(random());
    classes_ = 1 + static_cast<uint32_t>(random() % 8);
  }

  bool over() const { return left_ == 0; }

  Op next() {
    --left_;
    uint64_t sum = 0;
    for (const uint64_t weight : weights_) sum += weight;
    uint64_t at = random_() % sum;
    size_t kind = 0;
    while (at >= weights_[kind]) at -= weights_[kind++];
    return {static_cast<OpKind>(kind), first_class_ + static_cast<uint32_t>(random_() % classes_),
            static_cast<uint32_t>(random_())};
  }

 private:
  std::mt19937_64& random_;
  uint64_t left_;
  uint64_t weights_[static_cast<size_t>(OpKind::kCount)] = {};
  uint32_t first_class_ = 0;
  uint32_t classes_ = 1;
};

void run_one(std::mt19937_64& random, std::vector<Op>* ops) {
  DepotState state;
  const auto length = static_cast<int>(random() % kMostOps);
  std::optional<Phase> phase;
  for (int i = 0; i < length; ++i) {
    if (!phase || phase->over()) phase.emplace(random);
    ops->push_back(phase->next());
    state.apply(ops->back());
    state.check_invariants();
  }
  state.finish();
}

bool parse(const char* text, uint64_t* value) {
  char* end;
  errno = 0;
  *value = std::strtoull(text, &end, 10);
  return errno == 0 && *text >= '0' && *text <= '9' && *end == '\0';
}

}  // namespace

int main(int argc, char** argv) {
  uint64_t seconds = 0;
  uint64_t seed = 1;
  if (argc < 2 || argc > 3 || !parse(argv[1], &seconds) || (argc == 3 && !parse(argv[2], &seed))) {
    std::fprintf(stderr, "usage: depot_fuzz SECONDS [SEED]\n");
    return 2;
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  uint64_t runs = 0;
  uint64_t count = 0;
  for (; std::chrono::steady_clock::now() < end; ++runs, ++seed) {
    std::mt19937_64 random(seed);
    std::vector<Op> ops;
    try {
      run_one(random, &ops);
    } catch (const std::exception& failure) {
      std::fprintf(stderr, "depot_fuzz: seed %llu, operation %zu: %s\n",
                   static_cast<unsigned long long>(seed), ops.size(), failure.what());
      for (size_t i = ops.size() > kShown ? ops.size() - kShown : 0; i < ops.size(); ++i)
        std::fprintf(stderr, "  %s\n", describe(ops[i]).c_str());
      return 1;
    }
    count += ops.size();
  }
  std::printf("%llu operations in %llu runs\n", static_cast<unsigned long long>(count),
              static_cast<unsigned long long>(runs));
  return 0;
}

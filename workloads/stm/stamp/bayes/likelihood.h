// This tells how likely a variable's records are, given its parents. Each combination of values
// counts with its share of the records, times a logarithm. The logarithm is of how often the
// variable has its value where the parents have theirs. The object is scratch of one thread.
#pragma once

#include <cmath>
#include <cstdint>

#include "stm/common/vector.h"
#include "stm/common/world.h"
#include "stm/stamp/bayes/ad_tree.h"
#include "stm/stamp/bayes/network.h"

namespace mmt::workloads::stm::bayes {

class Likelihood {
 public:
  Likelihood(const AdTree& tree, size_t variables, size_t records)
      : tree_(tree), records_(static_cast<double>(records)) {
    queries_ = static_cast<Query*>(plain_.allocate(variables * sizeof(Query)));
    for (size_t i = 0; i < variables; ++i) queries_[i] = {static_cast<int64_t>(i), 0};
    parents_ = vector_create(plain_, 1);
    family_ = vector_create(plain_, 1);
  }
  ~Likelihood() {
    vector_destroy(plain_, parents_);
    vector_destroy(plain_, family_);
    plain_.free(queries_);
  }
  Likelihood(const Likelihood&) = delete;
  Likelihood& operator=(const Likelihood&) = delete;

  // This is the likelihood of `variable` with the parents that it has in `network`, without `less`
  // and with `more`. Either may be kNone.
  static constexpr size_t kNone = ~size_t{0};
  template <class Tx>
  double of(Tx& tx, Network& network, size_t variable, size_t more = kNone, size_t less = kNone) {
    vector_clear(plain_, parents_);
    vector_clear(plain_, family_);
    bool added = more == kNone;
    bool self = false;
    const auto take = [&](size_t parent) {
      if (!self && parent > variable) take_self(variable, &self);
      vector_push(plain_, parents_, &queries_[parent]);
      vector_push(plain_, family_, &queries_[parent]);
    };
    network.visit_parents(tx, variable, [&](size_t parent) {
      if (!added && more < parent) {
        added = true;
        take(more);
      }
      if (parent != less) take(parent);
    });
    if (!added) take(more);
    if (!self) take_self(variable, &self);
    return sum(queries_[variable]);
  }

 private:
  void take_self(size_t variable, bool* self) {
    *self = true;
    vector_push(plain_, family_, &queries_[variable]);
  }

  double sum(Query& own) {
    double sum = 0;
    const size_t combinations = size_t{1} << parents_->size;
    for (size_t combination = 0; combination < combinations; ++combination) {
      for (size_t i = 0; i < parents_->size; ++i) {
        static_cast<Query*>(parents_->elements[i])->value = combination >> i & 1;
      }
      for (own.value = 0; own.value < 2; ++own.value) {
        const int64_t count = tree_.count(family_);
        if (count == 0) continue;
        const double held = static_cast<double>(count);
        sum += held / records_ * std::log(held / static_cast<double>(tree_.count(parents_)));
      }
    }
    return sum;
  }

  Plain plain_;
  const AdTree& tree_;
  double records_;
  Query* queries_;   // one a variable
  Vector* parents_;  // of queries, sorted by variable
  Vector* family_;   // those and the variable itself
};

}  // namespace mmt::workloads::stm::bayes

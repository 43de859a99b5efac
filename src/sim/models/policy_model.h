// Makes a Model of any FitPolicy.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <mmt/core/compiler.h>
#include <mmt/layers/fit/arena.h>
#include <mmt/layers/fit/policy.h>
#include <mmt/layers/fit/requests.h>
#include <mmt/layers/fit/tree/walk.h>
#include <mmt/layers/heap.h>

#include "sim/models/counting_probe.h"
#include "sim/models/model.h"
#include "sim/models/model_space.h"

namespace mmt::sim {

template <class Word>
using ModelArena = layers::fit::Arena<Word, ModelSpace, CountingProbe>;

template <class Policy>
class PolicyModel final : public Model {
  static_assert(layers::fit::FitPolicy<Policy>);
  using Word = typename std::remove_reference_t<decltype(std::declval<Policy&>().arena())>::Word;

 public:
  template <class... Options>
  explicit PolicyModel(const Shape& shape, Options... options)
      : Model(shape, sizeof(Word), least_of(shape)), policy_(shape, options...) {}

  Address allocate(size_t asked) override {
    probe().begin();
    const Address at = policy_.allocate(asked);
    if (MMT_LIKELY(at != kNone)) last_chunk_ = policy_.chunk_bytes(at, asked);
    finish();
    return at;
  }
  void free(Address at, size_t asked) override {
    last_chunk_ = policy_.chunk_bytes(at, asked);
    probe().begin();
    policy_.free(at, asked);
    finish();
  }
  bool resize(Address at, size_t asked, size_t skipped, size_t bytes) override {
    probe().begin();
    finish();
    if (bytes > layers::kMaxRequest) return false;
    if (shape().header == layers::fit::Header::kWord) {
      return layers::fit::keeps_place(policy_.usable(at, asked), skipped, bytes);
    }
    // The policy finds the chunk by what was asked for.
    return chunk_for(asked) == chunk_for(skipped + bytes);
  }

  void for_each_free(const std::function<void(FreeChunk)>& visit) const override {
    const Unseen unseen(*this);
    if constexpr (kHasIndex) {
      policy_.list().for_each(visit);
    } else {
      policy_.for_each_free([&](FreeChunk chunk) { visit(chunk); });
    }
  }
  size_t largest_free() const override {
    const Unseen unseen(*this);
    size_t most = 0;
    if constexpr (kHasIndex) {
      most = policy_.list().largest();
    } else if constexpr (kHasTrees) {
      for (size_t k = 0; k < policy_.trees(); ++k) {
        most = std::max(most, policy_.nodes().max(policy_.tree(k).root()));
      }
    } else if constexpr (requires { policy_.largest_free(); }) {
      most = policy_.largest_free();
    } else {
      policy_.for_each_free([&](FreeChunk chunk) { most = std::max(most, chunk.bytes); });
    }
    return most;
  }
  size_t uncut_bytes() const override {
    if constexpr (requires { policy_.uncut_bytes(); }) return policy_.uncut_bytes();
    return 0;
  }
  std::vector<SeenNode> nodes() const override {
    const Unseen unseen(*this);
    std::vector<SeenNode> out;
    if constexpr (kHasTrees) {
      for (size_t k = 0; k < policy_.trees(); ++k)
        add(policy_.nodes(), policy_.tree(k).root(), out);
    }
    if constexpr (requires { policy_.links(); }) add(policy_.links(), policy_.root(), out);
    return out;
  }
  const char* broken_invariant() const override {
    const Unseen unseen(*this);
    return policy_.broken_invariant();
  }
  size_t chunk_bytes(Address at, size_t asked) const override {
    const Unseen unseen(*this);
    return policy_.chunk_bytes(at, asked);
  }
  void count_touches(Touches* touches) override {
    touches_ = touches;
    probe().count_touches(touches);
  }

 private:
  static constexpr bool kHasIndex = requires(const Policy& policy) { policy.list().largest(); };
  static constexpr bool kHasTrees = requires(const Policy& policy) { policy.trees(); };

  // While it is there, what is read is not the policy's own doing.
  class Unseen {
   public:
    explicit Unseen(const PolicyModel& model) : model_(model) { set(nullptr); }
    ~Unseen() { set(model_.touches_); }
    Unseen(const Unseen&) = delete;
    Unseen& operator=(const Unseen&) = delete;

   private:
    void set(Touches* touches) const {
      const_cast<PolicyModel&>(model_).probe().count_touches(touches);
    }
    const PolicyModel& model_;
  };

  template <class Nodes>
  static void add(const Nodes& nodes, Address root, std::vector<SeenNode>& out) {
    layers::fit::walk_in_order(nodes, root, [&](Address node, size_t) {
      out.push_back({node, nodes.size(node), nodes.left(node), nodes.right(node)});
      return true;
    });
  }

  static size_t least_of(const Shape& shape) {
    return core::align_up(Policy::kLeastChunk, shape.granule);
  }
  size_t chunk_for(size_t asked) const {
    return shape().chunk_bytes(asked + (asked == 0), Policy::kLeastChunk, sizeof(Word));
  }
  CountingProbe& probe() { return policy_.arena().probe(); }
  void finish() {
    work_ = probe().work();
    free_chunks_ = policy_.free_chunks();
    free_bytes_ = policy_.free_bytes();
    end_ = policy_.arena().end();
  }

  Policy policy_;
  Touches* touches_ = nullptr;
};

template <class Policy, class... Options>
std::unique_ptr<Model> make_policy_model(const Shape& shape, Options... options) {
  return std::make_unique<PolicyModel<Policy>>(shape, options...);
}

}  // namespace mmt::sim

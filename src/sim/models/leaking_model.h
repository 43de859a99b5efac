// Double of a model: a right one whose second free is lost, as by a policy that forgets a chunk.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "sim/models/model.h"

namespace mmt::sim {

class LeakingModel final : public Model {
 public:
  // `word`: bytes of the model's words.
  LeakingModel(std::unique_ptr<Model> model, size_t word)
      : Model(model->shape(), word, model->least_chunk()), model_(std::move(model)) {}

  Address allocate(size_t asked) override {
    const Address at = model_->allocate(asked);
    copy();
    return at;
  }
  void free(Address at, size_t asked) override {
    if (++frees_ == 2) return;
    model_->free(at, asked);
    copy();
  }
  bool resize(Address at, size_t asked, size_t skipped, size_t bytes) override {
    const bool stays = model_->resize(at, asked, skipped, bytes);
    copy();
    return stays;
  }
  void for_each_free(const std::function<void(FreeChunk)>& visit) const override {
    model_->for_each_free(visit);
  }
  size_t largest_free() const override { return model_->largest_free(); }
  size_t uncut_bytes() const override { return model_->uncut_bytes(); }
  std::vector<SeenNode> nodes() const override { return model_->nodes(); }
  const char* broken_invariant() const override { return model_->broken_invariant(); }
  size_t chunk_bytes(Address at, size_t asked) const override {
    return model_->chunk_bytes(at, asked);
  }
  void count_touches(Touches* touches) override { model_->count_touches(touches); }

 private:
  void copy() {
    work_ = model_->work();
    last_chunk_ = model_->last_chunk();
    free_chunks_ = model_->free_chunks();
    free_bytes_ = model_->free_bytes();
    end_ = model_->end();
  }

  std::unique_ptr<Model> model_;
  unsigned frees_ = 0;
};

}  // namespace mmt::sim

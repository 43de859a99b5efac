// What all layers of PHKmalloc have in common: the options, which function the program has called,
// and warnings. The lowest layer above the source. Options::read() gives the options at the first
// use, unless set_options() was called before.
#pragma once

#include <sys/auxv.h>

#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/layers/general/phk/options.h>
#include <mmt/layers/general/phk/report.h>
#include <mmt/layers/heap.h>

namespace mmt::layers {

template <class H>
concept PhkControlledHeap = Heap<H> && requires(const H& heap) {
  { heap.options() } -> std::same_as<const PhkOptions&>;
};

template <class Options, class Super>
class PhkControlHeap : public Super {
  static_assert(Heap<Super>,
                "PhkControlHeap: its super-heap has no malloc(size_t) and free(void*)");
  static_assert(!PhkControlledHeap<Super>, "PhkControlHeap: there is one below it already");

 public:
  using Super::Super;

  const PhkOptions& options() const { return options_; }
  // Canaries change how blocks are laid out: they stay as they are once the heap has been used.
  void set_options(const PhkOptions& options) { note_options(options); }

 protected:
  // The next call must look at options that few use, or read them.
  bool needs_attention() const { return needs_attention_; }
  MMT_COLD void start() const {
    if (is_started_) return;
    if (!is_read_) note_options(Options::read());
    is_started_ = true;
    set_attention();
    if (options_.has_unknown) PhkReport::warning("malloc", "unknown char in MALLOC_OPTIONS");
  }

  // The function that the program is in; null: none.
  const char* call() const { return call_; }
  void set_call(const char* call) { call_ = call; }

  MMT_COLD void warn(const char* problem) const {
    // Sizes are asked for before a block is moved.
    const char* call = call_ != nullptr ? call_ : "realloc";
    if (options_.abort) PhkReport::error(call, problem);
    PhkReport::warning(call, problem);
  }

  // A number less than `bound`, which is not 0.
  MMT_NOINLINE size_t random_below(size_t bound) {
    if (random_ == 0) random_ = secret();
    random_ ^= random_ >> 12;
    random_ ^= random_ << 25;
    random_ ^= random_ >> 27;
    return static_cast<size_t>((random_ * 0x2545f4914f6cdd1du) >> 32) % bound;
  }
  // The secret is this process's own; it is not 0.
  static uint64_t secret() {
    const auto* bytes = reinterpret_cast<const unsigned char*>(::getauxval(AT_RANDOM));
    uint64_t value = 0;
    for (int i = 0; bytes != nullptr && i < 8; ++i) value = value << 8 | bytes[i];
    return value | 1;
  }

 private:
  void note_options(const PhkOptions& options) const {
    const bool canaries = is_started_ ? options_.canaries : options.canaries;
    options_ = options.settled();
    options_.canaries = canaries;
    is_read_ = true;
    set_attention();
  }
  void set_attention() const {
    needs_attention_ = !is_started_ || options_.trace || options_.sysv || options_.abort_on_oom;
  }

  const char* call_ = nullptr;
  // The first question reads them, also one that changes nothing else, as good_size().
  mutable bool needs_attention_ = true;
  mutable bool is_read_ = false;
  mutable bool is_started_ = false;
  mutable PhkOptions options_;
  uint64_t random_ = 0;
};

template <class Options>
struct PhkControl {
  template <class Super>
  using Over = PhkControlHeap<Options, Super>;
};

}  // namespace mmt::layers

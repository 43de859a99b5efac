#pragma once
// Simple segregated storage (Wilson, Johnstone, Neely, Boles, 1995): a request becomes its class's
// size, chunks never change class, and are neither split nor joined. A class without a free chunk
// gets a run of them, a page or one chunk at least, cut one after the other. A fit policy
// (fit/policy.h).
//
// Classes are powers of two, and so many even steps between each and the next as the options say.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/layers/fit/chunks.h>

namespace mmt::layers::fit {

struct SimpleOptions {
  unsigned steps = 1;  // 1, 2 or 4 classes a doubling
};

template <class ArenaType>
class SimpleSegregated : public Chunks<ArenaType> {
  using Base = Chunks<ArenaType>;
  using Base::arena_, Base::shape_, Base::header_;

 public:
  using typename Base::Word;
  static constexpr size_t kLeastChunk = sizeof(Word);  // the link

  constexpr explicit SimpleSegregated(Shape shape, SimpleOptions options = {})
      : Base(shape, kLeastChunk),
        step_bits_(static_cast<unsigned>(std::countr_zero(options.steps))),
        granule_bits_(static_cast<unsigned>(std::countr_zero(shape.granule))) {}

  Address allocate(size_t asked) {
    const size_t needed = Base::bytes_for(asked);
    if (MMT_UNLIKELY(needed == 0)) return kNone;
    const size_t c = class_of(needed);
    Run& run = runs_[c];
    Address chunk = run.first;
    if (MMT_LIKELY(chunk != kNone)) {
      arena_.probe().visited();
      run.first = arena_.load(chunk);
      Base::count_taken(run.bytes);
    } else {
      if (run.begin == run.end && !refill(run, c)) return kNone;
      chunk = run.begin;
      run.begin += run.bytes;
    }
    if (header_ != 0) arena_.store(chunk, static_cast<Word>(run.bytes));
    return chunk + header_;
  }

  void free(Address owners, size_t asked) {
    const Address chunk = Base::chunk_of(owners);
    Run& run = runs_[class_of(header_ != 0 ? arena_.load(chunk) : Base::bytes_for(asked))];
    arena_.probe().visited();
    arena_.store(chunk, static_cast<Word>(run.first));
    run.first = chunk;
    Base::count_free(run.bytes);
  }

  size_t chunk_bytes(Address at, size_t asked) const {
    return header_ != 0 ? arena_.load(at - header_) : bytes_of(class_of(Base::bytes_for(asked)));
  }
  size_t usable(Address at, size_t asked) const { return chunk_bytes(at, asked) - header_; }

  // The result is the bytes of runs, and of what no class has yet.
  size_t uncut_bytes() const {
    size_t bytes = Base::top() - uncut_;
    for (const Run& run : runs_) bytes += run.end - run.begin;
    return bytes;
  }

  // The result is the chunk size of the highest class that has a free chunk. 0 means that nothing
  // is free.
  size_t largest_free() const {
    for (size_t c = kCount; c-- > 0;) {
      if (runs_[c].first != kNone) return runs_[c].bytes;
    }
    return 0;
  }

  template <class Visit>
  void for_each_free(Visit&& visit) const {
    for (const Run& run : runs_) {
      for (Address at = run.first; at != kNone; at = arena_.load(at)) {
        visit(FreeChunk{at, run.bytes});
      }
    }
  }

  const char* broken_invariant() const {
    std::vector<FreeChunk> seen;
    for (size_t c = 0; c < kCount; ++c) {
      const Run& run = runs_[c];
      if (run.bytes != 0 && run.bytes != bytes_of(c)) return "a class has another's size";
      for (Address at = run.first; at != kNone; at = arena_.load(at)) {
        if (seen.size() == Base::free_chunks()) return "lists hold more chunks than are counted";
        if (at < arena_.first() || at + run.bytes > Base::top()) {
          return "a free chunk lies outside of the arena";
        }
        seen.push_back({at, run.bytes});
      }
    }
    std::sort(seen.begin(), seen.end(), [](auto a, auto b) { return a.at < b.at; });
    size_t bytes = 0;
    for (size_t i = 0; i < seen.size(); ++i) {
      bytes += seen[i].bytes;
      if (i != 0 && seen[i - 1].at + seen[i - 1].bytes > seen[i].at) {
        return "two free chunks overlap";
      }
    }
    if (seen.size() != Base::free_chunks()) return "free chunks are counted wrong";
    return bytes == Base::free_bytes() ? nullptr : "free bytes are counted wrong";
  }

 private:
  static constexpr size_t kCount = 4 * 64;

  struct Run {
    Address first = kNone;  // of the free chunks
    Address begin = kNone;  // of what is not yet cut
    Address end = kNone;
    size_t bytes = 0;  // of each chunk; 0: there are none yet
  };

  // Whole granules: those of one, and from there so many steps to each doubling, as far as there
  // are granules for them.
  size_t class_of(size_t bytes) const {
    const size_t granules = (bytes + shape_.granule - 1) >> granule_bits_;
    const auto logarithm = static_cast<unsigned>(std::bit_width(granules - 1));  // rounded up
    if (logarithm <= step_bits_) return granules - 1;
    const unsigned shift = logarithm - 1 - step_bits_;
    const size_t step = (granules - 1) >> shift;  // from steps to 2 * steps - 1
    return (static_cast<size_t>(shift) << step_bits_) + step;
  }
  size_t bytes_of(size_t c) const {
    const size_t steps = size_t{1} << step_bits_;
    if (c < steps) return (c + 1) << granule_bits_;
    const size_t shift = (c - steps) >> step_bits_;
    return ((c - (shift << step_bits_)) + 1) << (shift + granule_bits_);
  }

  MMT_COLD bool refill(Run& run, size_t c) {
    const size_t bytes = bytes_of(c);
    const size_t wanted = bytes > shape_.growth ? bytes : shape_.growth / bytes * bytes;
    if (MMT_UNLIKELY(bytes > kMaxRequest)) return false;
    const size_t kept = Base::top() - uncut_;
    if (kept < wanted && Base::extend(wanted - kept).bytes == 0) return false;
    run.bytes = bytes;
    run.begin = uncut_;
    run.end = uncut_ += wanted;
    return true;
  }

  unsigned step_bits_;
  unsigned granule_bits_;
  Address uncut_ = Base::top_;  // what no class has yet, up to the top
  Run runs_[kCount];
};

}  // namespace mmt::layers::fit

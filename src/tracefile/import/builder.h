#pragma once
// Makes events of what other tools call blocks: addresses or numbers, used anew after a free.
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "tracefile/block.h"
#include "tracefile/event.h"
#include "tracefile/import/lines.h"
#include "tracefile/memory_bound.h"
#include "tracefile/writer.h"

namespace mmt::tracefile {

class Builder {
 public:
  Builder(const std::string& path, const std::string& from, const std::string& source)
      : writer_(path, {.program = from, .source = "import " + source}),
        is_in_memory_(path.starts_with("/proc/self/fd/")) {}

  struct Block {
    uint64_t bytes = 0;
    uint8_t alignment = 0;  // log2
    bool zeroed = false;
    uint32_t site = 0;
  };

  // Threads as the tool numbers them.
  void set_thread(uint64_t thread) {
    const auto [found, is_new] =
        threads_.try_emplace(thread, static_cast<uint32_t>(threads_.size()));
    thread_ = found->second;
    if (is_new) add({.kind = Kind::kThreadStart});
  }
  void end_thread() { add({.kind = Kind::kThreadEnd}); }

  bool is_live(uint64_t key) const { return live_.contains(key); }

  // Where a key is given out anew, its block has gone by ways that the input does not have.
  void end_unfreed(uint64_t key) {
    if (!is_live(key)) return;
    ++unfreed;
    free(key);
  }

  // There must be no live block of this key.
  void allocate(uint64_t key, const Block& block) {
    live_[key] = ++newest_;
    add({.kind = Kind::kAllocate,
         .zeroed = block.zeroed,
         .alignment = block.alignment,
         .site = block.site,
         .object = newest_,
         .bytes = block.bytes});
  }
  // False: there is none.
  bool free(uint64_t key) {
    const std::optional<Object> object = take(key);
    if (object) add({.kind = Kind::kFree, .object = *object});
    return object.has_value();
  }
  // A block under its new key; one that is not known is a new one.
  void resize(std::optional<Object> object, uint64_t key, uint64_t bytes, uint32_t site = 0) {
    if (!object) {
      allocate(key, {.bytes = bytes, .site = site});
      return;
    }
    live_[key] = *object;
    add({.kind = Kind::kResize, .site = site, .object = *object, .bytes = bytes});
  }
  // The object of a key, which is free for others then.
  std::optional<Object> take(uint64_t key) {
    const auto found = live_.find(key);
    if (found == live_.end()) {
      ++unknown;
      return std::nullopt;
    }
    const Object object = found->second;
    live_.erase(found);
    return object;
  }
  void give_back(uint64_t key, Object object) { live_[key] = object; }

  // Takes the beginning of a text that is longer than any name. Returns 0 where there are more than
  // a reader takes of a file of this size.
  uint32_t site(std::string text) {
    if (text.size() > kLongestSite) text.resize(kLongestSite);
    if (const auto found = sites_.find(text); found != sites_.end()) return found->second;
    const uint64_t all = sites_bytes_ + sizeof text + text.size();
    if (all > most_of_sites(writer_.bytes())) return 0;
    sites_bytes_ = all;
    const uint32_t number = writer_.add_site(text);
    sites_.emplace(std::move(text), number);
    return number;
  }

  Writer& writer() { return writer_; }
  uint64_t unknown = 0;
  uint64_t unfreed = 0;

 private:
  static constexpr size_t kLongestSite = 3 * 4096;  // function, file and module
  static constexpr uint32_t kUnlooked = 4096;

  void add(Event event) {
    event.thread = thread_;
    writer_.add(event);
    if (++added_ % kUnlooked == 0) MemoryBound::look(is_in_memory_ ? writer_.bytes() : 0);
  }

  Writer writer_;
  bool is_in_memory_;  // the file
  uint32_t added_ = 0;
  std::unordered_map<uint64_t, Object> live_;
  std::unordered_map<std::string, uint32_t> sites_;
  uint64_t sites_bytes_ = 0;
  std::map<uint64_t, uint32_t> threads_;
  uint32_t thread_ = 0;
  Object newest_ = 0;
};

// log2 of an alignment, which must be a power of two.
inline uint8_t log2_of(uint64_t alignment, const Lines& lines) {
  if (!std::has_single_bit(alignment)) {
    lines.fail("the alignment " + std::to_string(alignment) + " is no power of two");
  }
  return static_cast<uint8_t>(std::bit_width(alignment) - 1);
}

void import_mtrace(Lines& lines, Builder& to);
void import_heaptrack(Lines& lines, Builder& to);
void import_rep(Lines& lines, Builder& to);
void import_memory_replay(Lines& lines, Builder& to);

}  // namespace mmt::tracefile

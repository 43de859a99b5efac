// Reads heaptrack's files, whose numbers are hexadecimal. Raw: "+ size trace ptr", "- ptr". As it
// is stored: "a size trace" describes allocations, and "+ n" and "- n" are one of description n. It
// is not told which of several equal blocks is freed, and the newest is taken. Traces of calls give
// call sites (heaptrack_sites.h); other lines are of no interest here.
#include <string>
#include <string_view>
#include <vector>

#include "tracefile/import/builder.h"
#include "tracefile/import/heaptrack_sites.h"
#include "tracefile/import/words.h"

namespace mmt::tracefile {
namespace {

constexpr int kHex = 16;

// As stored: blocks get numbers of their own.
class Stored {
 public:
  Stored(const Lines& lines, Builder& to) : lines_(lines), to_(to) {}

  bool is_used() const { return !kinds_.empty(); }
  void describe(uint64_t bytes, uint32_t site) { kinds_.push_back({bytes, site, {}}); }
  void allocate(uint64_t kind) {
    Described& one = described(kind);
    one.live.push_back(++newest_);
    to_.allocate(newest_, {.bytes = one.bytes, .site = one.site});
  }
  void free(uint64_t kind) {
    Described& one = described(kind);
    if (one.live.empty()) {
      ++to_.unknown;
      return;
    }
    to_.free(one.live.back());
    one.live.pop_back();
  }

 private:
  struct Described {
    uint64_t bytes;
    uint32_t site;
    std::vector<uint64_t> live;
  };
  Described& described(uint64_t kind) {
    if (kind >= kinds_.size()) lines_.fail("no 'a' line describes this allocation");
    return kinds_[kind];
  }

  const Lines& lines_;
  Builder& to_;
  std::vector<Described> kinds_;
  uint64_t newest_ = 0;
};

// Lines that tell of calls; false: it is another one.
bool take_site_line(std::string_view sign, Words& words, HeaptrackSites& sites) {
  if (sign == "s") {
    sites.add_string(words);
  } else if (sign == "i") {
    sites.add_instruction(words);
  } else if (sign == "x") {
    sites.set_program(words);
  } else if (sign == "m") {
    sites.add_module(words);
  } else if (sign == "t") {
    sites.add_trace(words);
  } else {
    return false;
  }
  return true;
}

}  // namespace

void import_heaptrack(Lines& lines, Builder& to) {
  Stored stored(lines, to);
  HeaptrackSites sites(lines, to);
  bool is_first = true;
  std::string_view line;
  while (lines.next_ended(line)) {
    Words words(line, lines);
    const std::string_view sign = words.next();
    if (is_first && sign != "v") lines.fail("it does not begin as a file of heaptrack, with 'v'");
    is_first = false;
    if (sign == "v") {
      words.number("version", kHex);
      sites.set_version(words.is_empty() ? 0 : words.number("format", kHex));
      lines.recognize();
    } else if (take_site_line(sign, words, sites)) {
      continue;
    } else if (sign == "a") {
      const uint64_t bytes = words.number("size", kHex);
      stored.describe(bytes, sites.site(words.number("trace", kHex)));
    } else if (sign == "+" && stored.is_used()) {
      stored.allocate(words.number("description", kHex));
    } else if (sign == "-" && stored.is_used()) {
      stored.free(words.number("description", kHex));
    } else if (sign == "+") {
      const uint64_t bytes = words.number("size", kHex);
      const uint32_t site = sites.site(words.number("trace", kHex));
      const uint64_t address = words.number("address", kHex);
      to.end_unfreed(address);
      to.allocate(address, {.bytes = bytes, .site = site});
    } else if (sign == "-") {
      to.free(words.number("address", kHex));
    } else if (sign.size() > 1) {
      lines.fail("it is no line of heaptrack: " + quoted(line));
    }
  }
}

}  // namespace mmt::tracefile

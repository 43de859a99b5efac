// The format of Android's memory_replay has these lines:
//   tid: malloc ptr size
//   tid: calloc ptr count size
//   tid: memalign ptr alignment size
//   tid: realloc ptr before size
//   tid: free ptr
//   tid: thread_done 0x0
// Newer files have times behind that.
#include <optional>
#include <string>
#include <string_view>

#include "tracefile/import/builder.h"
#include "tracefile/import/words.h"

namespace mmt::tracefile {
namespace {

void allocate(Builder& to, uint64_t address, const Builder::Block& block) {
  if (address == 0) return;  // it has failed
  to.end_unfreed(address);
  to.allocate(address, block);
}

void resize(Builder& to, uint64_t address, uint64_t before, uint64_t bytes) {
  if (address == 0) {
    // To nothing it is free; else it has failed.
    if (bytes == 0 && before != 0) to.free(before);
    return;
  }
  const std::optional<Object> object = before != 0 ? to.take(before) : std::nullopt;
  to.end_unfreed(address);
  to.resize(object, address, bytes);
}

}  // namespace

void import_memory_replay(Lines& lines, Builder& to) {
  std::string_view line;
  while (lines.next_ended(line)) {
    Words words(line, lines);
    std::string_view thread = words.next();
    if (thread.empty()) continue;
    if (!thread.ends_with(':')) lines.fail("it does not begin with 'tid:'");
    thread.remove_suffix(1);
    const std::optional<uint64_t> number = Words::number_of(thread, 10);
    if (!number) lines.fail(quoted(thread) + " is no thread");
    to.set_thread(*number);
    const std::string_view call = words.next();
    const uint64_t address = words.number("address", 16);
    if (call == "malloc") {
      allocate(to, address, {.bytes = words.number("size")});
    } else if (call == "calloc") {
      const uint64_t count = words.number("count");
      uint64_t bytes = 0;
      if (__builtin_mul_overflow(count, words.number("size"), &bytes)) {
        lines.fail("its size is more than there is");
      }
      allocate(to, address, {.bytes = bytes, .zeroed = true});
    } else if (call == "memalign") {
      const uint8_t alignment = log2_of(words.number("alignment"), lines);
      allocate(to, address, {.bytes = words.number("size"), .alignment = alignment});
    } else if (call == "realloc") {
      const uint64_t before = words.number("address", 16);
      resize(to, address, before, words.number("size"));
    } else if (call == "free") {
      if (address != 0) to.free(address);
    } else if (call == "thread_done") {
      to.end_thread();
    } else {
      lines.fail("unknown call " + quoted(call));
    }
  }
}

}  // namespace mmt::tracefile

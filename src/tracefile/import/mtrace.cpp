// glibc's mtrace(): "@ place + 0xaddress 0xsize", "- 0xaddress", and of realloc "< 0xaddress"
// followed by "> 0xaddress 0xsize"; "! 0xaddress 0xsize" is a realloc that failed. Where there is
// no block, the address is "(nil)".
#include <optional>
#include <string>
#include <string_view>

#include "tracefile/import/builder.h"
#include "tracefile/import/words.h"

namespace mmt::tracefile {
namespace {

constexpr std::string_view kNone = " (nil)";

struct Parts {
  std::string_view place;
  char sign = 0;  // 0: none
  std::string_view rest;
};

// Places may hold spaces, and signs: the last sign before a number counts.
Parts parts_of(std::string_view line) {
  Parts parts;
  for (size_t at = 0; at + 3 < line.size(); ++at) {
    const bool is_sign =
        std::string_view("+-<>!").find(line[at]) != std::string_view::npos &&
        (at == 0 || line[at - 1] == ' ') &&
        (line.substr(at + 1, 3) == " 0x" || line.substr(at + 1).starts_with(kNone));
    if (!is_sign) continue;
    parts.sign = line[at];
    parts.place = line.substr(0, at);
    parts.rest = line.substr(at + 1);
  }
  if (parts.place.starts_with("@ ")) parts.place.remove_prefix(2);
  while (parts.place.ends_with(' ')) parts.place.remove_suffix(1);
  return parts;
}

}  // namespace

void import_mtrace(Lines& lines, Builder& to) {
  std::optional<Object> moving;
  uint64_t moving_from = 0;
  bool is_moving = false;
  std::string_view line;
  while (lines.next_ended(line)) {
    if (line.empty() || line.starts_with("= ")) continue;
    const Parts parts = parts_of(line);
    if (parts.sign == 0) lines.fail("it is no line of mtrace: " + quoted(line));
    Words words(parts.rest, lines);
    if (parts.rest.starts_with(kNone)) {  // the call has failed
      if (parts.sign == '>' && is_moving && moving) to.give_back(moving_from, *moving);
      is_moving = parts.sign == '<';
      moving.reset();
      continue;
    }
    const uint64_t address = words.number(parts.sign == '!' ? "size" : "address");
    const uint32_t site = parts.place.empty() ? 0 : to.site(std::string(parts.place));
    if (parts.sign == '+') {
      // Freed by ways that mtrace does not see.
      to.end_unfreed(address);
      to.allocate(address, {.bytes = words.number("size"), .site = site});
    } else if (parts.sign == '-') {
      to.free(address);
    } else if (parts.sign == '<') {
      moving = to.take(address);
      moving_from = address;
      is_moving = true;
    } else if (parts.sign == '>') {
      if (!is_moving) lines.fail("'>' without a '<' before it");
      to.end_unfreed(address);
      to.resize(moving, address, words.number("size"), site);
      is_moving = false;
    } else if (is_moving) {  // realloc has failed: the block is where it was
      if (moving) to.give_back(moving_from, *moving);
      is_moving = false;
    }
  }
}

}  // namespace mmt::tracefile

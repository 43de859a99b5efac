// The options of PHKmalloc, a letter each: upper case turns on, lower case off. The later ones of
// OpenBSD's malloc are there too, where PHK has no other use for the letter.
//   A  a warning ends the program     H  tells the system that free pages are unused
//   R  realloc always moves           J  fills with 0xd0: new blocks, and freed ones
//   V  malloc(0) is null, as in SysV  X  out of memory ends the program
//   Z  zeroes blocks; implies J       U  a line to stderr for each call
//   < >  halves, doubles the pages at the end of the heap that are kept (16)
//   C  canaries behind each block     F  freed chunks wait, and are checked; free pages are
//   G  a guard page behind each block    out of reach
//      of whole pages                 P  chunks lie at random
//   S  C, F, G, J, P, and no pages kept
#pragma once

#include <cstddef>

namespace mmt::layers {

struct PhkOptions {
  static constexpr size_t kCachePages = 16;
  static constexpr size_t kMostCachePages = size_t{1} << 30;

  bool abort = false;
  bool hint = false;
  bool always_move = false;
  bool junk = false;
  bool sysv = false;
  bool abort_on_oom = false;
  bool zero = false;
  bool trace = false;
  bool canaries = false;
  bool freecheck = false;
  bool guard = false;
  bool at_random = false;
  size_t cache_pages = kCachePages;
  bool has_unknown = false;  // a letter that means nothing; the others hold all the same

  // Null: nothing.
  constexpr void apply(const char* letters) {
    for (; letters != nullptr && *letters != '\0'; ++letters) apply(*letters);
  }

  // With what they imply: call it when all have been applied.
  constexpr PhkOptions settled() const {
    PhkOptions all = *this;
    all.junk |= all.zero;
    all.always_move |= all.junk;
    return all;
  }

  bool operator==(const PhkOptions&) const = default;

 private:
  constexpr void apply(char letter) {
    if (letter == '>') {
      cache_pages = cache_pages == 0 ? 1 : cache_pages * 2;
      if (cache_pages > kMostCachePages) cache_pages = kMostCachePages;
    } else if (letter == '<') {
      cache_pages = cache_pages > 1 ? cache_pages / 2 : 1;
    } else if (letter == 'S' || letter == 's') {
      apply(letter == 'S' ? "CFGJP" : "cfgjp");
      cache_pages = letter == 'S' ? 0 : kCachePages;
    } else {
      const bool is_upper = letter >= 'A' && letter <= 'Z';
      bool* const option = named(is_upper ? letter : static_cast<char>(letter - 'a' + 'A'));
      if (option == nullptr) {
        has_unknown = true;
      } else {
        *option = is_upper;
      }
    }
  }

  constexpr bool* named(char upper) {
    switch (upper) {
      case 'A':
        return &abort;
      case 'H':
        return &hint;
      case 'R':
        return &always_move;
      case 'J':
        return &junk;
      case 'V':
        return &sysv;
      case 'X':
        return &abort_on_oom;
      case 'Z':
        return &zero;
      case 'U':
        return &trace;
      case 'C':
        return &canaries;
      case 'F':
        return &freecheck;
      case 'G':
        return &guard;
      case 'P':
        return &at_random;
      default:
        return nullptr;
    }
  }
};

// In the order in which they count: the text of the symbolic link /etc/malloc.conf, of the variable
// MALLOC_OPTIONS, and of the program itself. Each may be null.
constexpr PhkOptions phk_options_of(const char* link, const char* variable, const char* program) {
  PhkOptions options;
  options.apply(link);
  options.apply(variable);
  options.apply(program);
  return options.settled();
}

}  // namespace mmt::layers

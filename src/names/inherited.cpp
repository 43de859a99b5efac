#include "names/inherited.h"

#include <cstddef>

#include "core/text.h"

namespace mmt::names {
namespace {

using core::file_name;
using core::next_piece;
using core::Text;
using core::text;
using core::whole;

constexpr Text kPreload = text("LD_PRELOAD=");
// What `mmt run` has put into LD_PRELOAD: a backend's library is not known by its name.
using core::file_name;
using core::next_piece;
using core::Text;
using core::text;
using core::whole;

constexpr Text kPreloaded = text("MMT_PRELOADED=");
constexpr Text kOwn = text("MMT_");

// As the loader separates LD_PRELOAD.
Text next_entry(Text* list) { return next_piece(list, ':', ' '); }

// An entry may name the library by another path than the one it was found at.
bool names_library(Text entry, Text library) { return file_name(entry).is(file_name(library)); }

bool names_one_of(Text entry, Text libraries) {
  while (libraries.size != 0)
    if (names_library(entry, next_entry(&libraries))) return true;
  return false;
}

struct Filtered {
  bool others = false;  // entries remain
  bool found = false;   // the library was among them
};

// Takes the library, and those that came with it, out of a list of libraries.
Filtered filter_list(char* list, Text library, Text companions) {
  Filtered result;
  char* to = list;
  for (Text rest = whole(list); rest.size != 0;) {
    const Text entry = next_entry(&rest);
    if (entry.size == 0) continue;
    const bool is_library = names_library(entry, library);
    result.found |= is_library;
    if (is_library || names_one_of(entry, companions)) continue;
    if (result.others) *to++ = ':';
    for (size_t i = 0; i < entry.size; ++i) *to++ = entry.data[i];
    result.others = true;
  }
  *to = '\0';
  return result;
}

Text companions_of(char** environment) {
  for (; *environment != nullptr; ++environment) {
    const Text variable = whole(*environment);
    if (variable.starts_with(kPreloaded)) return variable.from(kPreloaded.size);
  }
  return {"", 0};
}

}  // namespace

bool remove_library(char** environment, const char* library) {
  if (environment == nullptr) return false;
  const Text companions = companions_of(environment);
  bool found = false;
  char** to = environment;
  for (char** from = environment; *from != nullptr; ++from) {
    const Text variable = whole(*from);
    if (variable.starts_with(kOwn)) continue;
    if (variable.starts_with(kPreload)) {
      const Filtered left = filter_list(*from + kPreload.size, whole(library), companions);
      found |= left.found;
      if (!left.others) continue;
    }
    *to++ = *from;
  }
  *to = nullptr;
  return found;
}

}  // namespace mmt::names

// A place tells where in the program something happened: the addresses to which its innermost calls
// return. Unwinding is libc's backtrace(), which loads a library and calls malloc the first time. A
// heap that is the process's malloc cannot have that happen within it. Its library therefore calls
// put_off_places() before the heap is used, and prepare_places() when malloc works. Between these
// two calls a place is the caller alone. Any thread may call.
#pragma once

#include <dlfcn.h>
#include <execinfo.h>

#include <atomic>
#include <cstring>

#include <mmt/core/compiler.h>
#include <mmt/layers/observe/text_output.h>

namespace mmt::layers {

inline constexpr size_t kPlaceFrames = 8;

struct Place {
  const void* frames[kPlaceFrames] = {};  // innermost first; null behind the last one

  bool is_known() const { return frames[0] != nullptr; }
  bool operator==(const Place&) const = default;
};

namespace detail {
inline std::atomic<bool> places_are_put_off{false};
}  // namespace detail

inline void put_off_places() { detail::places_are_put_off.store(true); }
inline void prepare_places() {
  void* frame = nullptr;
  ::backtrace(&frame, 1);
  detail::places_are_put_off.store(false);
}

// `caller` is the __builtin_return_address(0) of a function that has not returned: the place begins
// there, however many calls lie between, be they inlined or not. Null: the unknown place.
MMT_NOINLINE inline Place place_from(const void* caller) {
  static constexpr int kBetween = 8;
  Place place;
  place.frames[0] = caller;
  if (caller == nullptr || detail::places_are_put_off.load()) return place;
  void* found[kPlaceFrames + kBetween];
  const int count = ::backtrace(found, static_cast<int>(kPlaceFrames) + kBetween);
  int first = 0;
  while (first < count && found[first] != caller) ++first;
  for (size_t i = 0; i < kPlaceFrames && first < count; ++i) place.frames[i] = found[first++];
  return place;
}

// The function in which a frame lies; null: its object tells no name (link with -rdynamic).
inline const char* function_of(const void* frame, Dl_info* info) {
  // A call may be the last instruction of its function, so that it would return behind it.
  if (::dladdr(static_cast<const char*>(frame) - 1, info) == 0) *info = {};
  return info->dli_sname;
}

// As "function+0x12 (object+0x3456)"; the number in the object is what addr2line takes.
template <class Output>
void write_frame(Output& out, const void* frame) {
  const auto distance = [&](const void* from) {
    return static_cast<uint64_t>(static_cast<const char*>(frame) - static_cast<const char*>(from));
  };
  Dl_info info;
  if (const char* function = function_of(frame, &info)) {
    out.text(function).text("+0x").hex(distance(info.dli_saddr));
  } else {
    out.address(frame);
  }
  if (info.dli_fname == nullptr) return;
  const char* slash = std::strrchr(info.dli_fname, '/');
  out.text(" (").text(slash != nullptr ? slash + 1 : info.dli_fname).text("+0x");
  out.hex(distance(info.dli_fbase)).text(")");
}

// Frames in one line, innermost first; not those of heap layers that were called on the way.
template <class Output>
void write_place(Output& out, const Place& place) {
  const auto is_layer = [](const void* frame) {
    Dl_info info;
    const char* function = function_of(frame, &info);
    if (function == nullptr) return false;
    return std::strncmp(function, "_ZN3mmt6layers", 14) == 0 ||
           std::strncmp(function, "_ZNK3mmt6layers", 15) == 0;
  };
  if (!place.is_known()) {
    out.text("unknown place");
    return;
  }
  size_t i = 0;
  while (i + 1 < kPlaceFrames && place.frames[i + 1] != nullptr && is_layer(place.frames[i])) ++i;
  write_frame(out, place.frames[i++]);
  for (; i < kPlaceFrames && place.frames[i] != nullptr; ++i) {
    out.text(" < ");
    write_frame(out, place.frames[i]);
  }
}

}  // namespace mmt::layers

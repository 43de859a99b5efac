// This layer writes every operation to a file descriptor, a line each. A buffer collects the lines,
// and goes out when it is full, by flush() and at the end. The first line is "t 1", the number of
// this format. Addresses are in hexadecimal, and sizes in decimal. The number of a place comes
// last, if places are wanted. The other lines are:
//   - p NUMBER FRAMES                   a place, before its first use: as write_place() writes it
//   - m ADDRESS SIZE [NUMBER]           malloc; the address is 0x0 where it was refused
//   - a ADDRESS SIZE ALIGNMENT [NUMBER] allocate, likewise
//   - f ADDRESS [NUMBER]                free, before it is done
//   - e ADDRESS SIZE [NUMBER]           expand, where it succeeded
//   - c                                 clear: no block is left
//   - x                                 the heap ends
//
// Before fork the parent calls flush(); the child calls write_to() with a descriptor of its own.
// The layer is for one thread.
#pragma once

#include <type_traits>

#include <mmt/core/compiler.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/observe/observed_heap.h>
#include <mmt/layers/observe/place_table.h>
#include <mmt/layers/observe/text_output.h>

namespace mmt::layers {

namespace detail {

template <bool kPlaces>
class Tracer {
 public:
  static constexpr bool kWantsSizes = false;

  ~Tracer() {
    if (has_begun_) out_.text("x\n");
  }

  MMT_NOINLINE void gave(void* block, size_t bytes, size_t alignment, size_t) {
    write_given(block, bytes, alignment, __builtin_return_address(0));
  }
  MMT_NOINLINE void refused(size_t bytes, size_t alignment) {
    write_given(nullptr, bytes, alignment, __builtin_return_address(0));
  }
  MMT_NOINLINE void takes(void* block, size_t, size_t) {
    write('f', block, __builtin_return_address(0));
  }
  MMT_NOINLINE void grew(void* block, size_t bytes, size_t, size_t) {
    write('e', block, __builtin_return_address(0), bytes);
  }
  void cleared() {
    begin();
    out_.text("c\n");
  }

  void write_to(int descriptor) {
    out_.write_to(descriptor);
    has_begun_ = false;
  }
  void flush() { out_.flush(); }

 private:
  struct Seen {
    bool is_written;
  };
  struct Nothing {};

  void begin() {
    if (has_begun_) return;
    has_begun_ = true;
    out_.text("t 1\n");
    if constexpr (kPlaces) places_.reset_tallies();
  }
  void write_given(const void* block, size_t bytes, size_t alignment, const void* caller) {
    if (alignment == 0) return write('m', block, caller, bytes);
    write('a', block, caller, bytes, alignment);
  }
  template <class... Sizes>
  void write(char operation, const void* block, const void* caller, Sizes... sizes) {
    begin();
    [[maybe_unused]] const uint32_t place = number_of(caller);
    out_.put(operation).put(' ').address(block);
    (out_.put(' ').decimal(sizes), ...);
    if constexpr (kPlaces) out_.put(' ').decimal(place);
    out_.put('\n');
  }
  uint32_t number_of([[maybe_unused]] const void* caller) {
    if constexpr (!kPlaces) return 0;
    if constexpr (kPlaces) {
      const uint32_t number = places_.number_of_place_from(caller);
      if (!places_.tally(number).is_written) {
        places_.tally(number).is_written = true;
        out_.text("p ").decimal(number).put(' ');
        write_place(out_, places_.place(number));
        out_.put('\n');
      }
      return number;
    }
  }

  TextOutput<8192> out_{STDERR_FILENO};
  [[no_unique_address]] std::conditional_t<kPlaces, PlaceTable<Seen>, Nothing> places_;
  bool has_begun_ = false;
};

}  // namespace detail

template <bool kPlaces, class Super>
class TraceHeap : public ObservedHeap<detail::Tracer<kPlaces>, Super> {
  static_assert(Heap<Super>, "TraceHeap: its super-heap has no malloc(size_t) and free(void*)");
  using Observed = ObservedHeap<detail::Tracer<kPlaces>, Super>;

 public:
  using Observed::Observed;

  // Standard error before the first call. Each descriptor gets a trace that can be read alone, but
  // for blocks from before.
  void write_to(int descriptor) { this->observer().write_to(descriptor); }
  void flush() { this->observer().flush(); }
};

template <bool kPlaces = true>
struct Trace {
  template <class Super>
  using Over = TraceHeap<kPlaces, Super>;
};

}  // namespace mmt::layers

#include "harden/wrong_call.h"

#include "harden/mapped_object.h"
#include "harden/modules.h"
#include "harden/served_heap.h"

namespace mmt::harden {
namespace {

// By Form.
constexpr const char* kAllocating[] = {"malloc", "new", "new[]", "aligned new", "aligned new[]"};
constexpr const char* kFreeing[] = {"free", "delete", "delete[]", "aligned delete",
                                    "aligned delete[]"};

Finding about(Fault fault, const char* text, const void* caller) {
  Finding finding{fault, text};
  finding.caller = caller;
  return finding;
}

// With what the block's words tell.
Finding about_object(Fault fault, const char* text, Object object, const void* caller) {
  Finding finding = about(fault, text, caller);
  finding.block = object.block;
  if ((*object.state & kLive) != 0) {
    finding.bytes = object.bytes();
    finding.has_bytes = true;
  }
  Tail seen{};
  // The pages of a freed one may not be touched.
  if (!object.has_pages || !is_freed(*object.state))
    seen = Tail::load(object.tail());
  else
    static_cast<void>(is_gone(object.block, &seen));
  finding.allocated = Event::allocation_of(seen);
  if (is_freed(*object.state)) finding.freed = Event::free_of(seen);
  return finding;
}

const char* text_of(Mapping mapping) {
  switch (mapping) {
    case Mapping::kFile:
      return "not a block of the heap, but code or data of a file";
    case Mapping::kStack:
      return "not a block of the heap, but on the stack";
    case Mapping::kBreak:
    case Mapping::kAnonymous:
      return "not a block of the heap";
    case Mapping::kNone:
      break;
  }
  return "not a block of the heap, and nothing is there";
}

}  // namespace

MMT_COLD void tell_of_no_block(const void* address, const Place& place, Call call) {
  const bool is_aligned = reinterpret_cast<uintptr_t>(address) % 16 == 0;
  if (place.kind != Place::Kind::kNone) {
    Finding finding = about_object(
        Fault::kInvalidFree,
        is_aligned ? "an address inside the block was passed" : "an unaligned address was passed",
        place.object, call.caller);
    finding.address = address;
    return report(finding);
  }
  const store::Region& region = served_heap().depot.region();
  Tail seen{};
  if (is_gone(address, &seen)) {
    Finding finding = about(Fault::kDoubleFree, "freed already", call.caller);
    finding.block = finding.address = address;
    finding.allocated = Event::allocation_of(seen);
    finding.freed = Event::free_of(seen);
    return report(finding);
  }
  if (region.contains(address)) {
    const uint8_t* const state = states_of(address);
    const bool was_block = is_aligned && is_freed(*state);
    Finding finding = about(was_block ? Fault::kDoubleFree : Fault::kInvalidFree,
                            was_block ? "freed already" : "no block begins there", call.caller);
    if (was_block) finding.block = address;
    finding.address = address;
    return report(finding);
  }
  Finding finding = about(Fault::kInvalidFree, text_of(mapping_of(address)), call.caller);
  finding.address = address;
  report(finding);
}

MMT_COLD void tell_of_freed(const void* block, Call call) {
  const Place place = place_of(block);
  if (place.kind == Place::Kind::kNone) return tell_of_no_block(block, place, call);
  const bool was_freed = is_freed(*place.object.state);
  Finding finding = about_object(was_freed ? Fault::kDoubleFree : Fault::kInvalidFree,
                                 was_freed ? "freed already" : "it was never allocated",
                                 place.object, call.caller);
  finding.address = block;
  report(finding);
}

MMT_COLD void tell_of_overflow(const void* block, size_t bytes, const void* first, Tail seen,
                               const void* caller) {
  Finding finding = about(Fault::kOverflow, "it was written beyond its end", caller);
  finding.block = block;
  finding.bytes = bytes;
  finding.has_bytes = true;
  finding.address = first;
  finding.allocated = Event::allocation_of(seen);
  finding.whole_ms = finding.allocated.ms;
  report(finding);
}

bool is_aligned_as_told(const void* block, Call call) {
  return !call.has_alignment() || reinterpret_cast<uintptr_t>(block) % call.alignment() == 0;
}

void tell_of_wrong_words(const void* block, size_t bytes, Form form, Tail seen, Call call,
                         bool is_alignment_right) {
  Finding finding{};
  finding.block = block;
  finding.bytes = bytes;
  finding.has_bytes = true;
  finding.allocated = Event::allocation_of(seen);
  finding.caller = call.caller;
  if (settings.checks_types && form != call.form()) {
    finding.fault = Fault::kTypeMismatch;
    finding.text = "freed by another family of names:";
    finding.allocating = kAllocating[static_cast<size_t>(form)];
    finding.freeing = kFreeing[static_cast<size_t>(call.form())];
    report(finding);
    finding.allocating = finding.freeing = nullptr;
  }
  // An operator gives a byte where none was asked for.
  const bool is_right = call.bytes() == bytes || (call.bytes() == 0 && bytes == 1);
  if (settings.checks_sizes && call.has_bytes() && !is_right) {
    finding.fault = Fault::kSizeMismatch;
    finding.text = "freed with another size:";
    finding.told = call.bytes();
    finding.has_told = true;
    report(finding);
  }
  if (settings.checks_sizes && !is_alignment_right) {
    finding.fault = Fault::kSizeMismatch;
    finding.text = "freed with another alignment:";
    finding.told = call.alignment();
    finding.has_told = true;
    report(finding);
  }
}

void check_told(Object object, uint8_t state, Call call) {
  const Form form = form_of(state);
  if (MMT_LIKELY(form == call.form() && !call.is_told())) return;
  const bool is_right = is_aligned(form) && form == call.form() && call.has_alignment()
                            ? call.alignment_width() == alignment_width_of(object.state)
                            : is_aligned_as_told(object.block, call);
  tell_of_wrong_words(object.block, object.bytes(), form, Tail::load(object.tail()), call,
                      is_right);
}

void check_bounds(Object object, size_t bytes, Call call) {
  const char* const tail = object.tail();
  if (settings.checks_bounds &&
      (!Tail::load(tail).is_right(tail) ||
       !is_gap_whole(object.block + bytes, object.size - kTailBytes - bytes) ||
       (settings.trusts_others && !is_left_whole(object.block))))
    find_out_of_bounds(object, bytes, Bounds::kOfStaying, call.caller);
}

}  // namespace mmt::harden

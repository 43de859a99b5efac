#include "heap/store/span_queue.h"

namespace mmt::store {

// Both are roots: no siblings, no previous.
SpanQueue::Link SpanQueue::meld(Region& region, Link a, Link b) {
  if (a == kNone) return b;
  if (b == kNone) return a;
  const Link top = a < b ? a : b;
  const Link child = a < b ? b : a;
  Span& parent = at(region, top);
  Span& record = at(region, child);
  record.next_sibling = parent.first_child;
  if (parent.first_child != kNone) at(region, parent.first_child).previous = child;
  record.previous = top;
  parent.first_child = child;
  return top;
}

// Two passes: meld neighbours from left to right, then the results from right to left.
SpanQueue::Link SpanQueue::merge_siblings(Region& region, Link first) {
  Link pairs = kNone;  // melded pairs, last one first, linked through next_sibling
  while (first != kNone) {
    const Link a = first;
    const Link b = at(region, a).next_sibling;
    first = b == kNone ? kNone : at(region, b).next_sibling;
    at(region, a).next_sibling = at(region, a).previous = kNone;
    if (b != kNone) at(region, b).next_sibling = at(region, b).previous = kNone;
    const Link pair = meld(region, a, b);
    at(region, pair).next_sibling = pairs;
    pairs = pair;
  }
  Link result = kNone;
  while (pairs != kNone) {
    const Link next = at(region, pairs).next_sibling;
    at(region, pairs).next_sibling = kNone;
    result = meld(region, result, pairs);
    pairs = next;
  }
  return result;
}

void SpanQueue::insert(Region& region, Slot slot) {
  Span& span = region.span(slot);
  span.first_child = span.next_sibling = span.previous = kNone;
  root_ = meld(region, root_, slot + 1);
}

Slot SpanQueue::take_lowest(Region& region) {
  const Slot slot = root_ - 1;
  root_ = merge_siblings(region, region.span(slot).first_child);
  return slot;
}

void SpanQueue::remove(Region& region, Slot slot) {
  const Link link = slot + 1;
  if (link == root_) {
    take_lowest(region);
    return;
  }
  Span& span = region.span(slot);
  Span& before = at(region, span.previous);
  if (before.first_child == link)
    before.first_child = span.next_sibling;
  else
    before.next_sibling = span.next_sibling;
  if (span.next_sibling != kNone) at(region, span.next_sibling).previous = span.previous;
  root_ = meld(region, root_, merge_siblings(region, span.first_child));
}

}  // namespace mmt::store

// Counts what a variant (PARSER_AUDITED) is asked for, and prints it when the program ends. The
// variants were asked for the same when all four numbers are equal: the last one depends on each
// call and on their order.
#pragma once

#include <stdint.h>

#include PARSER_AUDITED

struct Audit {
  uint64_t objects;
  uint64_t bytes;
  uint64_t frees;
  uint64_t sequence;
};

PARSER_API struct Audit xalloc_audit;
PARSER_API void xalloc_audit_at_exit(void);

static inline void audited_open(void) {
  xalloc_audit_at_exit();
  xalloc_open();
}
static inline void* audited_take(size_t bytes) {
  ++xalloc_audit.objects;
  xalloc_audit.bytes += bytes;
  xalloc_audit.sequence = (xalloc_audit.sequence ^ bytes) * 0x100000001b3u;
  return xalloc(bytes);
}
static inline void audited_drop(void* block) {
  ++xalloc_audit.frees;
  xalloc_audit.sequence = (xalloc_audit.sequence ^ ~0u) * 0x100000001b3u;
  xfree(block);
}

#define xalloc_open audited_open
#define xalloc audited_take
#define xfree audited_drop

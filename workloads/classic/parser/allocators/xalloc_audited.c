// What was counted, printed at exit.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "classic/parser/allocation.h"

struct Audit xalloc_audit = {0, 0, 0, 0};

static void print_audit(void) {
  printf("audit: objects %" PRIu64 " bytes %" PRIu64 " frees %" PRIu64 " sequence %016" PRIx64 "\n",
         xalloc_audit.objects, xalloc_audit.bytes, xalloc_audit.frees, xalloc_audit.sequence);
}

void xalloc_audit_at_exit(void) {
  if (atexit(print_audit) != 0) parser_fail(kStatusWrong, "no audit at exit");
}

// malloc_stats prints totals to standard error, nothing to standard output.
// @stderr (?i)in use bytes\s*[=:]\s*\d{7,}
// @stderr (?i)system bytes\s*[=:]\s*\d{7,}
// @stdout-not .

#include <malloc.h>

#include "support/expect.h"

int main(void) {
  for (int i = 0; i < 1000; ++i) {
    char* p = malloc(2000);
    OPAQUE(p);
    p[0] = 1;
  }
  malloc_stats();
  return 0;
}

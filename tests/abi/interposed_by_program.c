// A program that defines functions of libc's, and allocates in each, has a malloc that calls none.
// @timeout 20

#include "support/all_of_malloc.h"
#include "support/interposed_libc.h"

int main(void) {
  const long before = interposed_calls();
  use_all_of_malloc();
  // main's own calls, and some of what libc does for it.
  EXPECT(interposed_calls() > before && interposed_calls_here > 0);
  return 0;
}

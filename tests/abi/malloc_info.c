// malloc_info writes one well-formed XML document whose root is <malloc version="1">; options other
// than 0 are EINVAL.
// @stdout-xml
// @stdout ^<malloc version="1">
// @stdout </malloc>\s*$

#include <malloc.h>

#include "support/expect.h"

int main(void) {
  enum { kCount = 5000 };
  static void* p[kCount];
  for (int i = 0; i < kCount; ++i) p[i] = malloc((size_t)(i * 7));
  for (int i = 0; i < kCount; i += 2) free(p[i]);
  EXPECT(malloc_info(1, stdout) == EINVAL);
  // A stream that allocates while it is written to.
  char* text = NULL;
  size_t length = 0;
  FILE* memory = open_memstream(&text, &length);
  EXPECT(malloc_info(0, memory) == 0);
  EXPECT(fclose(memory) == 0);
  EXPECT(length > 50 && strstr(text, "<malloc") != NULL);
  free(text);
  EXPECT(malloc_info(0, stdout) == 0);
  return 0;
}

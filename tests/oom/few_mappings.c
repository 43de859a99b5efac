// Large blocks that come, grow and go leave the process's mappings to the program. The process ends
// with no more than seven hundred mappings, a hundredth of what it may have.
// @only mmt

#include <fcntl.h>

#include "support/expect.h"

#define BLOCKS 300

static int mappings(void) {
  static char text[65536];
  const int file = open("/proc/self/maps", O_RDONLY);
  int lines = 0;
  for (ssize_t got; (got = read(file, text, sizeof text)) > 0;)
    for (ssize_t i = 0; i < got; ++i) lines += text[i] == '\n';
  close(file);
  return lines;
}

int main(void) {
  static char* blocks[BLOCKS];
  unsigned random = 1;
  for (int i = 0; i < 6000; ++i) {
    random = random * 1103515245 + 12345;
    const unsigned which = (random >> 16) % BLOCKS;
    const size_t bytes = ((size_t)300 << 10) + (random >> 8) % (3 << 20);
    if (i % 3 == 0) {
      free(blocks[which]);
      blocks[which] = malloc(bytes);
    } else {
      blocks[which] = realloc(blocks[which], bytes);
    }
    EXPECT(blocks[which] != NULL);
    for (size_t at = 0; at < bytes; at += 4096) blocks[which][at] = 1;
  }
  EXPECT(mappings() <= 700, "%d mappings", mappings());
  return 0;
}

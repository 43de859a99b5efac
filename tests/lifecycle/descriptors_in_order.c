// While the heap grows, open answers the lowest number that is free, as the standard says: nobody
// else opens files in the program's table.

#include <fcntl.h>
#include <unistd.h>

#include "support/expect.h"

enum { kOpens = 60000, kBlock = 2000 };

int main(void) {
  const int lowest = open("/dev/null", O_RDONLY);
  EXPECT(lowest >= 0);
  close(lowest);
  static void* blocks[kOpens];
  for (int i = 0; i < kOpens; ++i) {
    blocks[i] = malloc(kBlock);
    EXPECT(blocks[i] != NULL);
    memset(blocks[i], 1, kBlock);
    const int number = open("/dev/null", O_RDONLY);
    EXPECT(number == lowest, "%d at %d", number, i);
    close(number);
  }
  for (int i = 0; i < kOpens; ++i) free(blocks[i]);
  return 0;
}

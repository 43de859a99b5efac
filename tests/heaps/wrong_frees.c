// Does one thing wrong, which its argument names, then allocates as if nothing had happened.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char* volatile block;
static char* volatile neighbour;  // keeps the page that the block lies in

int main(int count, char** words) {
  const char* fault = count > 1 ? words[1] : "";
  block = malloc(100);
  neighbour = malloc(100);
  char* const large = malloc(100000);
  memset(block, 1, 100);
  if (strcmp(fault, "double") == 0) {
    free(block);
    free(block);
  } else if (strcmp(fault, "inner") == 0) {
    free(block + 16);
  } else if (strcmp(fault, "page") == 0) {
    free(large + 4096);
  } else if (strcmp(fault, "crooked") == 0) {
    free(large + 16);
  } else if (strcmp(fault, "low") == 0) {
    free((void*)(uintptr_t)16);
  } else if (strcmp(fault, "high") == 0) {
    free((void*)(uintptr_t)0x7ffffffff000);
  } else if (strcmp(fault, "junk") == 0) {
    char* const fresh = malloc(64);
    printf("%02x\n", (unsigned char)fresh[63]);
  } else if (strcmp(fault, "empty") == 0) {
    printf("%s\n", malloc(0) == NULL ? "null" : "block");
  } else if (strcmp(fault, "moves") == 0) {
    printf("%s\n", realloc(block, 101) == block ? "stays" : "moves");
  }
  for (size_t i = 1; i < 5000; ++i) {
    char* more = malloc(i);
    if (more == NULL) return 3;
    memset(more, 2, i);
    if (i % 2 == 0) free(more);
  }
  return puts("done") < 0 ? 4 : 0;
}

// Blocks that libc allocates for its caller are freed by the caller's free.

#include <dirent.h>
#include <malloc.h>
#include <search.h>
#include <wchar.h>

#include "support/expect.h"

static int compare(const void* a, const void* b) { return strcmp(a, b); }

int main(void) {
  for (int i = 0; i < 200; ++i) {
    char* text = NULL;
    EXPECT(asprintf(&text, "%d %0*d", i, i * 10, i) > 0);
    char* copy = strdup(text);
    EXPECT(strcmp(copy, text) == 0 && malloc_usable_size(copy) > strlen(text));
    free(text);
    free(copy);
    free(wcsdup(L"wide"));
    free(realpath("/proc/self/exe", NULL));
    free(getcwd(NULL, 0));
    struct dirent** names = NULL;
    int n = scandir("/", &names, NULL, alphasort);
    EXPECT(n > 3);
    while (n-- > 0) free(names[n]);
    free(names);
    FILE* f = fopen("/proc/self/maps", "r");
    char* line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, f) > 0) EXPECT(malloc_usable_size(line) >= capacity);
    free(line);
    fclose(f);
    char* memory = NULL;
    size_t length = 0;
    f = open_memstream(&memory, &length);
    for (int k = 0; k < 1000; ++k) fprintf(f, "%d,", k);
    fclose(f);
    EXPECT(length > 3000);
    free(memory);
    setenv("MMT_TEST_VARIABLE", i % 2 ? "x" : "a longer value that needs a new block", 1);
  }
  void* root = NULL;
  static char keys[500][8];
  for (int i = 0; i < 500; ++i) {
    snprintf(keys[i], sizeof keys[i], "%d", i * 7919 % 1000);
    EXPECT(tsearch(keys[i], &root, compare) != NULL);
  }
  for (int i = 0; i < 500; ++i) EXPECT(tdelete(keys[i], &root, compare) != NULL);
  EXPECT(root == NULL);
  return 0;
}

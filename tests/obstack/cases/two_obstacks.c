// Two obstacks with functions of their own grow in turn and know nothing of each other.
#include "obstack/obstack_case.h"

static long others;
static void* other_alloc(CHUNK_LENGTH bytes) {
  ++others;
  return malloc((size_t)bytes);
}
static void other_free(void* chunk) {
  --others;
  free(chunk);
}

int main(void) {
  struct obstack numbers, texts;
  obstack_init(&numbers);
  obstack_specify_allocation(&texts, 256, 1, other_alloc, other_free);
  char* words[500];
  for (int i = 0; i < 500; ++i) {
    obstack_int_grow(&numbers, i * i);
    obstack_printf(&texts, "word %d", i);
    obstack_1grow(&texts, 0);
    words[i] = (char*)obstack_finish(&texts);
  }
  printf("%ld and %ld chunks, %ld and %ld bytes\n", live_chunks, others,
         (long)obstack_memory_used(&numbers), (long)obstack_memory_used(&texts));
  int* squares = (int*)obstack_finish(&numbers);
  for (int i = 0; i < 500; ++i) {
    char expected[20];
    snprintf(expected, sizeof expected, "word %d", i);
    EXPECT(squares[i] == i * i && strcmp(words[i], expected) == 0, "at %d", i);
  }
  obstack_free(&texts, words[250]);
  EXPECT(squares[499] == 499 * 499 && strcmp(words[249], "word 249") == 0);
  obstack_free(&numbers, NULL);
  EXPECT(live_chunks == 0 && others > 1);
  EXPECT(strcmp(words[0], "word 0") == 0);
  obstack_free(&texts, NULL);
  EXPECT(others == 0);
  return 0;
}

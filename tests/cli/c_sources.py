"""C that libraries of several tests share."""

# What else a malloc needs whose blocks have their size two words before them. Needs string.h.
BESIDE_MALLOC_AND_FREE = """
size_t malloc_usable_size(void* at) { return ((size_t*)at)[-2]; }
void* calloc(size_t count, size_t size) {
  void* block = malloc(count * size);
  return block == NULL ? NULL : memset(block, 0, count * size);
}
void* realloc(void* at, size_t size) {
  void* to = malloc(size);
  if (at != NULL && to != NULL) memcpy(to, at, size < ((size_t*)at)[-2] ? size : ((size_t*)at)[-2]), free(at);
  return to;
}
"""

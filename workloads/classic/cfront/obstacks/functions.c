// Here the macros are wanted: the functions are declared once more, without their header.
#include <obstack.h>
#include <stdlib.h>

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

void called_obstack_init(struct obstack* h);
void* called_obstack_alloc(struct obstack* h, int bytes);
void* called_obstack_copy(struct obstack* h, const void* data, int bytes);
void* called_obstack_copy0(struct obstack* h, const void* data, int bytes);
void called_obstack_grow(struct obstack* h, const void* data, int bytes);
void called_obstack_1grow(struct obstack* h, char byte);
void* called_obstack_finish(struct obstack* h);
unsigned called_obstack_object_size(const struct obstack* h);
void called_obstack_free(struct obstack* h, void* object);

void called_obstack_init(struct obstack* h) { obstack_init(h); }
void* called_obstack_alloc(struct obstack* h, int bytes) { return obstack_alloc(h, bytes); }
void* called_obstack_copy(struct obstack* h, const void* data, int bytes) {
  return obstack_copy(h, data, bytes);
}
void* called_obstack_copy0(struct obstack* h, const void* data, int bytes) {
  return obstack_copy0(h, data, bytes);
}
void called_obstack_grow(struct obstack* h, const void* data, int bytes) {
  obstack_grow(h, data, bytes);
}
void called_obstack_1grow(struct obstack* h, char byte) { obstack_1grow(h, byte); }
void* called_obstack_finish(struct obstack* h) { return obstack_finish(h); }
unsigned called_obstack_object_size(const struct obstack* h) { return obstack_object_size(h); }
void called_obstack_free(struct obstack* h, void* object) { obstack_free(h, object); }

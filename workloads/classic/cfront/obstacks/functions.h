// The C library's obstacks behind functions that are called, where <obstack.h> has macros.
#pragma once

#include <obstack.h>

#undef obstack_init
#undef obstack_alloc
#undef obstack_copy
#undef obstack_copy0
#undef obstack_grow
#undef obstack_1grow
#undef obstack_finish
#undef obstack_object_size
#undef obstack_free

#define obstack_init called_obstack_init
#define obstack_alloc called_obstack_alloc
#define obstack_copy called_obstack_copy
#define obstack_copy0 called_obstack_copy0
#define obstack_grow called_obstack_grow
#define obstack_1grow called_obstack_1grow
#define obstack_finish called_obstack_finish
#define obstack_object_size called_obstack_object_size
#define obstack_free called_obstack_free

CFRONT_API void called_obstack_init(struct obstack* h);
CFRONT_API void* called_obstack_alloc(struct obstack* h, int bytes);
CFRONT_API void* called_obstack_copy(struct obstack* h, const void* data, int bytes);
CFRONT_API void* called_obstack_copy0(struct obstack* h, const void* data, int bytes);
CFRONT_API void called_obstack_grow(struct obstack* h, const void* data, int bytes);
CFRONT_API void called_obstack_1grow(struct obstack* h, char byte);
CFRONT_API void* called_obstack_finish(struct obstack* h);
CFRONT_API unsigned called_obstack_object_size(const struct obstack* h);
CFRONT_API void called_obstack_free(struct obstack* h, void* object);

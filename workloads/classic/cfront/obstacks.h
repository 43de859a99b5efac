// The obstacks of the compiler; CFRONT_OBSTACKS names the header that implements them for a variant
// of the program. Freeing an object frees all that came after it, which is how scopes and functions
// end.
#pragma once

#include <stdlib.h>

#include "classic/cfront/failure.h"

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

#include CFRONT_OBSTACKS

CFRONT_API struct obstack permanent_obstack;  // names, file scope, strings: to the end
CFRONT_API struct obstack macro_obstack;      // expansions of macros, while they are read
CFRONT_API struct obstack argument_obstack;   // arguments of macros, until they are expanded
CFRONT_API struct obstack scope_obstack;      // what names stand for, to the end of their scope
CFRONT_API struct obstack tree_obstack;       // a function's tree and types, to its end
CFRONT_API struct obstack code_obstack;       // a function's code, to its end
CFRONT_API struct obstack flow_obstack;       // what is found out about that code

CFRONT_API void obstacks_open(void);
CFRONT_API void obstacks_close(void);

#define NEW_IN(h, Type) ((Type*)obstack_alloc((h), (int)sizeof(Type)))
// `count` is an int.
#define NEW_ARRAY_IN(h, Type, count) ((Type*)obstack_alloc((h), (count) * (int)sizeof(Type)))

#include "classic/cfront/obstacks.h"

struct obstack permanent_obstack;
struct obstack macro_obstack;
struct obstack argument_obstack;
struct obstack scope_obstack;
struct obstack tree_obstack;
struct obstack code_obstack;
struct obstack flow_obstack;

void obstacks_open(void) {
  obstack_init(&permanent_obstack);
  obstack_init(&macro_obstack);
  obstack_init(&argument_obstack);
  obstack_init(&scope_obstack);
  obstack_init(&tree_obstack);
  obstack_init(&code_obstack);
  obstack_init(&flow_obstack);
}

void obstacks_close(void) {
  obstack_free(&flow_obstack, NULL);
  obstack_free(&code_obstack, NULL);
  obstack_free(&tree_obstack, NULL);
  obstack_free(&scope_obstack, NULL);
  obstack_free(&argument_obstack, NULL);
  obstack_free(&macro_obstack, NULL);
  obstack_free(&permanent_obstack, NULL);
}

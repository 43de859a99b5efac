// Constant folding.
#pragma once

#include "classic/cfront/front/node.h"

// An expression with all that is constant in it worked out; parts of the tree are reused.
CFRONT_API struct Node* fold_constant(struct Node* node);
// The same for a statement and all in it.
CFRONT_API void fold_statement(struct Node* node);

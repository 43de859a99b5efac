// The tree of a function, in tree_obstack: expressions, each with its type, and statements.
#pragma once

#include "classic/cfront/front/type.h"

struct Symbol;

// A variable of a function. Its address decides where it lives: in the frame if it is taken.
struct Local {
  struct Local* next;
  const struct Type* type;
  bool is_in_memory;
  int offset;  // in the frame
  int virtual_register;
};

enum NodeKind {
  // Expressions.
  kNodeNumber,       // number
  kNodeAddressOf,    // number: of what lies in the data, strings too
  kNodeLocal,        // local
  kNodeGlobal,       // number: address
  kNodeDereference,  // a
  kNodeField,        // a: a struct; number: offset
  kNodeTakeAddress,  // a
  kNodeNegate,       // a
  kNodeComplement,   // a
  kNodeNot,          // a
  kNodeConvert,      // a
  kNodeAdd,          // a, b, from here on
  kNodeSubtract,
  kNodeMultiply,
  kNodeDivide,
  kNodeRemainder,
  kNodeShiftLeft,
  kNodeShiftRight,
  kNodeAnd,
  kNodeOr,
  kNodeXor,
  kNodeEqual,
  kNodeNotEqual,
  kNodeLess,
  kNodeLessEqual,
  kNodeAndThen,
  kNodeOrElse,
  kNodeComma,
  kNodeAssign,
  kNodeAssignWith,  // a becomes b, in which c stands for what a was
  kNodeBefore,      // that: number is the register that holds it
  kNodeStep,        // a; number: what is added; is_late: the value is that before
  kNodeChoose,      // a ? b : c
  kNodeCall,        // symbol; a: first argument, by next
  // Statements.
  kNodeBlock,       // a: first statement, by next
  kNodeExpression,  // a
  kNodeIf,          // a, b, c
  kNodeWhile,       // a, b
  kNodeDo,          // b while a
  kNodeFor,         // d; a; c: b, each may be null
  kNodeSwitch,      // a, b
  kNodeCase,        // number; default if is_default
  kNodeBreak,
  kNodeContinue,
  kNodeReturn,  // a or null
};

struct Node {
  enum NodeKind kind;
  const struct Type* type;
  struct Node* a;
  struct Node* b;
  struct Node* c;
  struct Node* d;
  struct Node* next;
  union {
    int64_t number;
    struct Local* local;
    struct Symbol* symbol;
  } is;
  int depth;  // of the tree below
  bool is_late;
  bool is_default;
};

// Trees that are too deep are mistakes.
enum { kDeepest = 2000 };
CFRONT_API struct Node* new_node(enum NodeKind kind, const struct Type* type, struct Node* a,
                                 struct Node* b);
CFRONT_API struct Node* new_number(int64_t number, const struct Type* type);

static inline bool is_number(const struct Node* node) { return node->kind == kNodeNumber; }

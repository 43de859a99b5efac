// This is the one interface through which the parser gets the memory of a sentence.
// PARSER_ALLOCATOR names the header that implements it for a variant of the program:
// - void xalloc_open(void)      once, before all else: an arena of kArenaBytes
// - void* xalloc(size_t bytes)  aligned for any type; ends the program when the arena is full
// - void xfree(void* block)     in any order; the last block's memory is reused at once
// - void xfree_all(void)        the end of all blocks
//
// A block that is freed in reverse order of its allocation costs the arena nothing. Any other block
// stays until what came after it is freed.
#pragma once

#include <stddef.h>

#include PARSER_ALLOCATOR

#define PARSER_NEW(Type) ((Type*)xalloc(sizeof(Type)))
#define PARSER_NEW_ARRAY(Type, count) ((Type*)xalloc((count) * sizeof(Type)))

# What is linked into libmmt.so: depends on libc alone, runs in any context, throws nothing.
include_guard(GLOBAL)

set(MMT_CORE_FLAGS
    -fno-exceptions
    -fno-rtti
    -ftls-model=initial-exec
    -fno-builtin-malloc
    -fno-builtin-calloc
    -fno-builtin-realloc
    -fno-builtin-free
    # What a library does not call is left out of it: see MMT_CORE_LINK_FLAGS.
    -ffunction-sections
    -fdata-sections
    # The memory thread has no thread descriptor of libc's.
    -fno-stack-protector
    # The checked forms of libc's functions are libc's alone.
    -U_FORTIFY_SOURCE)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  # Code that no compiler made may call malloc with its stack unaligned. No vector is kept there, as an
  # aligned store would fault (src/names/unaligned_stack_test.py).
  list(APPEND MMT_CORE_FLAGS -fcf-protection=none)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # It refuses the library's headers without floating point; so none of its own accord.
    list(APPEND MMT_CORE_FLAGS -mno-implicit-float -fno-vectorize -fno-slp-vectorize)
  else()
    list(APPEND MMT_CORE_FLAGS -mgeneral-regs-only)
    set(MMT_VECTOR_FLAGS -msse2)  # for what keeps them in registers alone
  endif()
endif()

# These flags link each library that is made of these parts.
set(MMT_CORE_LINK_FLAGS -nodefaultlibs LINKER:-z,now LINKER:-z,nodelete LINKER:--no-undefined
                        LINKER:--gc-sections)

# mmt_core_flags(TARGET): the house's warnings, and the flags above.
function(mmt_core_flags target)
  target_link_libraries(${target} PUBLIC mmt_headers)
  target_compile_options(${target} PRIVATE ${MMT_CORE_FLAGS})
  mmt_warnings(${target})
endfunction()

# mmt_core_part(NAME source...): one folder's objects, joined to mmt_core.
function(mmt_core_part name)
  add_library(${name} OBJECT ${ARGN})
  mmt_core_flags(${name})
  set_property(GLOBAL APPEND PROPERTY MMT_CORE_PARTS ${name})
endfunction()

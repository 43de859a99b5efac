# This file says how the programs of the folder that includes it, and of the folders below, are built.
# They are position-independent, and their tables are read-only once loaded. They check the stack and
# libc's buffers. Parts of libmmt.so take the checks back (MmtCore).
include_guard(DIRECTORY)
include(CheckPIESupported)
check_pie_supported(LANGUAGES C CXX)
# Unit tests share a precompiled header, and change tables of their own.
set(product $<NOT:$<BOOL:$<TARGET_PROPERTY:MMT_UNIT_TEST>>>)
add_link_options($<${product}:LINKER:-z,relro,-z,now>)
if(NOT MMT_SANITIZE)
  # Without optimization libc refuses to look at buffers.
  add_compile_options($<${product}:-fstack-protector-strong>)
  add_compile_options("$<$<AND:${product},$<NOT:$<CONFIG:Debug>>>:-D_FORTIFY_SOURCE=2>")
endif()

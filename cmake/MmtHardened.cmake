# How the programs of the folder that includes this are built, and of those below: position-independent,
# their tables read-only once loaded, with checks of the stack and of libc's buffers. Parts of
# libmmt.so take the checks back (MmtCore).
include_guard(DIRECTORY)
include(CheckPIESupported)
check_pie_supported(LANGUAGES C CXX)
add_link_options(LINKER:-z,relro,-z,now)
if(NOT MMT_SANITIZE)
  add_compile_options(-fstack-protector-strong)
  # Without optimization libc refuses it.
  add_compile_options("$<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
endif()

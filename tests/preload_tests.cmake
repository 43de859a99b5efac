# mmt_preload_tests(LABEL): every *.c and *.cpp of the current folder is one program and one test
# LABEL.NAME, run under libmmt.so by run_preloaded.py. A source with an `@soak` directive is also
# registered as soak.LABEL.NAME; `@serial` keeps a test alone on the machine.
# `@linked` links the library itself instead of leaving it to the preload. `@root` is for what only root
# can do: the test has label root, and others leave it out (tools/run_tests.py).
# `@memory-thread` is for those that speak of what only the memory thread does: left out where the
# soak runs without.
# A source `lib_*.c*` is no test but a shared library the tests of this folder open.
set(MMT_TESTS_DIR ${CMAKE_CURRENT_LIST_DIR})
set(MMT_TEST_FLAGS
    -O2
    -g
    -pthread
    -D_GNU_SOURCE
    -fno-builtin
    -Wall
    -Wextra
    -Werror
    $<$<C_COMPILER_ID:Clang>:-Wno-unknown-warning-option>
    $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-fsized-deallocation>
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-mismatched-new-delete>
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-sized-deallocation>
    -Wno-use-after-free
    -Wno-alloc-size-larger-than
    -Wno-free-nonheap-object
    -Wno-unused-result
    -Wno-deprecated-declarations
    -Wno-clobbered)

if(NOT TARGET mmt_test_proof)
  enable_language(C)
  add_library(mmt_test_proof OBJECT ${MMT_TESTS_DIR}/support/proof.c)
  target_compile_definitions(mmt_test_proof PRIVATE _GNU_SOURCE)
  target_compile_options(mmt_test_proof PRIVATE ${MMT_TEST_FLAGS})
endif()

function(mmt_preload_library source)
  get_filename_component(name ${source} NAME_WE)
  add_library(${name} MODULE ${source})
  target_include_directories(${name} PRIVATE ${MMT_TESTS_DIR})
  target_compile_options(${name} PRIVATE ${MMT_TEST_FLAGS})
  set_target_properties(${name} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY
                                           ${CMAKE_CURRENT_BINARY_DIR})
endfunction()

# Whether a test speaks of what this allocator does not have, by its directives: then it is not
# registered. LIBRARY is a file's name, with that of a DEPOT behind a protocol's: a heap of ours or a file.
function(mmt_means_nothing result test library)
  if(ARGN)
    if(TARGET mmt_heap_${ARGN})
      string(APPEND library "+libmmt-${ARGN}.so")
    else()
      string(APPEND library "+${ARGN}")
    endif()
  endif()
  set(found FALSE)
  if(library IN_LIST MMT_VOID_${test})
    set(found TRUE)
  endif()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# MMT_VOID_LABEL.NAME of each source: where it means nothing, as mmt_means_nothing() has it.
function(mmt_find_void label)
  set(allocators libmmt.so)
  mmt_names(protocols PROTOCOLS)
  mmt_names(heaps HEAPS shown hidden)
  list(TRANSFORM heaps REPLACE "(.+)" "libmmt-\\1.so")
  list(APPEND allocators libmmt-harden.so)
  set(depots ${heaps} glibc)
  foreach(peer IN LISTS MMT_JEMALLOC MMT_MIMALLOC MMT_TCMALLOC MMT_TBBMALLOC)
    get_filename_component(file ${peer} NAME)
    list(APPEND depots ${file})
  endforeach()
  list(APPEND allocators ${heaps})
  foreach(protocol IN LISTS protocols)
    list(TRANSFORM depots PREPEND "libmmt-protocol-${protocol}.so+" OUTPUT_VARIABLE behind)
    list(APPEND allocators ${behind})
  endforeach()
  list(JOIN allocators "," allocators)
  execute_process(COMMAND ${MMT_TESTS_DIR}/directives.py ${allocators} ${ARGN}
                  OUTPUT_VARIABLE lines OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" lines "${lines}")
  foreach(line IN LISTS lines)
    separate_arguments(words UNIX_COMMAND "${line}")
    list(POP_FRONT words name)
    set(MMT_VOID_${label}.${name} ${words} PARENT_SCOPE)
  endforeach()
endfunction()

# Tests of what stands before every heap and is the same there: doors, loading, signals, forks.
string(CONCAT MMT_TESTS_OF_DOORS
  "^lifecycle|^abi\\.(after_|all_keys|before_|cfree|constructors|deepbind|dlsym|early|interposed|key_|left_|"
  "libc_|locked_for|new_(bad|handler|replaced)|passed_on|program_|signal|stack_of|stepped|thread_local|"
  "unaligned)")

# The same program under each layered heap, as heap.NAME.LABEL.NAME.
function(mmt_layered_tests test target source)
  mmt_names(heaps HEAPS shown hidden)
  foreach(heap IN LISTS heaps)
    set(library $<TARGET_FILE:mmt_heap_${heap}>)
    mmt_means_nothing(is_void ${test} libmmt-${heap}.so)
    if(is_void)
      continue()
    endif()
    # What the doors do, and a process's life, meet three kinds: one thread at a time, any number, a
    # memory thread. The memory thread is the same before all heaps, so one of them stands for it; all
    # are in the soak.
    set(label heaps)
    set(prefix heap)
    if((test MATCHES "${MMT_TESTS_OF_DOORS}" AND NOT heap MATCHES "^(kingsley|hoard|lea-offloaded)$")
       OR (heap MATCHES "-offloaded$" AND NOT heap STREQUAL "lea-offloaded"))
      set(label soak)
      set(prefix soak.heap)
    endif()
    add_test(NAME ${prefix}.${heap}.${test}
             COMMAND ${MMT_TESTS_DIR}/run_preloaded.py --lib ${library} --source ${source} --
                     $<TARGET_FILE:${target}>)
    set_tests_properties(${prefix}.${heap}.${test} PROPERTIES LABELS ${label} TIMEOUT 300
                                                                    SKIP_RETURN_CODE 77)
  endforeach()
endfunction()

# Allocators of the system, where they are installed, and what they do not pass.
find_library(MMT_JEMALLOC NAMES libjemalloc.so.2)
find_library(MMT_MIMALLOC NAMES libmimalloc.so.2 libmimalloc.so.2.0)
find_library(MMT_TCMALLOC NAMES libtcmalloc_minimal.so.4)
find_library(MMT_TBBMALLOC NAMES libtbbmalloc_proxy.so.2)
include(${CMAKE_CURRENT_LIST_DIR}/peers.cmake)

# Whether a test is for this depot of the system's: installed, meant, and passed by it alone.
function(mmt_is_for_peer result peer test protocol)
  set(found FALSE)
  string(TOUPPER MMT_${peer} path)
  if(${path} AND NOT test IN_LIST MMT_PASSED_BY_NO_PEER AND NOT test IN_LIST MMT_NOT_PASSED_BY_${peer})
    get_filename_component(file ${${path}} NAME)
    mmt_means_nothing(is_void ${test} libmmt-protocol-${protocol}.so ${file})
    if(NOT is_void)
      set(found TRUE)
    endif()
  endif()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# One test behind a protocol, over a depot: a target's file, a path, or none for glibc.
function(mmt_protocol_test name protocol target source labels depot)
  set(behind)
  if(depot)
    set(behind --depot ${depot})
  endif()
  add_test(NAME ${name}
           COMMAND ${MMT_TESTS_DIR}/run_preloaded.py --lib $<TARGET_FILE:mmt_protocol_${protocol}>
                   ${behind} --source ${source} -- $<TARGET_FILE:${target}>)
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT 300 SKIP_RETURN_CODE 77)
  if(NOT protocol STREQUAL mmt)
    # Two that wait for each other: on fewer CPUs than that each answer takes a time slice.
    set_tests_properties(${name} PROPERTIES PROCESSORS 2)
  endif()
endfunction()

# Memory threads of each kind: below libc, and libc's own before a heap and before an allocator. The
# last does not see what is done past libc, and libc carries its thread along each time. Neither of
# libc's gives anything up under a filter.
function(mmt_server_tests test target source labels)
  list(FILTER labels INCLUDE REGEX "root")
  mmt_protocol_test(protocol.mmt.glibc.${test} mmt ${target} ${source} "protocols;${labels}" "")
  if(test MATCHES "under_filter")
    return()
  endif()
  if(NOT test MATCHES "past_libc|often|differing")
    mmt_protocol_test(protocol.sync.glibc.${test} sync ${target} ${source} "protocols;${labels}" "")
  endif()
  add_test(NAME heap.lea-offloaded.${test}
           COMMAND ${MMT_TESTS_DIR}/run_preloaded.py --lib $<TARGET_FILE:mmt_heap_lea-offloaded>
                   --source ${source} -- $<TARGET_FILE:${target}>)
  set_tests_properties(heap.lea-offloaded.${test} PROPERTIES LABELS "heaps;${labels}" TIMEOUT 300
                                                             SKIP_RETURN_CODE 77)
endfunction()

# On the hardened heap, which reports nothing. What make test has no time for is in the soak.
function(mmt_hardened_test test target source)
  mmt_means_nothing(is_void ${test} libmmt-harden.so)
  if(is_void)
    return()
  endif()
  set(name harden.${test})
  set(labels harden)
  if(NOT test MATCHES "^(abi.([^s]|s[^t])|lifecycle.(fork_child|fork_from|small_))")
    set(name soak.${name})
    set(labels soak)
  endif()
  add_test(NAME ${name} COMMAND ${MMT_TESTS_DIR}/run_preloaded.py --lib $<TARGET_FILE:mmt_harden> --source
                                ${source} -- $<TARGET_FILE:${target}>)
  set_tests_properties(${name} PROPERTIES LABELS ${labels} TIMEOUT 300 SKIP_RETURN_CODE 77)
endfunction()

# Beside five allocators: what a thread below libc must not be in the way of.
function(mmt_beside_tests test target source labels)
  foreach(depot IN ITEMS glibc phk hoard)
    mmt_means_nothing(is_void ${test} libmmt-protocol-mmt.so ${depot})
    if(NOT is_void)
      set(file)
      if(TARGET mmt_heap_${depot})
        set(file $<TARGET_FILE:mmt_heap_${depot}>)
      endif()
      mmt_protocol_test(protocol.mmt.${depot}.${test} mmt ${target} ${source}
                        "protocols;${labels}" "${file}")
    endif()
  endforeach()
  foreach(peer IN ITEMS jemalloc mimalloc)
    mmt_is_for_peer(is_meant ${peer} ${test} mmt)
    if(is_meant)
      string(TOUPPER MMT_${peer} path)
      mmt_protocol_test(protocol.mmt.${peer}.${test} mmt ${target} ${source}
                        "protocols;${labels}" ${${path}})
    endif()
  endforeach()
endfunction()

# Behind each protocol, over the library's own allocators and the system's, as
# protocol.NAME.DEPOT.LABEL.NAME. What make test has no time for is in the soak.
function(mmt_protocol_tests test target source)
  mmt_names(protocols PROTOCOLS)
  mmt_names(heaps HEAPS shown)
  foreach(protocol IN LISTS protocols)
    foreach(depot IN LISTS heaps ITEMS glibc)
      mmt_means_nothing(is_void ${test} libmmt-protocol-${protocol}.so ${depot})
      if(is_void)
        continue()
      endif()
      set(name protocol.${protocol}.${depot}.${test})
      set(label protocols)
      if(NOT "${protocol}.${depot}" MATCHES "^(mmt.(glibc|phk)|(main-alloc-bulk|preallocate).glibc)$"
         OR "${protocol}.${test}" MATCHES "^preallocate.lifecycle"
         OR ("${protocol}.${test}" MATCHES "^main-alloc-bulk.lifecycle"
             AND NOT test MATCHES "fork_(child_uses|in_signal)"))
        set(name soak.${name})
        set(label soak)
      endif()
      set(file)
      if(TARGET mmt_heap_${depot})
        set(file $<TARGET_FILE:mmt_heap_${depot}>)
      endif()
      mmt_protocol_test(${name} ${protocol} ${target} ${source} ${label} "${file}")
    endforeach()
    foreach(peer IN ITEMS jemalloc mimalloc tcmalloc tbbmalloc)
      # Tests of forks take long, so they run behind our protocol and the paper's last only. One of them runs behind
      # each protocol over jemalloc, whose own handlers take locks.
      if(NOT "${protocol}.${peer}.${test}" MATCHES
         "abi|^(mmt|preallocate)|jemalloc.lifecycle.fork_under_allocation$")
        continue()
      endif()
      mmt_is_for_peer(is_meant ${peer} ${test} ${protocol})
      if(is_meant)
        string(TOUPPER MMT_${peer} path)
        mmt_protocol_test(soak.protocol.${protocol}.${peer}.${test} ${protocol} ${target} ${source}
                          soak ${${path}})
      endif()
    endforeach()
  endforeach()
endfunction()

function(mmt_preload_test label source)
  get_filename_component(name ${source} NAME_WE)
  set(target ${label}_${name})
  add_executable(${target} ${source} $<TARGET_OBJECTS:mmt_test_proof>)
  target_include_directories(${target} PRIVATE ${MMT_TESTS_DIR})
  target_compile_options(${target} PRIVATE ${MMT_TEST_FLAGS})
  target_link_libraries(${target} PRIVATE dl pthread)
  set_target_properties(
    ${target} PROPERTIES OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}
                         C_STANDARD 17 C_EXTENSIONS ON CXX_STANDARD 20 CXX_EXTENSIONS ON)
  file(STRINGS ${source} directives REGEX "^// @" LIMIT_COUNT 20)
  if(directives MATCHES "// @linked")
    target_link_options(${target} PRIVATE -Wl,--no-as-needed)
    target_link_libraries(${target} PRIVATE mmt_preload)
  endif()
  set(run ${MMT_TESTS_DIR}/run_preloaded.py --lib $<TARGET_FILE:mmt_preload> --source ${source})
  set(labels ${label})
  foreach(directive IN ITEMS memory-thread root)
    if(directives MATCHES "// @${directive}")
      list(APPEND labels ${directive})
    endif()
  endforeach()
  mmt_means_nothing(is_void ${label}.${name} libmmt.so)
  if(NOT is_void)
    add_test(NAME ${label}.${name} COMMAND ${run} -- $<TARGET_FILE:${target}>)
    set_tests_properties(${label}.${name} PROPERTIES LABELS "${labels}" TIMEOUT 300
                                                     SKIP_RETURN_CODE 77)
    if(directives MATCHES "// @serial")
      set_tests_properties(${label}.${name} PROPERTIES RUN_SERIAL TRUE)
    endif()
  endif()
  if(label MATCHES "^(abi|lifecycle)$")
    mmt_hardened_test(${label}.${name} ${target} ${source})
  endif()
  if(label STREQUAL "abi" OR "${label}.${name}" MATCHES "^lifecycle.(fork_|large_blocks_in|last_thread_ends_at)")
    mmt_layered_tests(${label}.${name} ${target} ${source})
    mmt_protocol_tests(${label}.${name} ${target} ${source})
  elseif("${label}.${name}" MATCHES
         "^lifecycle.(setuid|unshare|seccomp|vfork|descriptors|untouched|limit|large|program_memory)")
    list(FILTER labels INCLUDE REGEX "root")
    mmt_beside_tests(${label}.${name} ${target} ${source} "${labels}")
  elseif("${label}.${name}" MATCHES "^lifecycle.(rights_(given|changed|under|differing|unreadable)|counter_|freed_while)")
    mmt_server_tests(${label}.${name} ${target} ${source} "${labels}")
  endif()
  if(directives MATCHES "// @soak ")
    add_test(NAME soak.${label}.${name} COMMAND ${run} --soak -- $<TARGET_FILE:${target}>)
    set_tests_properties(soak.${label}.${name} PROPERTIES LABELS soak TIMEOUT 7200)
  endif()
endfunction()

function(mmt_preload_tests label)
  file(GLOB libraries CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/lib_*.c*)
  foreach(source ${libraries})
    mmt_preload_library(${source})
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.c
       ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  list(REMOVE_ITEM sources ${libraries})
  mmt_find_void(${label} ${sources})
  foreach(source IN LISTS sources)
    mmt_preload_test(${label} ${source})
  endforeach()
endfunction()

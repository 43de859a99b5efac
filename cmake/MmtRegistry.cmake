# What the build makes that can be chosen by name. Each heap and each protocol is one row, in the
# CMakeLists.txt of its folder; from these rows come the tables of the command line tool, the tests,
# what is installed and what a library may call.
include_guard(GLOBAL)

# mmt_describe(LIST NAME "what it is" [HIDDEN] [STUDY])
# HIDDEN: works by its name, but no list shows it. STUDY: serves studies only, and runs none of the
# programs of the tests; hidden, too.
function(mmt_describe list name help)
  cmake_parse_arguments(PARSE_ARGV 3 arg "HIDDEN;STUDY" "" "TAKES")
  set(use shown)
  if(arg_STUDY)
    set(use study)
  elseif(arg_HIDDEN)
    set(use hidden)
  endif()
  set_property(GLOBAL APPEND PROPERTY MMT_${list} ${name})
  set_property(GLOBAL PROPERTY MMT_${list}_${name}_USE ${use})
  set_property(GLOBAL PROPERTY MMT_${list}_${name}_HELP "${help}")
  list(JOIN arg_TAKES " " takes)
  set_property(GLOBAL PROPERTY MMT_${list}_${name}_TAKES "${takes}")
endfunction()

# mmt_names(RESULT LIST [use...]): the names of HEAPS or PROTOCOLS, of these uses or all.
function(mmt_names result list)
  get_property(names GLOBAL PROPERTY MMT_${list})
  set(chosen)
  foreach(name IN LISTS names)
    get_property(use GLOBAL PROPERTY MMT_${list}_${name}_USE)
    if(NOT ARGN OR use IN_LIST ARGN)
      list(APPEND chosen ${name})
    endif()
  endforeach()
  set(${result} ${chosen} PARENT_SCOPE)
endfunction()

# mmt_tables(RESULT LIST): their rows in C++, Built of src/cli/registry/built.h.
function(mmt_tables result list)
  get_property(names GLOBAL PROPERTY MMT_${list})
  set(rows)
  foreach(name IN LISTS names)
    get_property(use GLOBAL PROPERTY MMT_${list}_${name}_USE)
    get_property(help GLOBAL PROPERTY MMT_${list}_${name}_HELP)
    get_property(takes GLOBAL PROPERTY MMT_${list}_${name}_TAKES)
    set(shown false)
    if(use STREQUAL "shown")
      set(shown true)
    endif()
    string(APPEND rows "    {{\"${name}\", R\"~(${help})~\"}, ${shown}, \" ${takes} \"},\n")
  endforeach()
  set(${result} "${rows}" PARENT_SCOPE)
endfunction()

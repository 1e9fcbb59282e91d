# What Octet's own tests, examples and benchmarks share: warnings, sanitizers,
# ccache and one precompiled LibTorch header. Nothing here reaches a user.

find_program(OCTET_CCACHE ccache)
if(OCTET_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # ccache accepts precompiled headers only with these; -fpch-preprocess below
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    ${OCTET_CCACHE})
endif()

set(OCTET_SANITIZE "" CACHE STRING "Sanitizers, for example address,undefined or thread")

add_library(octet_development INTERFACE)
target_compile_options(octet_development INTERFACE
  -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers
  $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
if(OCTET_SANITIZE)
  target_compile_options(octet_development INTERFACE
    -fsanitize=${OCTET_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  target_link_options(octet_development INTERFACE -fsanitize=${OCTET_SANITIZE})
endif()

# One precompiled torch/torch.h for all of them (30 s once, 7 s saved a file).
file(WRITE ${CMAKE_BINARY_DIR}/pch.cpp.in "// holds the precompiled header\n")
configure_file(${CMAKE_BINARY_DIR}/pch.cpp.in ${CMAKE_BINARY_DIR}/pch.cpp COPYONLY)
add_library(octet_pch OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/pch.cpp)
target_link_libraries(octet_pch PUBLIC octet::core octet_development)
target_precompile_headers(octet_pch PRIVATE <torch/torch.h>)

# octet_executable(<name> [VISION] SOURCES <files...> [LINK <targets...>])
function(octet_executable name)
  cmake_parse_arguments(arg "VISION" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE octet::core octet_development ${arg_LINK})
  if(arg_VISION)
    target_link_libraries(${name} PRIVATE octet::vision)
  endif()
  target_precompile_headers(${name} REUSE_FROM octet_pch)
endfunction()

# Finds LibTorch and defines the target octet::libtorch.
#
# Used by Octet's own build and, installed beside octet-config.cmake, by every
# project that finds Octet. LibTorch is looked for in this order:
#   1. Torch_DIR, CMAKE_PREFIX_PATH (variables or environment)
#   2. the torch package of the active Python (python3 on PATH)
#   3. the copy that scripts/bootstrap put into the user's cache folder
#
# A LibTorch with CUDA is used through its own CMake package, which needs the
# CUDA toolkit. Where the toolkit, or a library that libtorch_cuda.so needs, is
# absent, that package would stop the configure step; then the CPU libraries of
# the same LibTorch are linked, and a message says so.
#
#   OCTET_CUDA   AUTO (default) as above · ON stop if CUDA can't be had ·
#                OFF the CPU libraries, always
#
# Sets OCTET_LIBTORCH_ROOT, OCTET_LIBTORCH_VERSION, OCTET_LIBTORCH_CUDA.
# Everything here runs in the caller's scope: LibTorch's package enables the
# CUDA language, which CMake allows nowhere else.

set(OCTET_CUDA AUTO CACHE STRING "Use LibTorch's CUDA libraries: AUTO, ON, OFF")
set_property(CACHE OCTET_CUDA PROPERTY STRINGS AUTO ON OFF)

set(_octet_libtorch_min 2.8)
set(_octet_libtorch_max 2.16)  # the first version not meant to work

# Sets `out` to the LibTorch folder that holds share/cmake/Torch, or "".
function(_octet_libtorch_search out)
  set(${out} "" PARENT_SCOPE)
  set(candidates "")
  if(Torch_DIR)
    cmake_path(GET Torch_DIR PARENT_PATH dir)
    cmake_path(GET dir PARENT_PATH dir)
    cmake_path(GET dir PARENT_PATH dir)
    list(APPEND candidates "${dir}")
  endif()
  set(prefixes ${CMAKE_PREFIX_PATH} $ENV{Torch_DIR})
  string(REPLACE ":" ";" from_env "$ENV{CMAKE_PREFIX_PATH}")
  foreach(prefix IN LISTS prefixes from_env)
    list(APPEND candidates "${prefix}" "${prefix}/../.." "${prefix}/../../..")
  endforeach()
  find_program(_octet_python NAMES python3 python NO_CACHE)
  if(_octet_python)
    execute_process(
      COMMAND ${_octet_python} -c "import importlib.util as u, os
s = u.find_spec('torch')
print(os.path.dirname(s.origin) if s and s.origin else '')"
      OUTPUT_VARIABLE dir OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    list(APPEND candidates "${dir}")
  endif()
  set(cache "$ENV{OCTET_CACHE}")
  if(NOT cache)
    set(cache "$ENV{XDG_CACHE_HOME}")
    if(NOT cache)
      set(cache "$ENV{HOME}/.cache")
    endif()
    string(APPEND cache "/octet")
  endif()
  list(APPEND candidates "${cache}/libtorch/torch")
  foreach(dir IN LISTS candidates)
    if(NOT dir OR NOT EXISTS "${dir}/share/cmake/Torch/TorchConfig.cmake")
      continue()
    endif()
    get_filename_component(dir "${dir}" REALPATH)
    _octet_libtorch_version("${dir}" version)
    if(version VERSION_LESS _octet_libtorch_min OR
       version VERSION_GREATER_EQUAL _octet_libtorch_max)
      message(STATUS "octet: passing over LibTorch ${version} in ${dir} "
                     "(${_octet_libtorch_min} to 2.15 are meant to work)")
      continue()
    endif()
    set(${out} "${dir}" PARENT_SCOPE)
    return()
  endforeach()
endfunction()

function(_octet_libtorch_version root out)
  set(version "")
  set(header "${root}/include/torch/headeronly/version.h")
  if(NOT EXISTS "${header}")
    set(header "${root}/include/torch/csrc/api/include/torch/version.h")
  endif()
  if(EXISTS "${header}")
    file(STRINGS "${header}" lines REGEX "define TORCH_VERSION_(MAJOR|MINOR|PATCH) ")
    string(REGEX MATCHALL "[0-9]+" numbers "${lines}")
    list(JOIN numbers "." version)
  endif()
  set(${out} "${version}" PARENT_SCOPE)
endfunction()

# Why the CUDA libraries of `root` can't be linked, or "".
function(_octet_libtorch_cuda_missing root out)
  set(${out} "" PARENT_SCOPE)
  if(NOT CUDAToolkit_FOUND OR NOT CUDAToolkit_NVCC_EXECUTABLE)
    set(${out} "no CUDA toolkit (nvcc) was found" PARENT_SCOPE)
    return()
  endif()
  find_program(_octet_ldd ldd NO_CACHE)
  if(_octet_ldd)
    execute_process(COMMAND ${_octet_ldd} "${root}/lib/libtorch_cuda.so"
                    OUTPUT_VARIABLE needed ERROR_QUIET)
    string(REGEX MATCHALL "[^ \t\n]+ => not found" missing "${needed}")
    if(missing)
      list(TRANSFORM missing REPLACE " => not found" "")
      list(REMOVE_DUPLICATES missing)
      list(JOIN missing ", " missing)
      set(${out} "libtorch_cuda.so needs ${missing}" PARENT_SCOPE)
    endif()
  endif()
endfunction()

if(NOT TARGET octet::libtorch)
  _octet_libtorch_search(OCTET_LIBTORCH_ROOT)
  if(NOT OCTET_LIBTORCH_ROOT)
    set(_octet_why
      "octet: LibTorch was not found. Any of these gives it one:\n"
      "  ./scripts/bootstrap                  in Octet's source folder\n"
      "  python3 -m pip install torch         in the active Python\n"
      "  cmake -DTorch_DIR=<libtorch>/share/cmake/Torch ...\n")
    list(JOIN _octet_why "" _octet_why)
    if(DEFINED octet_FIND_VERSION OR DEFINED octet_FIND_COMPONENTS)
      set(octet_FOUND FALSE)
      set(octet_NOT_FOUND_MESSAGE "${_octet_why}")
      return()
    endif()
    message(FATAL_ERROR "${_octet_why}")
  endif()
  _octet_libtorch_version("${OCTET_LIBTORCH_ROOT}" OCTET_LIBTORCH_VERSION)

  set(OCTET_LIBTORCH_CUDA FALSE)
  set(_octet_cuda_why "")
  if(NOT EXISTS "${OCTET_LIBTORCH_ROOT}/lib/libtorch_cuda.so")
    set(_octet_cuda_why "this LibTorch has no CUDA libraries")
  elseif(OCTET_CUDA STREQUAL "OFF")
    set(_octet_cuda_why "OCTET_CUDA is OFF")
  else()
    find_package(CUDAToolkit QUIET)
    _octet_libtorch_cuda_missing("${OCTET_LIBTORCH_ROOT}" _octet_cuda_why)
    if(NOT _octet_cuda_why)
      set(OCTET_LIBTORCH_CUDA TRUE)
    endif()
  endif()
  if(OCTET_CUDA STREQUAL "ON" AND NOT OCTET_LIBTORCH_CUDA)
    message(FATAL_ERROR "octet: OCTET_CUDA is ON, but ${_octet_cuda_why}.")
  endif()

  if(TARGET torch OR OCTET_LIBTORCH_CUDA OR
     NOT EXISTS "${OCTET_LIBTORCH_ROOT}/lib/libtorch_cuda.so")
    # LibTorch's own package. It would turn a C++ standard set by the project
    # into a CUDA standard that CMake 3.25 does not know, so that is put aside.
    if(DEFINED CMAKE_CXX_STANDARD)
      set(_octet_cxx_standard "${CMAKE_CXX_STANDARD}")
      unset(CMAKE_CXX_STANDARD)
    endif()
    if(NOT TARGET torch)
      set(Torch_DIR "${OCTET_LIBTORCH_ROOT}/share/cmake/Torch")
      find_package(Torch REQUIRED CONFIG)
    endif()
    if(DEFINED _octet_cxx_standard)
      set(CMAKE_CXX_STANDARD "${_octet_cxx_standard}")
      unset(_octet_cxx_standard)
    endif()
    add_library(octet::libtorch INTERFACE IMPORTED)
    set_target_properties(octet::libtorch PROPERTIES INTERFACE_LINK_LIBRARIES torch)
    if(OCTET_LIBTORCH_CUDA)
      message(STATUS "octet: LibTorch ${OCTET_LIBTORCH_VERSION} with CUDA, "
                     "${OCTET_LIBTORCH_ROOT}")
    else()
      message(STATUS "octet: LibTorch ${OCTET_LIBTORCH_VERSION} for the CPU, "
                     "${OCTET_LIBTORCH_ROOT}")
    endif()
  else()
    add_library(octet::libtorch INTERFACE IMPORTED)
    set_target_properties(octet::libtorch PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES
        "${OCTET_LIBTORCH_ROOT}/include;${OCTET_LIBTORCH_ROOT}/include/torch/csrc/api/include"
      INTERFACE_LINK_LIBRARIES
        "${OCTET_LIBTORCH_ROOT}/lib/libtorch_cpu.so;${OCTET_LIBTORCH_ROOT}/lib/libc10.so")
    message(STATUS "octet: LibTorch ${OCTET_LIBTORCH_VERSION}, its CPU libraries "
                   "only (${_octet_cuda_why}), ${OCTET_LIBTORCH_ROOT}")
  endif()
endif()

# octet_component(<name> HEADERS <files...> LINK <targets...>)
#
# Defines the header-only library octet::<name> under the same name in the
# build tree and in the installed package, and installs it as a component with
# an export file of its own.
function(octet_component name)
  cmake_parse_arguments(arg "" "" "HEADERS;LINK" ${ARGN})
  add_library(octet_${name} INTERFACE)
  add_library(octet::${name} ALIAS octet_${name})
  set_target_properties(octet_${name} PROPERTIES EXPORT_NAME ${name})
  target_sources(octet_${name} INTERFACE
    FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/include FILES ${arg_HEADERS})
  target_compile_features(octet_${name} INTERFACE cxx_std_20)
  target_link_libraries(octet_${name} INTERFACE ${arg_LINK})
  if(OCTET_INSTALL)
    install(TARGETS octet_${name} EXPORT octet-${name}
      FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(EXPORT octet-${name} NAMESPACE octet::
      FILE octet-${name}-targets.cmake DESTINATION ${OCTET_INSTALL_CMAKEDIR})
  endif()
endfunction()

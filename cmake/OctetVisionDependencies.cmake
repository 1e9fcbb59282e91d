# Finds what octet::vision needs and defines octet::opencv (core, imgproc and
# imgcodecs of OpenCV 4.6 or newer) and JPEG::JPEG (libjpeg-turbo). Sets
# OCTET_VISION_MISSING to what is absent, or "".

set(OCTET_VISION_MISSING "")

if(NOT TARGET octet::opencv)
  find_package(OpenCV 4.6 QUIET COMPONENTS core imgproc imgcodecs)
  if(OpenCV_FOUND)
    add_library(octet::opencv INTERFACE IMPORTED)
    set_target_properties(octet::opencv PROPERTIES INTERFACE_LINK_LIBRARIES
      "opencv_core;opencv_imgproc;opencv_imgcodecs")
  else()
    # Debian ships OpenCVConfig.cmake only in libopencv-dev, which brings Qt,
    # VTK and a gigabyte; the three small -dev packages are all we need.
    find_path(_octet_cv_include opencv2/core.hpp PATH_SUFFIXES opencv4 NO_CACHE)
    find_library(_octet_cv_core opencv_core NO_CACHE)
    find_library(_octet_cv_imgproc opencv_imgproc NO_CACHE)
    find_library(_octet_cv_imgcodecs opencv_imgcodecs NO_CACHE)
    if(_octet_cv_include AND _octet_cv_core AND _octet_cv_imgproc AND
       _octet_cv_imgcodecs AND
       EXISTS "${_octet_cv_include}/opencv2/imgproc.hpp" AND
       EXISTS "${_octet_cv_include}/opencv2/imgcodecs.hpp")
      file(STRINGS "${_octet_cv_include}/opencv2/core/version.hpp" _octet_cv_version
        REGEX "define CV_VERSION_(MAJOR|MINOR|REVISION) ")
      string(REGEX MATCHALL " [0-9]+" _octet_cv_version "${_octet_cv_version}")
      list(JOIN _octet_cv_version "." OpenCV_VERSION)
      string(REPLACE " " "" OpenCV_VERSION "${OpenCV_VERSION}")
      if(OpenCV_VERSION VERSION_GREATER_EQUAL 4.6)
        add_library(octet::opencv INTERFACE IMPORTED)
        set_target_properties(octet::opencv PROPERTIES
          INTERFACE_INCLUDE_DIRECTORIES "${_octet_cv_include}"
          INTERFACE_LINK_LIBRARIES
          "${_octet_cv_imgcodecs};${_octet_cv_imgproc};${_octet_cv_core}")
      endif()
    endif()
  endif()
endif()
if(NOT TARGET octet::opencv)
  string(APPEND OCTET_VISION_MISSING
    "OpenCV 4.6 or newer (core, imgproc, imgcodecs) was not found. ")
endif()

find_package(JPEG QUIET)
if(NOT JPEG_FOUND)
  string(APPEND OCTET_VISION_MISSING "libjpeg-turbo was not found. ")
else()
  # libjpeg-turbo names itself in jconfig.h; other libjpegs don't.
  find_file(_octet_jconfig jconfig.h HINTS ${JPEG_INCLUDE_DIRS}
    PATH_SUFFIXES ${CMAKE_LIBRARY_ARCHITECTURE} NO_CACHE)
  if(_octet_jconfig)
    file(STRINGS "${_octet_jconfig}" _octet_turbo REGEX "LIBJPEG_TURBO_VERSION ")
    if(NOT _octet_turbo)
      string(APPEND OCTET_VISION_MISSING
        "${_octet_jconfig} is not libjpeg-turbo's. ")
    endif()
  endif()
endif()

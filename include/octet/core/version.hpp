#pragma once

/// The one place that says which version this is; CMake reads it from here.
#define OCTET_VERSION_MAJOR 0
#define OCTET_VERSION_MINOR 1
#define OCTET_VERSION_PATCH 0

namespace octet::inline v0 {

/// The version as text, for logs and checkpoints.
inline constexpr const char* kVersion = "0.1.0";

}  // namespace octet::inline v0

#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace octet::inline v0 {

/// Root of everything that Octet throws.
///
/// `what()` is "<id>: <message>"; the message names what was expected, what
/// was found, where (path, sample index, line or byte) and what to do. The id
/// ("octet.<stage>.<number>") is stable and listed in docs/errors.md. The
/// leaves below are told apart by what the caller can do about them.
///
/// Threads  immutable after construction
class Error : public std::runtime_error {
 public:
  Error(std::string id, const std::string& message)
      : std::runtime_error(id + ": " + message), id_(std::move(id)) {}

  /// The stable id, for example "octet.data.104".
  const std::string& id() const noexcept { return id_; }

 private:
  std::string id_;
};

/// A setting or an argument is wrong: change the call.
class ConfigError : public Error {
 public:
  using Error::Error;
};

/// A file or a sample is bad: repair it, skip it, or stop.
class DataError : public Error {
 public:
  using Error::Error;
};

/// A tensor has the wrong shape, dtype or memory format: fix the code.
class ShapeError : public Error {
 public:
  using Error::Error;
};

/// A device is absent, out of memory or cannot do what was asked.
class DeviceError : public Error {
 public:
  using Error::Error;
};

/// A file could not be written or read back: check space and permissions.
class IoError : public Error {
 public:
  using Error::Error;
};

/// A checkpoint is absent, damaged or of another model: use another one.
class CheckpointError : public Error {
 public:
  using Error::Error;
};

}  // namespace octet::inline v0

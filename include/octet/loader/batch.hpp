#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace octet::inline v0 {

/// Some samples, side by side.
///
/// Shape    image [N, C, H, W] uint8 or uint16; target [N, ...] as the
///          dataset's spec says; indices [N] int64, which samples these are
/// Owns     the tensors share the loader's buffers; as long as any of them (or
///          a view of it) is held, its buffer is not written to again
struct Batch {
  at::Tensor image;
  at::Tensor target;
  at::Tensor indices;
  std::int64_t epoch = 0;
  std::int64_t number = 0;  ///< place in the epoch, from 0
  bool last = false;        ///< the epoch ends with this batch

  /// How many samples.
  std::int64_t size() const { return indices.size(0); }
};

}  // namespace octet::inline v0

#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "octet/data/sample.hpp"

namespace octet::inline v0::detail {

/// Buffers for one batch.
struct BatchBuffers {
  at::Tensor image;
  at::Tensor target;
  at::Tensor indices;

  /// True if nobody but this object refers to the memory.
  bool unused() const {
    return image.storage().use_count() == 1 &&
           target.storage().use_count() == 1 &&
           indices.storage().use_count() == 1;
  }

  std::int64_t bytes() const {
    return static_cast<std::int64_t>(image.nbytes() + target.nbytes() +
                                     indices.nbytes());
  }
};

/// Keeps batch buffers for reuse. Whether a buffer may be written to again is
/// read off the reference counts of its storages, so a batch that the user
/// keeps stays valid without any call, and costs one more allocation.
///
/// Threads  safe
class BatchRing {
 public:
  BatchRing(const SampleSpec& spec, std::int64_t batch_size,
            at::MemoryFormat format, bool pinned)
      : spec_(spec), batch_size_(batch_size), format_(format), pinned_(pinned) {}

  /// Buffers that nobody else uses.
  BatchBuffers acquire() {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < idle_.size(); ++i) {
      if (!idle_[i].unused()) continue;
      BatchBuffers buffers = std::move(idle_[i]);
      idle_.erase(idle_.begin() + static_cast<std::ptrdiff_t>(i));
      return buffers;
    }
    return allocate();
  }

  /// Gives buffers back; the consumer may still hold views of them. Keeps at
  /// most `keep`; of more, those still in use are left to their users.
  void release(BatchBuffers buffers, std::size_t keep) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(buffers));
    while (idle_.size() > keep) {
      std::size_t victim = 0;
      while (victim + 1 < idle_.size() && idle_[victim].unused()) ++victim;
      idle_.erase(idle_.begin() + static_cast<std::ptrdiff_t>(victim));
    }
  }

  /// Bytes of one set of buffers.
  std::int64_t batch_bytes() const {
    return batch_size_ * (field_bytes(spec_.image) + field_bytes(spec_.target) +
                          static_cast<std::int64_t>(sizeof(std::int64_t)));
  }

 private:
  static std::int64_t field_bytes(const FieldSpec& field) {
    std::int64_t bytes =
        static_cast<std::int64_t>(c10::elementSize(field.dtype));
    for (const auto size : field.shape) bytes *= size;
    return bytes;
  }

  BatchBuffers allocate() const {
    return {make(spec_.image, format_),
            make(spec_.target, at::MemoryFormat::Contiguous),
            make({at::kLong, {}}, at::MemoryFormat::Contiguous)};
  }

  at::Tensor make(const FieldSpec& field, at::MemoryFormat format) const {
    std::vector<std::int64_t> shape{batch_size_};
    shape.insert(shape.end(), field.shape.begin(), field.shape.end());
    if (shape.size() != 4) format = at::MemoryFormat::Contiguous;
    return at::empty(
        shape, at::TensorOptions(field.dtype).pinned_memory(pinned_), format);
  }

  SampleSpec spec_;
  std::int64_t batch_size_;
  at::MemoryFormat format_;
  bool pinned_;
  std::mutex mutex_;
  std::vector<BatchBuffers> idle_;
};

}  // namespace octet::inline v0::detail

#pragma once

#include <cstdint>
#include <string>

#include "octet/data/dataset.hpp"

namespace octet::inline v0 {

/// Pictures and targets that already lie in memory.
///
/// Shape    images [N, C, H, W] uint8 or uint16; targets [N] int64 (labels) or
///          [N, H, W] of any integer dtype (masks)
/// Owns     shares the tensors' storage; do not change it while loading
/// Throws   ShapeError octet.data.120 (images), 121 (targets)
/// Threads  `load` concurrently
class InMemoryDataset {
 public:
  InMemoryDataset(at::Tensor images, at::Tensor targets)
      : images_(std::move(images)), targets_(std::move(targets)) {
    if (!images_.defined() || images_.dim() != 4 || !images_.is_cpu() ||
        (images_.scalar_type() != at::kByte &&
         images_.scalar_type() != at::kUInt16)) {
      throw ShapeError("octet.data.120",
                       c10::str("images must be a CPU tensor [N, C, H, W] of "
                                "uint8 or uint16, got ",
                                images_.toString(), " ", sizes_of(images_)));
    }
    if (!targets_.defined() || targets_.dim() < 1 || targets_.dim() > 4 ||
        targets_.size(0) != images_.size(0) || !targets_.is_cpu()) {
      throw ShapeError(
          "octet.data.121",
          c10::str("targets must be a CPU tensor with one entry for each of ",
                   images_.size(0), " images ([N] labels, [N, H, W] masks), "
                   "got ", targets_.toString(), " ", sizes_of(targets_)));
    }
  }

  std::int64_t size() const { return images_.size(0); }

  SampleSpec spec() const {
    return {{images_.scalar_type(), images_.sizes().slice(1).vec()},
            {targets_.scalar_type(), targets_.sizes().slice(1).vec()}};
  }

  std::string describe(std::int64_t index) const {
    return c10::str("in-memory sample ", index);
  }

  void load(const SampleKey& key, const SampleView& out) const {
    out.image.copy_from(images_.select(0, key.index));
    out.target.copy_from(targets_.select(0, key.index));
  }

 private:
  static std::string sizes_of(const at::Tensor& tensor) {
    return tensor.defined() ? c10::str(tensor.sizes()) : "(undefined)";
  }

  at::Tensor images_;
  at::Tensor targets_;
};

static_assert(Dataset<InMemoryDataset>);

}  // namespace octet::inline v0

#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>
#include <c10/util/StringUtil.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "octet/core/error.hpp"
#include "octet/core/pixel.hpp"
#include "octet/core/random.hpp"

namespace octet::inline v0 {

/// Shape and dtype of one field of one sample, without the batch dimension:
/// {C, H, W} for a picture, {H, W} for a mask, {} for a class label.
struct FieldSpec {
  at::ScalarType dtype = at::kByte;
  std::vector<std::int64_t> shape;

  bool operator==(const FieldSpec&) const = default;
};

/// What every sample of a dataset looks like. All samples look alike: batches
/// are allocated once, from this.
struct SampleSpec {
  FieldSpec image;
  FieldSpec target;

  bool operator==(const SampleSpec&) const = default;
};

/// The place of one field of one sample inside a batch buffer. Strides are
/// counted in elements; a picture's place is {C, H, W}, channels-last or
/// contiguous as the loader was told. Nothing is owned.
///
/// Threads  distinct views never overlap: fill them concurrently
class FieldView {
 public:
  FieldView() = default;

  /// A view of `tensor`, which must outlive it and have at most 3 dimensions.
  explicit FieldView(const at::Tensor& tensor)
      : data_(tensor.data_ptr()),
        dtype_(tensor.scalar_type()),
        dim_(tensor.dim()) {
    if (dim_ > 3) {
      throw ShapeError("octet.data.110",
                       c10::str("a field of a sample has at most 3 dimensions "
                                "(C, H, W), got shape ",
                                tensor.sizes()));
    }
    for (std::int64_t d = 0; d < dim_; ++d) {
      sizes_[d] = tensor.size(d);
      strides_[d] = tensor.stride(d);
    }
  }

  /// The view of sample `index` in a batch tensor [N, ...], which must outlive
  /// it. Allocates nothing.
  static FieldView of_batch(const at::Tensor& batch, std::int64_t index) {
    FieldView view;
    view.dtype_ = batch.scalar_type();
    view.dim_ = batch.dim() - 1;
    for (std::int64_t d = 0; d < view.dim_; ++d) {
      view.sizes_[d] = batch.size(d + 1);
      view.strides_[d] = batch.stride(d + 1);
    }
    view.data_ = static_cast<char*>(batch.data_ptr()) +
                 index * batch.stride(0) * batch.itemsize();
    return view;
  }

  at::ScalarType dtype() const { return dtype_; }
  at::IntArrayRef sizes() const {
    return {sizes_.data(), static_cast<std::size_t>(dim_)};
  }
  at::IntArrayRef strides() const {
    return {strides_.data(), static_cast<std::size_t>(dim_)};
  }

  /// First element. Throws ShapeError octet.data.111 if T is not the dtype.
  template <class T>
  T* data() const {
    if (kScalarType<T> != dtype_) {
      throw ShapeError("octet.data.111",
                       c10::str("this field holds ", dtype_,
                                ", but was written as ", kScalarType<T>));
    }
    return static_cast<T*>(data_);
  }

  /// Writes the one element of a {} field (a class label).
  template <class T>
  void set(T value) const {
    expect({});
    *data<T>() = value;
  }

  /// Writes a whole picture given as rows of interleaved channels (H, W, C);
  /// `row_stride` is the distance of two rows of `pixels`, in elements. For a
  /// field of shape {H, W}, `channels` is 1.
  ///
  /// Cost     one copy; whole rows at once if the place is channels-last
  /// Throws   ShapeError octet.data.112 if the shape is not the field's
  template <class T>
  void write_interleaved(const T* pixels, std::int64_t channels,
                         std::int64_t height, std::int64_t width,
                         std::int64_t row_stride) const {
    if (dim_ == 3) {
      expect({channels, height, width});
    } else {
      expect({height, width});
    }
    T* const out = data<T>();
    const bool planar = dim_ == 3;
    const std::int64_t stride_c = planar ? strides_[0] : 1;
    const std::int64_t stride_h = strides_[planar ? 1 : 0];
    const std::int64_t stride_w = strides_[planar ? 2 : 1];
    const bool rows = stride_c == 1 && stride_w == channels;
    for (std::int64_t y = 0; y < height; ++y) {
      const T* in = pixels + y * row_stride;
      T* const row = out + y * stride_h;
      if (rows || channels * width == 0) {
        std::memcpy(row, in, sizeof(T) * channels * width);
        continue;
      }
      for (std::int64_t c = 0; c < channels; ++c) {
        for (std::int64_t x = 0; x < width; ++x) {
          row[c * stride_c + x * stride_w] = in[x * channels + c];
        }
      }
    }
  }

  /// Copies a tensor of the same shape and dtype, whatever its strides.
  /// Throws  ShapeError octet.data.112
  void copy_from(const at::Tensor& source) const {
    expect(source.sizes());
    if (source.scalar_type() != dtype_) {
      throw ShapeError("octet.data.113",
                       c10::str("a sample holds ", source.scalar_type(),
                                ", but the dataset's spec says ", dtype_));
    }
    at::from_blob(data_, sizes(), strides(), source.options()).copy_(source);
  }

 private:
  void expect(at::IntArrayRef got) const {
    if (got == sizes()) return;
    throw ShapeError(
        "octet.data.112",
        c10::str("a sample has shape ", got, ", but the others have ", sizes(),
                 "; bring all samples to one size (Resize, CenterCrop, Pad, "
                 "RandomResizedCrop)"));
  }

  void* data_ = nullptr;
  at::ScalarType dtype_ = at::kByte;
  std::int64_t dim_ = 0;
  std::array<std::int64_t, 3> sizes_{};
  std::array<std::int64_t, 3> strides_{};
};

/// Where one sample goes.
struct SampleView {
  FieldView image;
  FieldView target;
};

}  // namespace octet::inline v0

#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/bincount.h>
#include <ATen/ops/zeros.h>
#include <c10/util/StringUtil.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "octet/core/error.hpp"

namespace octet::inline v0 {

/// Counts how many predictions are right. Sums and counts in 64 bits, kept on
/// the device until they are asked for: `update` never waits for it.
///
/// Shape    logits [N, K], target [N] of any integer dtype
/// Throws   ShapeError octet.train.101; `value` of nothing: ConfigError 102
class Accuracy {
 public:
  void update(const at::Tensor& logits, const at::Tensor& target) {
    if (logits.dim() != 2 || target.dim() != 1 ||
        logits.size(0) != target.size(0)) {
      throw ShapeError("octet.train.101",
                       c10::str("accuracy needs logits [N, K] and target [N], "
                                "got ", logits.sizes(), " and ",
                                target.sizes()));
    }
    const auto right =
        logits.detach().argmax(1).eq(target.to(at::kLong)).sum();
    right_ = right_.defined() ? right_ + right : right;
    count_ += target.size(0);
  }

  /// Right answers / answers, 0 to 1. Waits for the device.
  double value() const {
    if (count_ == 0) {
      throw ConfigError("octet.train.102",
                        "the accuracy of no sample at all was asked for; was "
                        "the evaluation set empty?");
    }
    return static_cast<double>(right()) / static_cast<double>(count_);
  }

  std::int64_t right() const {
    return right_.defined() ? right_.item<std::int64_t>() : 0;
  }
  std::int64_t count() const { return count_; }

 private:
  at::Tensor right_;
  std::int64_t count_ = 0;
};

/// Counts which class was taken for which, over pixels or samples.
///
/// Shape    logits [N, K, ...], target [N, ...] of any integer dtype
/// Throws   ShapeError octet.train.103; a label that is neither below K nor the
///          ignore index: DataError octet.train.104, when a value is asked for
class ConfusionMatrix {
 public:
  explicit ConfusionMatrix(std::int64_t classes,
                           std::int64_t ignore_index = 255)
      : classes_(classes), ignore_index_(ignore_index) {}

  void update(const at::Tensor& logits, const at::Tensor& target) {
    if (logits.dim() < 2 || logits.dim() != target.dim() + 1 ||
        logits.size(1) != classes_ || logits.size(0) != target.size(0) ||
        logits.sizes().slice(2) != target.sizes().slice(1)) {
      throw ShapeError("octet.train.103",
                       c10::str("a confusion matrix of ", classes_,
                                " classes needs logits [N, ", classes_,
                                ", ...] and target [N, ...], got ",
                                logits.sizes(), " and ", target.sizes()));
    }
    const auto truth = target.to(at::kLong).flatten();
    const auto guess = logits.detach().argmax(1).flatten();
    // One more cell takes what is ignored, another what is out of range; no
    // selection by a mask, which would wait for the device.
    const auto ignored = truth.eq(ignore_index_);
    const auto bad = truth.lt(0).logical_or(truth.ge(classes_))
                         .logical_and(ignored.logical_not());
    const auto cells = classes_ * classes_;
    const auto cell = (truth * classes_ + guess)
                          .masked_fill(ignored, cells)
                          .masked_fill(bad, cells + 1);
    const auto counts = at::bincount(cell, {}, cells + 2);
    counts_ = counts_.defined() ? counts_ + counts : counts;
  }

  /// int64 [K, K] on the CPU; row: truth, column: prediction.
  at::Tensor counts() const {
    if (!counts_.defined()) return at::zeros({classes_, classes_}, at::kLong);
    const auto host = counts_.cpu();
    const auto bad = host[classes_ * classes_ + 1].item<std::int64_t>();
    if (bad > 0) {
      throw DataError("octet.train.104",
                      c10::str(bad, " labels are neither below ", classes_,
                               " nor the ignore index ", ignore_index_));
    }
    return host.narrow(0, 0, classes_ * classes_).reshape({classes_, classes_});
  }

  /// Intersection over union of each class, in [0, 1]; NaN for a class that
  /// neither the truth nor the prediction contains.
  std::vector<double> iou() const {
    const auto matrix = counts();
    const auto rows = matrix.sum(1), columns = matrix.sum(0);
    std::vector<double> out;
    for (std::int64_t k = 0; k < classes_; ++k) {
      const auto both = matrix[k][k].item<std::int64_t>();
      const auto any = rows[k].item<std::int64_t>() +
                       columns[k].item<std::int64_t>() - both;
      out.push_back(any == 0 ? std::numeric_limits<double>::quiet_NaN()
                             : static_cast<double>(both) /
                                   static_cast<double>(any));
    }
    return out;
  }

  /// Mean of `iou` over the classes that occur.
  double mean_iou() const {
    double sum = 0;
    int present = 0;
    for (const double value : iou()) {
      if (value != value) continue;
      sum += value;
      ++present;
    }
    return mean(sum, present);
  }

  /// Share of pixels (or samples) that are right.
  double accuracy() const {
    const auto matrix = counts();
    return mean(static_cast<double>(matrix.trace().item<std::int64_t>()),
                matrix.sum().item<std::int64_t>());
  }

 private:
  static double mean(double sum, std::int64_t count) {
    if (count == 0) {
      throw ConfigError("octet.train.105",
                        "a mean over nothing was asked for: no label but the "
                        "ignore index was seen");
    }
    return sum / static_cast<double>(count);
  }

  std::int64_t classes_;
  std::int64_t ignore_index_;
  at::Tensor counts_;
};

/// A mean weighted by samples, kept on the device until asked for.
class Mean {
 public:
  /// Adds the mean `value` (a scalar tensor) of `count` samples.
  void update(const at::Tensor& value, std::int64_t count) {
    const auto sum = value.detach().to(at::kDouble) * count;
    sum_ = sum_.defined() ? sum_ + sum : sum;
    count_ += count;
  }

  /// Waits for the device. NaN of nothing, which no one takes for a success.
  double value() const {
    return count_ == 0 ? std::numeric_limits<double>::quiet_NaN()
                       : sum_.item<double>() / static_cast<double>(count_);
  }
  std::int64_t count() const { return count_; }

  void reset() { *this = Mean(); }

 private:
  at::Tensor sum_;
  std::int64_t count_ = 0;
};

}  // namespace octet::inline v0

#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "octet/data/sample.hpp"

namespace octet::inline v0 {

/// A source of samples of one shape.
///
///     std::int64_t size() const;        // how many samples
///     SampleSpec spec() const;          // what each of them looks like
///     void load(const SampleKey& key, const SampleView& out) const;
///     std::string describe(std::int64_t index) const;   // path or name
///
/// `load` writes sample `key.index` straight into its place in a batch. It is
/// called by several threads at once, so it must not change the dataset, and
/// whatever is random in it must come from `Random(key)`. Bad input is thrown
/// as DataError; the loader adds index and `describe` and hands it to the
/// thread that consumes the batches.
template <class D>
concept Dataset = requires(const D& dataset, std::int64_t index,
                           const SampleKey& key, const SampleView& out) {
  { dataset.size() } -> std::convertible_to<std::int64_t>;
  { dataset.spec() } -> std::convertible_to<SampleSpec>;
  { dataset.describe(index) } -> std::convertible_to<std::string>;
  dataset.load(key, out);
};

/// Any Dataset behind one type, so that what is downstream is no template.
///
/// Owns     an rvalue or a shared_ptr; an lvalue is referred to and must
///          outlive this object
/// Threads  as the dataset: `load` concurrently
class AnyDataset {
 public:
  template <class D>
    requires Dataset<std::remove_cvref_t<D>> &&
             (!std::same_as<std::remove_cvref_t<D>, AnyDataset>)
  AnyDataset(D&& dataset) {  // NOLINT: converts on purpose
    using Value = std::remove_cvref_t<D>;
    if constexpr (std::is_lvalue_reference_v<D>) {
      self_ = std::make_shared<Model<Value>>(
          std::shared_ptr<const Value>(std::shared_ptr<void>(), &dataset));
    } else {
      self_ = std::make_shared<Model<Value>>(
          std::make_shared<const Value>(std::forward<D>(dataset)));
    }
  }

  template <Dataset D>
  AnyDataset(std::shared_ptr<D> dataset)  // NOLINT: converts on purpose
      : self_(std::make_shared<Model<std::remove_const_t<D>>>(
            std::move(dataset))) {}

  std::int64_t size() const { return self_->size(); }
  SampleSpec spec() const { return self_->spec(); }
  std::string describe(std::int64_t index) const {
    return self_->describe(index);
  }
  void load(const SampleKey& key, const SampleView& out) const {
    self_->load(key, out);
  }

 private:
  struct Interface {
    virtual ~Interface() = default;
    virtual std::int64_t size() const = 0;
    virtual SampleSpec spec() const = 0;
    virtual std::string describe(std::int64_t index) const = 0;
    virtual void load(const SampleKey& key, const SampleView& out) const = 0;
  };

  template <class D>
  struct Model final : Interface {
    explicit Model(std::shared_ptr<const D> d) : dataset(std::move(d)) {}
    std::int64_t size() const override { return dataset->size(); }
    SampleSpec spec() const override { return dataset->spec(); }
    std::string describe(std::int64_t index) const override {
      return dataset->describe(index);
    }
    void load(const SampleKey& key, const SampleView& out) const override {
      dataset->load(key, out);
    }
    std::shared_ptr<const D> dataset;
  };

  std::shared_ptr<const Interface> self_;
};

static_assert(Dataset<AnyDataset>);

}  // namespace octet::inline v0

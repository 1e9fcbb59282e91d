#pragma once

#include <c10/core/MemoryFormat.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "octet/core/device.hpp"
#include "octet/core/error.hpp"
#include "octet/data/order.hpp"
#include "octet/loader/batch.hpp"
#include "octet/loader/detail/epoch.hpp"
#include "octet/loader/report.hpp"

namespace octet::inline v0 {

/// Whether batches lie in page-locked memory, from which copies to a CUDA
/// device are fast and asynchronous.
enum class PinMemory {
  automatic,  ///< if there is a CUDA device
  never,
};

struct DataLoaderOptions {
  std::int64_t batch_size = 1;
  /// Threads that load samples; 0 loads on the consuming thread.
  int workers = 2;
  bool shuffle = false;
  std::uint64_t seed = 0;
  /// Leave out the epoch's last batch if it is short.
  bool drop_last = false;
  /// Batches loaded ahead of the one in use.
  int prefetch = 2;
  /// How pictures lie in memory; the logical shape is [N, C, H, W] either way.
  at::MemoryFormat memory_format = at::MemoryFormat::ChannelsLast;
  PinMemory pin_memory = PinMemory::automatic;
};

/// Turns a dataset into batches, loaded by threads straight into buffers that
/// are allocated once.
///
///     for (auto& batch : loader) train(batch);
///
/// Each `begin()` is one pass with threads of its own; a pass may be left at
/// any time, and several may be under way. Passes count epochs by themselves;
/// `set_epoch` says which comes next. Threads take one intra-op thread each.
///
/// Owns     a dataset given as rvalue or shared_ptr; an lvalue must outlive the
///          loader. Passes keep what they need when the loader is gone.
/// Throws   ConfigError octet.loader.101 to 106 for options; the iterator:
///          DataError octet.loader.201 for a sample, original nested
/// Seed     the order is a function of (seed, epoch), a sample's random choices
///          of (seed, epoch, index): never of workers, prefetch or timing
/// Threads  one consumer at a time for each pass
class DataLoader {
 public:
  class Iterator;

  DataLoader(AnyDataset dataset, const DataLoaderOptions& options)
      : dataset_(std::move(dataset)),
        options_(checked(options)),
        samples_(dataset_.size()) {
    if (samples_ < 1) {
      throw ConfigError("octet.loader.105",
                        "the dataset is empty: there is nothing to load");
    }
    if (size() == 0) {
      throw ConfigError(
          "octet.loader.106",
          c10::str("drop_last leaves no batch at all: ", samples_,
                   " samples, batch_size ", options_.batch_size,
                   "; use a smaller batch_size or drop_last = false"));
    }
    const bool pinned = options_.pin_memory == PinMemory::automatic &&
                        cuda_device_count() > 0;
    ring_ = std::make_shared<detail::BatchRing>(
        dataset_.spec(), options_.batch_size, options_.memory_format, pinned);
  }

  /// Starts a pass over the next epoch.
  Iterator begin();
  std::default_sentinel_t end() const noexcept { return {}; }

  /// Batches in an epoch.
  std::int64_t size() const {
    const auto extra = options_.drop_last ? 0 : options_.batch_size - 1;
    return (samples_ + extra) / options_.batch_size;
  }

  /// Samples that an epoch delivers; fewer than the dataset's only if drop_last
  /// leaves some out.
  std::int64_t samples() const {
    return std::min(samples_, size() * options_.batch_size);
  }

  /// The epoch that the next `begin()` goes over.
  std::int64_t epoch() const { return epoch_; }
  void set_epoch(std::int64_t epoch) { epoch_ = epoch; }

  const DataLoaderOptions& options() const { return options_; }
  const AnyDataset& dataset() const { return dataset_; }

  /// Of the pass begun last (also while it is under way).
  PipelineReport report() const {
    return latest_ ? latest_->report() : PipelineReport{};
  }

 private:
  static DataLoaderOptions checked(const DataLoaderOptions& options) {
    const auto refuse = [](const char* id, const std::string& what) {
      throw ConfigError(id, what);
    };
    if (options.batch_size < 1) {
      refuse("octet.loader.101", c10::str("batch_size must be at least 1, got ",
                                          options.batch_size));
    }
    if (options.workers < 0 || options.workers > 1024) {
      refuse("octet.loader.102", c10::str("workers must be 0 to 1024, got ",
                                          options.workers));
    }
    if (options.prefetch < 1 || options.prefetch > 4096) {
      refuse("octet.loader.103", c10::str("prefetch must be 1 to 4096, got ",
                                          options.prefetch));
    }
    if (options.memory_format != at::MemoryFormat::ChannelsLast &&
        options.memory_format != at::MemoryFormat::Contiguous) {
      refuse("octet.loader.104",
             c10::str("memory_format must be ChannelsLast or Contiguous, got ",
                      options.memory_format));
    }
    return options;
  }

  AnyDataset dataset_;
  DataLoaderOptions options_;
  std::int64_t samples_;
  std::int64_t epoch_ = 0;
  std::shared_ptr<detail::BatchRing> ring_;
  std::shared_ptr<detail::PassStats> latest_;
};

/// One pass. Moves on by ++, which waits for the next batch; the batch of
/// before is given back unless the user holds a copy of it.
class DataLoader::Iterator {
 public:
  using value_type = Batch;
  using difference_type = std::ptrdiff_t;
  using iterator_concept = std::input_iterator_tag;

  explicit Iterator(std::shared_ptr<detail::Epoch> epoch)
      : epoch_(std::move(epoch)) {
    ++*this;
  }

  Batch& operator*() const { return *batch_; }
  Batch* operator->() const { return &*batch_; }

  Iterator& operator++() {
    batch_.reset();
    batch_ = epoch_->next();
    return *this;
  }
  void operator++(int) { ++*this; }

  /// True if ++ would not wait.
  bool ready() const { return epoch_->ready(); }

  friend bool operator==(const Iterator& it, std::default_sentinel_t) {
    return !it.batch_.has_value();
  }

 private:
  std::shared_ptr<detail::Epoch> epoch_;
  mutable std::optional<Batch> batch_;
};

inline DataLoader::Iterator DataLoader::begin() {
  detail::EpochPlan plan;
  plan.seed = options_.seed;
  plan.epoch = epoch_++;
  plan.samples = samples();
  plan.batch_size = options_.batch_size;
  plan.workers = options_.workers;
  plan.prefetch = options_.prefetch;
  if (options_.shuffle) {
    plan.order = Permutation(samples_, options_.seed, plan.epoch);
  } else {
    plan.order = [](std::int64_t position) { return position; };
  }
  auto pass =
      std::make_shared<detail::Epoch>(dataset_, ring_, std::move(plan));
  latest_ = pass->stats();
  return Iterator(std::move(pass));
}

}  // namespace octet::inline v0

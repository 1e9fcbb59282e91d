#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Event.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <cstddef>
#include <deque>
#include <iterator>
#include <optional>
#include <utility>

#include "octet/loader/data_loader.hpp"

namespace octet::inline v0 {

/// A pass over a loader whose batches lie on `device`: while the consumer works
/// on one batch, the next one is copied on a stream of its own.
///
///     for (auto& batch : octet::prefetch(loader, device)) ...
///
/// Only batches that are ready are copied ahead, so that waiting for data never
/// delays work that could be given to the device. On the CPU the loader's own
/// batches are passed on, nothing is copied. `indices` stay on the host.
///
/// Owns     refers to the loader, which must outlive the pass; a host batch is
///          held until its copy is done, a device batch is recorded on the
///          consumer's stream
/// Threads  one consumer
class DevicePrefetcher {
 public:
  class Iterator;

  DevicePrefetcher(DataLoader& loader, c10::Device device)
      : loader_(&loader), device_(device) {}

  Iterator begin();
  std::default_sentinel_t end() const noexcept { return {}; }

 private:
  DataLoader* loader_;
  c10::Device device_;
};

class DevicePrefetcher::Iterator {
 public:
  using value_type = Batch;
  using difference_type = std::ptrdiff_t;
  using iterator_concept = std::input_iterator_tag;

  Iterator(DataLoader::Iterator source, c10::Device device)
      : source_(std::move(source)), device_(device) {
    if (!device_.is_cpu()) {
      stream_ = c10::impl::VirtualGuardImpl(device_.type())
                    .getStreamFromGlobalPool(device_);
      advance();
    }
  }

  Batch& operator*() const { return on_cpu() ? *source_ : *current_; }
  Batch* operator->() const { return &**this; }

  Iterator& operator++() {
    if (on_cpu()) {
      ++source_;
    } else {
      advance();
    }
    return *this;
  }
  void operator++(int) { ++*this; }

  friend bool operator==(const Iterator& it, std::default_sentinel_t end) {
    return it.on_cpu() ? it.source_ == end : !it.current_.has_value();
  }

 private:
  enum class Wait { yes, no };

  // A batch on its way to the device, with its origin kept alive.
  struct Copy {
    Batch device;
    Batch host;
    c10::Event done;
  };

  bool on_cpu() const { return device_.is_cpu(); }

  Copy start(const Batch& host) const {
    const c10::StreamGuard guard(*stream_);
    Batch batch = host;
    batch.image = host.image.to(device_, /*non_blocking=*/true);
    batch.target = host.target.to(device_, /*non_blocking=*/true);
    c10::Event done(device_.type());
    done.record(*stream_);
    return {std::move(batch), host, std::move(done)};
  }

  // Starts the copy of the next host batch; false at the end of the pass, or if
  // that batch isn't there yet and we are not to wait for it.
  bool copy_ahead(Wait wait) {
    if (taken_) {
      if (wait == Wait::no && !source_.ready()) return false;
      ++source_;
      taken_ = false;
    }
    if (source_ == std::default_sentinel) return false;
    ahead_ = start(*source_);
    taken_ = true;
    return true;
  }

  void advance() {
    current_.reset();
    while (!unfinished_.empty() && unfinished_.front().done.query()) {
      unfinished_.pop_front();
    }
    if (!ahead_ && !copy_ahead(Wait::yes)) return;
    const auto consumer =
        c10::impl::VirtualGuardImpl(device_.type()).getStream(device_);
    ahead_->done.block(consumer);
    current_ = std::move(ahead_->device);
    // Made on our stream, used on the consumer's: not to be freed before that.
    current_->image.record_stream(consumer);
    current_->target.record_stream(consumer);
    unfinished_.push_back(std::move(*ahead_));
    ahead_.reset();
    copy_ahead(Wait::no);
  }

  DataLoader::Iterator source_;
  c10::Device device_;
  bool taken_ = false;  // source_'s batch has been copied, ++ is due
  std::optional<c10::Stream> stream_;
  std::optional<Copy> ahead_;
  std::deque<Copy> unfinished_;
  mutable std::optional<Batch> current_;
};

inline DevicePrefetcher::Iterator DevicePrefetcher::begin() {
  return Iterator(loader_->begin(), device_);
}

/// Batches of `loader` on `device`, the next one copied meanwhile.
inline DevicePrefetcher prefetch(DataLoader& loader, c10::Device device) {
  return {loader, device};
}

}  // namespace octet::inline v0

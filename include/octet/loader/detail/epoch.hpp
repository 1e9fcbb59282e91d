#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "octet/core/error.hpp"
#include "octet/data/dataset.hpp"
#include "octet/loader/batch.hpp"
#include "octet/loader/detail/intraop.hpp"
#include "octet/loader/detail/ring.hpp"
#include "octet/loader/report.hpp"

namespace octet::inline v0::detail {

/// What one pass needs to know. `order` maps a position to a sample index.
struct EpochPlan {
  std::uint64_t seed = 0;
  std::int64_t epoch = 0;
  std::int64_t samples = 0;  ///< how many positions are delivered
  std::int64_t batch_size = 1;
  int workers = 0;
  int prefetch = 1;
  std::function<std::int64_t(std::int64_t)> order;
};

/// What a pass has done so far. Outlives it, so that a report can still be had.
///
/// Threads  safe
class PassStats {
 public:
  using Clock = std::chrono::steady_clock;

  explicit PassStats(const PipelineReport& start) : report_(start) {}

  void loaded(Clock::duration time) {
    const std::lock_guard lock(mutex_);
    loading_ += time;
  }

  void waited(Clock::duration time) {
    const std::lock_guard lock(mutex_);
    waiting_ += time;
  }

  void delivered(std::int64_t samples, std::int64_t bytes) {
    const std::lock_guard lock(mutex_);
    ++report_.batches;
    report_.samples += samples;
    report_.bytes += bytes;
  }

  /// The consumer is done; time stops.
  void ended() {
    const std::lock_guard lock(mutex_);
    if (!end_) end_ = Clock::now();
  }

  PipelineReport report() const {
    const std::lock_guard lock(mutex_);
    PipelineReport report = report_;
    report.seconds = seconds(end_.value_or(Clock::now()) - start_);
    report.waiting_seconds = seconds(waiting_);
    report.loading_seconds = seconds(loading_);
    return report;
  }

 private:
  static double seconds(Clock::duration duration) {
    return std::chrono::duration<double>(duration).count();
  }

  mutable std::mutex mutex_;
  PipelineReport report_;
  Clock::time_point start_ = Clock::now();
  std::optional<Clock::time_point> end_;
  Clock::duration waiting_{};
  Clock::duration loading_{};
};

/// One pass over a dataset: worker threads fill batches ahead of the consumer.
///
/// The consumer opens batches in order; workers claim runs of samples of the
/// oldest open batch first, several working inside one batch, so that the first
/// one is ready as soon as can be. Nothing depends on which thread does what.
///
/// Threads  `next` and `ready` from one thread at a time
class Epoch {
 public:
  Epoch(AnyDataset dataset, std::shared_ptr<BatchRing> ring, EpochPlan plan)
      : dataset_(std::move(dataset)),
        ring_(std::move(ring)),
        plan_(std::move(plan)),
        batches_((plan_.samples + plan_.batch_size - 1) / plan_.batch_size) {
    PipelineReport report;
    report.epoch = plan_.epoch;
    report.workers = plan_.workers;
    report.ring_bytes =
        ring_->batch_bytes() * static_cast<std::int64_t>(keep_count());
    stats_ = std::make_shared<PassStats>(report);
    workers_.reserve(static_cast<std::size_t>(plan_.workers));
    for (int i = 0; i < plan_.workers; ++i) {
      workers_.emplace_back([this](const std::stop_token& stop) { run(stop); });
    }
  }

  Epoch(const Epoch&) = delete;
  Epoch& operator=(const Epoch&) = delete;

  /// Ends the threads, each within the time of the sample it is working on.
  ~Epoch() {
    for (auto& worker : workers_) worker.request_stop();
    workers_.clear();  // joins
    stats_->ended();
    const std::size_t keep = keep_count();
    for (auto& work : open_) ring_->release(std::move(work->buffers), keep);
  }

  /// The next batch, or nothing at the end. Throws DataError octet.loader.201
  /// with the original exception nested if a sample could not be loaded; then
  /// the pass is over.
  std::optional<Batch> next() {
    open_batches();
    if (open_.empty()) {
      stats_->ended();
      return std::nullopt;
    }
    const auto begin = Clock::now();
    const auto work = open_.front();
    if (plan_.workers == 0) {
      load(*work, 0, work->count, {});
      open_.pop_front();
    } else {
      std::unique_lock lock(mutex_);
      batch_done_.wait(lock, [&] { return work->done == work->count; });
      open_.pop_front();
    }
    stats_->waited(Clock::now() - begin);
    if (work->error) fail(*work);
    return deliver(*work);
  }

  /// True if `next` would not wait.
  bool ready() {
    const std::lock_guard lock(mutex_);
    return open_.empty() ? opened_ == batches_
                         : open_.front()->done == open_.front()->count;
  }

  const std::shared_ptr<PassStats>& stats() const { return stats_; }

 private:
  using Clock = PassStats::Clock;

  struct Work {
    BatchBuffers buffers;
    std::int64_t number = 0;
    std::int64_t count = 0;
    std::int64_t claimed = 0;  // guarded by mutex_
    std::int64_t done = 0;     // guarded by mutex_
    std::int64_t error_at = 0;
    std::exception_ptr error;  // of the first bad position, guarded by mutex_
  };

  /// The batch being filled, those ahead of it, and the consumer's own.
  std::size_t keep_count() const {
    return static_cast<std::size_t>(plan_.prefetch) + 2;
  }

  void open_batches() {
    const auto ahead =
        static_cast<std::size_t>(plan_.workers == 0 ? 1 : plan_.prefetch + 1);
    bool opened = false;
    while (opened_ < batches_ && open_.size() < ahead) {
      auto work = std::make_shared<Work>();
      work->buffers = ring_->acquire();
      work->number = opened_;
      const std::int64_t first = opened_ * plan_.batch_size;
      work->count = std::min(plan_.batch_size, plan_.samples - first);
      auto* const indices = work->buffers.indices.data_ptr<std::int64_t>();
      for (std::int64_t i = 0; i < work->count; ++i) {
        indices[i] = plan_.order(first + i);
      }
      const std::lock_guard lock(mutex_);
      open_.push_back(std::move(work));
      ++opened_;
      opened = true;
    }
    if (opened) work_there_.notify_all();
  }

  void run(const std::stop_token& stop) {
    use_one_intraop_thread();
    std::unique_lock lock(mutex_);
    while (true) {
      std::shared_ptr<Work> work;
      const bool found = work_there_.wait(lock, stop, [&] {
        work = claimable();
        return work != nullptr;
      });
      if (!found || stop.stop_requested()) return;
      const std::int64_t begin = work->claimed;
      const std::int64_t end = std::min(work->count, begin + claim_size());
      work->claimed = end;
      lock.unlock();
      load(*work, begin, end, stop);
      lock.lock();
    }
  }

  std::shared_ptr<Work> claimable() const {
    for (const auto& work : open_) {
      if (work->claimed < work->count) return work;
    }
    return nullptr;
  }

  /// Small, so that all workers end a batch together; above 1, so that tiny
  /// samples don't pay a lock each.
  std::int64_t claim_size() const {
    return std::clamp<std::int64_t>(plan_.batch_size / (8 * plan_.workers), 1,
                                    16);
  }

  void load(Work& work, std::int64_t begin, std::int64_t end,
            const std::stop_token& stop) {
    const auto start = Clock::now();
    const auto* const indices = work.buffers.indices.data_ptr<std::int64_t>();
    std::int64_t error_at = -1;
    std::exception_ptr error;
    for (std::int64_t i = begin; i < end && !stop.stop_requested(); ++i) {
      try {
        dataset_.load({plan_.seed, plan_.epoch, indices[i]},
                      {FieldView::of_batch(work.buffers.image, i),
                       FieldView::of_batch(work.buffers.target, i)});
      } catch (...) {
        if (!error) {
          error_at = i;
          error = std::current_exception();
        }
      }
    }
    stats_->loaded(Clock::now() - start);
    const std::lock_guard lock(mutex_);
    if (error && (!work.error || error_at < work.error_at)) {
      work.error = error;
      work.error_at = error_at;
    }
    work.done += end - begin;
    if (work.done == work.count) batch_done_.notify_one();
  }

  Batch deliver(Work& work) {
    const auto& buffers = work.buffers;
    Batch batch{buffers.image.narrow(0, 0, work.count),
                buffers.target.narrow(0, 0, work.count),
                buffers.indices.narrow(0, 0, work.count),
                plan_.epoch,
                work.number,
                work.number + 1 == batches_};
    stats_->delivered(work.count,
                      static_cast<std::int64_t>(batch.image.nbytes() +
                                                batch.target.nbytes()));
    ring_->release(std::move(work.buffers), keep_count());
    return batch;
  }

  [[noreturn]] void fail(Work& work) {
    const std::int64_t index =
        work.buffers.indices.data_ptr<std::int64_t>()[work.error_at];
    opened_ = batches_;
    for (auto& worker : workers_) worker.request_stop();
    workers_.clear();
    open_.clear();
    std::string what = "an exception that is no std::exception";
    try {
      std::rethrow_exception(work.error);
    } catch (const std::exception& error) {
      what = error.what();
    } catch (...) {
    }
    DataError wrapped("octet.loader.201",
                      "sample " + std::to_string(index) + " (" +
                          dataset_.describe(index) + "), batch " +
                          std::to_string(work.number) + " of epoch " +
                          std::to_string(plan_.epoch) + ": " + what);
    try {
      std::rethrow_exception(work.error);
    } catch (...) {
      std::throw_with_nested(std::move(wrapped));
    }
  }

  AnyDataset dataset_;
  std::shared_ptr<BatchRing> ring_;
  EpochPlan plan_;
  std::int64_t batches_;
  std::shared_ptr<PassStats> stats_;
  std::int64_t opened_ = 0;
  std::mutex mutex_;
  std::condition_variable_any work_there_;
  std::condition_variable batch_done_;
  std::deque<std::shared_ptr<Work>> open_;
  std::vector<std::jthread> workers_;  // last: ends before what it uses
};

}  // namespace octet::inline v0::detail

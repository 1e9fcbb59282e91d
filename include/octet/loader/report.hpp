#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace octet::inline v0 {

/// Where one pass over a loader spent its time.
struct PipelineReport {
  std::int64_t epoch = 0;
  std::int64_t batches = 0;        ///< delivered
  std::int64_t samples = 0;        ///< delivered
  std::int64_t bytes = 0;          ///< of pixels and targets, delivered
  std::int64_t ring_bytes = 0;     ///< held by the batch buffers
  int workers = 0;                 ///< threads that load samples
  double seconds = 0;              ///< from the first request to now
  double waiting_seconds = 0;      ///< the consumer waited for a batch
  double loading_seconds = 0;      ///< spent in Dataset::load, all workers

  /// Share of the pass in which the consumer waited, 0 to 1.
  double waiting_share() const {
    return seconds > 0 ? waiting_seconds / seconds : 0;
  }

  /// Share of the workers' time spent in loading samples, 0 to 1.
  double workers_busy_share() const {
    const double available = seconds * (workers > 0 ? workers : 1);
    return available > 0 ? loading_seconds / available : 0;
  }

  /// One sentence: who waits for whom, and what to change.
  std::string advice() const {
    if (samples == 0) return "nothing was delivered yet";
    if (waiting_share() < 0.05) {
      return "compute-bound: the loader keeps up, more workers would not help";
    }
    char text[160];
    if (workers == 0) {
      std::snprintf(text, sizeof text,
                    "loading-bound: samples are loaded on the consuming thread "
                    "(%.0f %% of the time), set workers to 1 or more",
                    100 * waiting_share());
    } else if (workers_busy_share() > 0.7) {
      std::snprintf(text, sizeof text,
                    "loading-bound: the consumer waits %.0f %% of the time and "
                    "%d workers are busy, add workers if cores are free",
                    100 * waiting_share(), workers);
    } else {
      std::snprintf(text, sizeof text,
                    "the consumer waits %.0f %% of the time though workers are "
                    "idle: raise prefetch, or the pass is too short to fill",
                    100 * waiting_share());
    }
    return text;
  }

  /// A few lines for people.
  std::string text() const {
    char out[640];
    std::snprintf(
        out, sizeof out,
        "epoch %lld: %lld samples in %lld batches, %.2f s\n"
        "  delivered        %10.1f samples/s   %8.2f MB/s\n"
        "  consumer waited  %9.1f %%   (%.3f s)\n"
        "  workers loading  %9.1f %%   (%d threads, %.1f us a sample)\n"
        "  batch buffers    %10.2f MB\n"
        "  %s\n",
        static_cast<long long>(epoch), static_cast<long long>(samples),
        static_cast<long long>(batches), seconds, rate(samples),
        rate(bytes) / 1e6, 100 * waiting_share(), waiting_seconds,
        100 * workers_busy_share(), workers,
        samples > 0 ? 1e6 * loading_seconds / static_cast<double>(samples) : 0,
        static_cast<double>(ring_bytes) / 1e6, advice().c_str());
    return out;
  }

 private:
  double rate(std::int64_t count) const {
    return seconds > 0 ? static_cast<double>(count) / seconds : 0;
  }
};

}  // namespace octet::inline v0

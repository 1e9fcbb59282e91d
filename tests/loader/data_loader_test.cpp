#include "octet/loader/data_loader.hpp"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>

#include "octet/data/in_memory.hpp"

namespace {

using octet::Batch;
using octet::DataLoader;
using octet::FieldSpec;
using octet::SampleKey;
using octet::SampleSpec;
using octet::SampleView;

// Sample i is a 1x2x3 picture filled with i, label 1000 + i. `hook` is called
// first, on the loading thread.
struct Numbers {
  std::int64_t count = 103;
  std::function<void(const SampleKey&)> hook = [](const SampleKey&) {};

  std::int64_t size() const { return count; }
  SampleSpec spec() const { return {{at::kByte, {3, 2, 2}}, {at::kLong, {}}}; }
  std::string describe(std::int64_t i) const {
    return "number/" + std::to_string(i);
  }
  void load(const SampleKey& key, const SampleView& out) const {
    hook(key);
    const std::vector<std::uint8_t> pixels(
        12, static_cast<std::uint8_t>(key.index));
    out.image.write_interleaved(pixels.data(), 3, 2, 2, 6);
    out.target.set<std::int64_t>(1000 + key.index);
  }
};

std::vector<std::int64_t> indices_of(DataLoader& loader) {
  std::vector<std::int64_t> out;
  for (auto& batch : loader) {
    const auto* data = batch.indices.data_ptr<std::int64_t>();
    out.insert(out.end(), data, data + batch.size());
  }
  return out;
}

std::size_t threads_now() {
  namespace fs = std::filesystem;
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry :
       fs::directory_iterator("/proc/self/task")) {
    ++count;
  }
  return count;
}

TEST(DataLoader, CountsAndOrderAreTheSameForAnyWorkers) {
  Numbers data;
  data.hook = [](const SampleKey& key) {
    std::this_thread::sleep_for(
        std::chrono::microseconds(octet::Random(key).below(300)));
  };
  for (const std::int64_t batch_size : {1, 10, 103, 200}) {
    for (const bool drop_last : {false, true}) {
      if (drop_last && batch_size > data.count) continue;
      for (const int workers : {0, 1, 8}) {
        DataLoader loader(data, {.batch_size = batch_size,
                                 .workers = workers,
                                 .drop_last = drop_last});
        const std::int64_t full = data.count / batch_size;
        const std::int64_t want =
            drop_last ? full : (data.count + batch_size - 1) / batch_size;
        std::int64_t batches = 0, next = 0;
        for (auto& batch : loader) {
          EXPECT_EQ(batch.number, batches++);
          EXPECT_EQ(batch.last, batches == want);
          for (std::int64_t i = 0; i < batch.size(); ++i, ++next) {
            ASSERT_EQ(batch.indices[i].item<std::int64_t>(), next);
            ASSERT_EQ(batch.target[i].item<std::int64_t>(), 1000 + next);
            ASSERT_EQ(batch.image[i].min().item<int>(), next);
            ASSERT_EQ(batch.image[i].max().item<int>(), next);
          }
        }
        EXPECT_EQ(batches, want);
        EXPECT_EQ(loader.size(), want);
        EXPECT_EQ(next, drop_last ? full * batch_size : data.count);
        EXPECT_EQ(loader.samples(), next);
      }
    }
  }
}

TEST(DataLoader, ShuffleIsAFunctionOfSeedAndEpochAlone) {
  Numbers data;
  const auto run = [&](std::uint64_t seed, std::int64_t epoch, int workers,
                       int prefetch) {
    DataLoader loader(data, {.batch_size = 7,
                             .workers = workers,
                             .shuffle = true,
                             .seed = seed,
                             .prefetch = prefetch});
    loader.set_epoch(epoch);
    return indices_of(loader);
  };
  const auto reference = run(5, 3, 0, 1);
  EXPECT_EQ(run(5, 3, 1, 2), reference);
  EXPECT_EQ(run(5, 3, 8, 4), reference);
  EXPECT_NE(run(5, 4, 1, 2), reference);
  EXPECT_NE(run(6, 3, 1, 2), reference);
  auto sorted = reference;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::int64_t> all(103);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(sorted, all);
}

TEST(DataLoader, EveryPassIsANewEpochUnlessSaidOtherwise) {
  Numbers data;
  DataLoader loader(data, {.batch_size = 10, .shuffle = true, .seed = 1});
  const auto first = indices_of(loader);
  EXPECT_EQ(loader.epoch(), 1);
  const auto second = indices_of(loader);
  EXPECT_NE(first, second);
  loader.set_epoch(0);
  EXPECT_EQ(indices_of(loader), first);
}

TEST(DataLoader, BatchesAreChannelsLastByDefaultAndContiguousOnRequest) {
  Numbers data;
  DataLoader last(data, {.batch_size = 8});
  DataLoader first(data, {.batch_size = 8,
                          .memory_format = at::MemoryFormat::Contiguous});
  auto a = last.begin();
  auto b = first.begin();
  EXPECT_EQ(a->image.sizes(), (std::vector<std::int64_t>{8, 3, 2, 2}));
  EXPECT_TRUE(a->image.is_contiguous(at::MemoryFormat::ChannelsLast));
  EXPECT_FALSE(a->image.is_contiguous());
  EXPECT_TRUE(b->image.is_contiguous());
  EXPECT_TRUE(at::equal(a->image, b->image));
}

TEST(DataLoader, SamplesKeepTheirDtypes) {
  const auto images = torch::arange(2 * 3 * 4 * 5).reshape({2, 3, 4, 5});
  const octet::InMemoryDataset data(
      images.mul(500).to(at::kUInt16),
      torch::arange(2 * 4 * 5).reshape({2, 4, 5}).to(at::kByte));
  DataLoader loader(data, {.batch_size = 2});
  auto batch = loader.begin();
  EXPECT_EQ(batch->image.scalar_type(), at::kUInt16);
  EXPECT_EQ(batch->target.scalar_type(), at::kByte);
  EXPECT_TRUE(at::equal(batch->image.to(at::kLong), images.mul(500)));
  EXPECT_EQ(batch->target.sizes(), (std::vector<std::int64_t>{2, 4, 5}));
}

TEST(DataLoader, WorkersUseOneIntraOpThreadAndNobodyElseNotices) {
  at::set_num_threads(2);
  ASSERT_EQ(at::get_num_threads(), 2);
  std::mutex mutex;
  std::set<int> seen;
  Numbers data;
  data.hook = [&](const SampleKey&) {
    const std::lock_guard lock(mutex);
    seen.insert(at::get_num_threads());
  };
  DataLoader loader(data, {.batch_size = 8, .workers = 3});
  indices_of(loader);
  EXPECT_EQ(seen, std::set<int>{1});
  EXPECT_EQ(at::get_num_threads(), 2);
  std::thread([] { EXPECT_EQ(at::get_num_threads(), 2); }).join();
}

TEST(DataLoader, ABatchThatIsKeptStaysValid) {
  Numbers data;
  DataLoader loader(data, {.batch_size = 4, .workers = 2, .prefetch = 1});
  std::vector<Batch> kept;
  for (auto& batch : loader) kept.push_back(batch);
  for (auto& batch : loader) (void)batch;  // a second pass reuses the rest
  ASSERT_EQ(kept.size(), 26u);
  for (std::size_t k = 0; k < kept.size(); ++k) {
    for (std::int64_t i = 0; i < kept[k].size(); ++i) {
      const auto index = static_cast<std::int64_t>(k) * 4 + i;
      EXPECT_EQ(kept[k].image[i].max().item<int>(), index);
      EXPECT_EQ(kept[k].target[i].item<std::int64_t>(), 1000 + index);
    }
  }
}

TEST(DataLoader, BuffersAreReused) {
  Numbers data;
  data.count = 400;
  DataLoader loader(data, {.batch_size = 4, .workers = 2, .prefetch = 2});
  std::set<const void*> addresses;
  for (int epoch = 0; epoch < 3; ++epoch) {
    for (auto& batch : loader) addresses.insert(batch.image.data_ptr());
  }
  EXPECT_LE(addresses.size(), 4u);  // prefetch + 2
}

TEST(DataLoader, AnExceptionArrivesWithIndexNameAndOriginal) {
  struct Custom : std::runtime_error {
    using std::runtime_error::runtime_error;
  };
  for (const int workers : {0, 1, 4}) {
    Numbers data;
    data.hook = [](const SampleKey& key) {
      if (key.index == 37 || key.index == 39) throw Custom("no such luck");
    };
    DataLoader loader(data, {.batch_size = 10, .workers = workers});
    std::int64_t delivered = 0;
    auto consume = [&] {
      for (auto& batch : loader) delivered += batch.size();
    };
    try {
      consume();
      FAIL() << "no exception";
    } catch (const octet::DataError& error) {
      EXPECT_EQ(error.id(), "octet.loader.201");
      const std::string what = error.what();
      EXPECT_NE(what.find("sample 37 (number/37)"), std::string::npos) << what;
      EXPECT_NE(what.find("batch 3 of epoch 0"), std::string::npos) << what;
      EXPECT_NE(what.find("no such luck"), std::string::npos) << what;
      EXPECT_THROW(std::rethrow_if_nested(error), Custom);
    }
    EXPECT_EQ(delivered, 30) << workers;
  }
}

TEST(DataLoader, EvenWhatIsNoExceptionArrives) {
  Numbers data;
  data.hook = [](const SampleKey& key) {
    if (key.index == 5) throw 42;
  };
  DataLoader loader(data, {.batch_size = 10, .workers = 2});
  EXPECT_THROW(indices_of(loader), octet::DataError);
}

TEST(DataLoader, LeavingEarlyEndsThreadsWithinASampleAndStartsAgain) {
  Numbers data;
  std::atomic<bool> slow = true;
  data.hook = [&](const SampleKey&) {
    if (slow) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  };
  DataLoader loader(data, {.batch_size = 5, .workers = 12});
  const auto threads_before = threads_now();
  for (auto& batch : loader) {
    EXPECT_EQ(batch.number, 0);
    break;
  }
  EXPECT_EQ(threads_now(), threads_before);
  slow = false;
  EXPECT_EQ(indices_of(loader).size(), 103u);
}

TEST(DataLoader, AnExceptionInTheLoopBodyEndsThreads) {
  Numbers data;
  DataLoader loader(data, {.batch_size = 5, .workers = 4});
  const auto before = threads_now();
  EXPECT_THROW(
      {
        for ([[maybe_unused]] auto& batch : loader) throw std::logic_error("x");
      },
      std::logic_error);
  EXPECT_EQ(threads_now(), before);
}

TEST(DataLoader, TwoIteratorsAtOnceDoNotDisturbEachOther) {
  Numbers data;
  DataLoader loader(data, {.batch_size = 4, .workers = 2});
  auto a = loader.begin();
  auto b = loader.begin();
  std::int64_t batches = 0;
  while (!(a == std::default_sentinel) && !(b == std::default_sentinel)) {
    EXPECT_EQ(a->epoch, 0);
    EXPECT_EQ(b->epoch, 1);
    EXPECT_TRUE(at::equal(a->image, b->image));
    EXPECT_EQ(a->image[0].max().item<int>(), batches * 4);
    ++a;
    ++b;
    ++batches;
  }
  EXPECT_EQ(batches, 26);
}

TEST(DataLoader, AThousandIteratorsLeaveNothingBehind) {
  Numbers data;
  DataLoader loader(data, {.batch_size = 5, .workers = 2});
  const auto before = threads_now();
  for (int i = 0; i < 1000; ++i) {
    auto it = loader.begin();
    ASSERT_EQ(it->number, 0);
  }
  EXPECT_EQ(threads_now(), before);
}

TEST(DataLoader, APassOutlivesItsLoader) {
  auto loader = std::make_unique<DataLoader>(
      Numbers{}, octet::DataLoaderOptions{.batch_size = 10});
  auto it = loader->begin();
  loader.reset();
  std::int64_t samples = 0;
  for (; !(it == std::default_sentinel); ++it) samples += it->size();
  EXPECT_EQ(samples, 103);
}

TEST(DataLoader, RefusesOptionsThatMakeNoSense) {
  Numbers data, none;
  none.count = 0;
  const auto id = [](auto&& make) -> std::string {
    try {
      make();
    } catch (const octet::ConfigError& error) {
      return error.id();
    }
    return "accepted";
  };
  EXPECT_EQ(id([&] { DataLoader(data, {.batch_size = 0}); }),
            "octet.loader.101");
  EXPECT_EQ(id([&] { DataLoader(data, {.batch_size = -4}); }),
            "octet.loader.101");
  EXPECT_EQ(id([&] { DataLoader(data, {.workers = -1}); }), "octet.loader.102");
  EXPECT_EQ(id([&] { DataLoader(data, {.prefetch = 0}); }), "octet.loader.103");
  EXPECT_EQ(id([&] {
              DataLoader(data,
                         {.memory_format = at::MemoryFormat::ChannelsLast3d});
            }),
            "octet.loader.104");
  EXPECT_EQ(id([&] { DataLoader(none, {}); }), "octet.loader.105");
  EXPECT_EQ(id([&] { DataLoader(data, {.batch_size = 200, .drop_last = true}); }),
            "octet.loader.106");
}

TEST(DataLoader, ASampleOfAnotherShapeIsNamed) {
  struct Uneven : Numbers {
    void load(const SampleKey& key, const SampleView& out) const {
      const std::int64_t width = key.index == 12 ? 3 : 2;
      const std::vector<std::uint8_t> pixels(18, 1);
      out.image.write_interleaved(pixels.data(), 3, 2, width, 3 * width);
      out.target.set<std::int64_t>(0);
    }
  };
  Uneven data;
  DataLoader loader(data, {.batch_size = 4, .workers = 2});
  try {
    indices_of(loader);
    FAIL() << "no exception";
  } catch (const octet::DataError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("number/12"), std::string::npos) << what;
    EXPECT_NE(what.find("[3, 2, 3]"), std::string::npos) << what;
    EXPECT_NE(what.find("[3, 2, 2]"), std::string::npos) << what;
  }
}

TEST(DataLoader, ReportSaysWhereTheTimeWent) {
  Numbers data;
  data.hook = [](const SampleKey&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  };
  DataLoader loader(data, {.batch_size = 10, .workers = 2});
  indices_of(loader);
  const auto report = loader.report();
  EXPECT_EQ(report.samples, 103);
  EXPECT_EQ(report.batches, 11);
  EXPECT_EQ(report.bytes, 103 * (12 + 8));
  EXPECT_EQ(report.ring_bytes, 4 * 10 * (12 + 8 + 8));
  EXPECT_GE(report.loading_seconds, 0.2);
  EXPECT_GT(report.waiting_share(), 0.5);
  EXPECT_NE(report.advice().find("loading-bound"), std::string::npos);
  EXPECT_NE(report.text().find("103 samples in 11 batches"), std::string::npos);
  const auto frozen = loader.report().seconds;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(loader.report().seconds, frozen);
}

TEST(DataLoader, PinsBatchesWhereThereIsCuda) {
  if (octet::cuda_device_count() == 0) GTEST_SKIP() << "skipped: no CUDA device";
  Numbers data;
  DataLoader loader(data, {.batch_size = 10});
  EXPECT_TRUE(loader.begin()->image.is_pinned());
  EXPECT_TRUE(loader.begin()->target.is_pinned());
}

}  // namespace

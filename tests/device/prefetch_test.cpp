#include "octet/device/prefetch.hpp"

#include <gtest/gtest.h>
#include <torch/types.h>

#include "octet/data/in_memory.hpp"
#include "octet/device/select.hpp"

namespace {

octet::InMemoryDataset numbers(std::int64_t count) {
  const auto values = torch::arange(count);
  return {values.to(at::kByte).reshape({count, 1, 1, 1}).expand({count, 3, 4, 5}),
          values};
}

void expect_all_batches_in_order(c10::Device device) {
  const auto data = numbers(103);
  octet::DataLoader loader(data, {.batch_size = 10, .workers = 2});
  for (int pass = 0; pass < 3; ++pass) {
    std::int64_t next = 0;
    for (auto& batch : octet::prefetch(loader, device)) {
      EXPECT_EQ(batch.image.device(), device);
      EXPECT_EQ(batch.target.device(), device);
      EXPECT_EQ(batch.epoch, pass);
      EXPECT_EQ(batch.last, next + batch.size() == 103);
      const auto want = torch::arange(next, next + batch.size());
      EXPECT_TRUE(at::equal(batch.target.cpu(), want));
      EXPECT_TRUE(at::equal(batch.image.select(1, 2).select(1, 3).select(1, 4)
                                .to(at::kLong).cpu(), want));
      next += batch.size();
    }
    EXPECT_EQ(next, 103);
  }
}

TEST(DevicePrefetcher, OnTheCpuPassesTheLoadersBatchesOn) {
  expect_all_batches_in_order(at::kCPU);
  const auto data = numbers(20);
  octet::DataLoader loader(data, {.batch_size = 10});
  auto pass = octet::prefetch(loader, at::kCPU).begin();
  EXPECT_TRUE(pass->image.is_contiguous(at::MemoryFormat::ChannelsLast));
}

TEST(DevicePrefetcher, OnCudaDeliversEveryBatchInOrder) {
  if (octet::cuda_device_count() == 0) GTEST_SKIP() << "skipped: no CUDA device";
  expect_all_batches_in_order(c10::Device(at::kCUDA, 0));
}

TEST(DevicePrefetcher, MayBeLeftEarly) {
  const auto data = numbers(100);
  octet::DataLoader loader(data, {.batch_size = 10});
  for (auto& batch : octet::prefetch(loader, octet::select_device("auto"))) {
    EXPECT_EQ(batch.number, 0);
    break;
  }
  EXPECT_EQ(loader.epoch(), 1);
}

TEST(SelectDevice, NamesWhatIsWrong) {
  EXPECT_EQ(octet::select_device("cpu"), c10::Device(at::kCPU));
  EXPECT_THROW(octet::select_device("gpu"), octet::ConfigError);
  EXPECT_THROW(octet::select_device(""), octet::ConfigError);
  EXPECT_THROW(octet::select_device("cuda:99"), octet::DeviceError);
}

TEST(SelectDevice, AutoIsTheCpuWithoutACudaDevice) {
  const bool cuda = octet::cuda_device_count() > 0;
  EXPECT_EQ(octet::select_device("auto").is_cuda(), cuda);
}

}  // namespace

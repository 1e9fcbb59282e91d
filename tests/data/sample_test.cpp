#include "octet/data/sample.hpp"

#include <gtest/gtest.h>
#include <torch/types.h>

#include <numeric>

namespace {

using octet::FieldView;

std::vector<std::uint8_t> ramp(std::size_t count) {
  std::vector<std::uint8_t> out(count);
  std::iota(out.begin(), out.end(), std::uint8_t{0});
  return out;
}

TEST(FieldView, WritesInterleavedRowsIntoEitherMemoryFormat) {
  const auto pixels = ramp(60);  // 4 rows of 5 pixels of 3 channels
  const auto want =
      torch::tensor(c10::ArrayRef<std::uint8_t>(pixels)).reshape({4, 5, 3}).permute({2, 0, 1});
  for (const auto format :
       {at::MemoryFormat::ChannelsLast, at::MemoryFormat::Contiguous}) {
    const auto batch = torch::zeros({2, 3, 4, 5}, at::kByte).contiguous(format);
    FieldView::of_batch(batch, 1).write_interleaved(pixels.data(), 3, 4, 5, 15);
    EXPECT_TRUE(at::equal(batch[1], want)) << format;
    EXPECT_EQ(batch[0].sum().item<int>(), 0);
  }
}

TEST(FieldView, HonoursTheDistanceBetweenRows) {
  const auto pixels = ramp(40);
  const auto batch = torch::zeros({1, 1, 4, 3}, at::kByte);
  FieldView::of_batch(batch, 0).write_interleaved(pixels.data(), 1, 4, 3, 10);
  EXPECT_TRUE(at::equal(
      batch[0][0],
      torch::tensor(c10::ArrayRef<std::uint8_t>(pixels)).reshape({4, 10}).narrow(1, 0, 3)));
}

TEST(FieldView, WritesMasksOfTwoDimensions) {
  const std::vector<std::uint16_t> mask{1, 2, 3, 4, 5, 65535};
  const auto batch = torch::zeros({2, 2, 3}, at::kUInt16);
  FieldView::of_batch(batch, 1).write_interleaved(mask.data(), 1, 2, 3, 3);
  EXPECT_EQ(batch[1][1][2].item<int>(), 65535);
  EXPECT_EQ(batch[1][0][0].item<int>(), 1);
}

TEST(FieldView, SetsALabel) {
  const auto batch = torch::zeros({300}, at::kLong);
  FieldView::of_batch(batch, 299).set<std::int64_t>(299);
  EXPECT_EQ(batch[299].item<std::int64_t>(), 299);
  EXPECT_EQ(batch.sum().item<std::int64_t>(), 299);
}

TEST(FieldView, RefusesAnotherShapeOrDtype) {
  const auto batch = torch::zeros({2, 3, 4, 5}, at::kByte);
  const auto view = FieldView::of_batch(batch, 0);
  const auto pixels = ramp(60);
  EXPECT_THROW(view.write_interleaved(pixels.data(), 3, 5, 4, 12),
               octet::ShapeError);
  EXPECT_THROW(view.write_interleaved(pixels.data(), 1, 4, 5, 5),
               octet::ShapeError);
  EXPECT_THROW(view.data<std::uint16_t>(), octet::ShapeError);
  EXPECT_THROW(view.set<std::uint8_t>(1), octet::ShapeError);
  EXPECT_THROW(view.copy_from(torch::zeros({3, 4, 5}, at::kLong)),
               octet::ShapeError);
  EXPECT_THROW(FieldView(torch::zeros({1, 1, 1, 1})), octet::ShapeError);
}

TEST(FieldView, CopiesATensorOfAnyStrides) {
  const auto source = torch::arange(60).to(at::kByte).reshape({5, 4, 3}).permute({2, 1, 0});
  const auto batch = torch::zeros({2, 3, 4, 5}, at::kByte)
                         .contiguous(at::MemoryFormat::ChannelsLast);
  FieldView::of_batch(batch, 1).copy_from(source);
  EXPECT_TRUE(at::equal(batch[1], source));
}

}  // namespace

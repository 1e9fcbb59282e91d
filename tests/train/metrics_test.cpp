#include "octet/train/metrics.hpp"

#include <gtest/gtest.h>
#include <torch/types.h>

#include <cmath>

namespace {

TEST(Accuracy, ThreeHundredOfThreeHundredIsOne) {
  const auto target = torch::arange(300);
  const auto logits = torch::eye(300);
  octet::Accuracy accuracy;
  accuracy.update(logits, target);
  EXPECT_EQ(accuracy.right(), 300);
  EXPECT_EQ(accuracy.value(), 1.0);
  accuracy.update(logits, (target + 1).remainder(300));
  EXPECT_EQ(accuracy.count(), 600);
  EXPECT_EQ(accuracy.value(), 0.5);
}

TEST(Accuracy, OfNothingIsNotAValue) {
  EXPECT_THROW(octet::Accuracy().value(), octet::ConfigError);
  octet::Accuracy accuracy;
  EXPECT_THROW(accuracy.update(torch::zeros({2, 3}), torch::zeros({3})),
               octet::ShapeError);
}

// Prediction 0 0 1 1 1, truth 0 1 1 0 255 (ignored).
TEST(ConfusionMatrix, MatchesAHandCount) {
  const auto logits =
      torch::tensor({{3., 1.}, {3., 1.}, {1., 3.}, {1., 3.}, {1., 3.}});
  const auto target = torch::tensor({0, 1, 1, 0, 255}, at::kByte);
  octet::ConfusionMatrix matrix(2);
  matrix.update(logits, target);
  EXPECT_TRUE(at::equal(matrix.counts(), torch::ones({2, 2}, at::kLong)));
  EXPECT_DOUBLE_EQ(matrix.accuracy(), 0.5);
  EXPECT_DOUBLE_EQ(matrix.iou()[0], 1.0 / 3);
  EXPECT_DOUBLE_EQ(matrix.mean_iou(), 1.0 / 3);
}

TEST(ConfusionMatrix, TakesPicturesAndSixteenBitMasks) {
  const auto target = torch::randint(0, 5, {2, 6, 7}).to(at::kUInt16);
  const auto logits = at::one_hot(target.to(at::kLong), 5).permute({0, 3, 1, 2}).to(at::kFloat);
  octet::ConfusionMatrix matrix(5);
  matrix.update(logits, target);
  matrix.update(logits, target);
  EXPECT_EQ(matrix.counts().sum().item<std::int64_t>(), 2 * 2 * 6 * 7);
  EXPECT_DOUBLE_EQ(matrix.mean_iou(), 1.0);
}

TEST(ConfusionMatrix, AnAbsentClassDoesNotLowerTheMean) {
  octet::ConfusionMatrix matrix(3);
  matrix.update(torch::eye(3).narrow(0, 0, 2), torch::tensor({0, 1}));
  EXPECT_TRUE(std::isnan(matrix.iou()[2]));
  EXPECT_DOUBLE_EQ(matrix.mean_iou(), 1.0);
}

TEST(ConfusionMatrix, ALabelOutOfRangeIsAnError) {
  octet::ConfusionMatrix matrix(2);
  matrix.update(torch::zeros({3, 2}), torch::tensor({0, 7, 255}));
  EXPECT_THROW(matrix.mean_iou(), octet::DataError);
  EXPECT_THROW(octet::ConfusionMatrix(2).mean_iou(), octet::ConfigError);
}

TEST(Mean, WeighsBySamples) {
  octet::Mean mean;
  EXPECT_TRUE(std::isnan(mean.value()));
  mean.update(torch::tensor(1.0f), 30);
  mean.update(torch::tensor(5.0f), 10);
  EXPECT_DOUBLE_EQ(mean.value(), 2.0);
  mean.reset();
  EXPECT_EQ(mean.count(), 0);
}

}  // namespace

#include "octet/data/in_memory.hpp"

#include <gtest/gtest.h>
#include <torch/types.h>

namespace {

using octet::InMemoryDataset;

TEST(InMemoryDataset, TellsItsShapes) {
  const InMemoryDataset labels(torch::zeros({7, 3, 4, 5}, at::kByte),
                               torch::zeros({7}, at::kLong));
  EXPECT_EQ(labels.size(), 7);
  EXPECT_EQ(labels.spec(),
            (octet::SampleSpec{{at::kByte, {3, 4, 5}}, {at::kLong, {}}}));
  const InMemoryDataset masks(torch::zeros({7, 1, 4, 5}, at::kUInt16),
                              torch::zeros({7, 4, 5}, at::kUInt16));
  EXPECT_EQ(masks.spec(),
            (octet::SampleSpec{{at::kUInt16, {1, 4, 5}}, {at::kUInt16, {4, 5}}}));
}

TEST(InMemoryDataset, RefusesFloatsAndMismatches) {
  const auto labels = torch::zeros({7}, at::kLong);
  EXPECT_THROW(InMemoryDataset(torch::zeros({7, 3, 4, 5}), labels),
               octet::ShapeError);
  EXPECT_THROW(InMemoryDataset(torch::zeros({7, 4, 5}, at::kByte), labels),
               octet::ShapeError);
  EXPECT_THROW(InMemoryDataset(torch::zeros({6, 3, 4, 5}, at::kByte), labels),
               octet::ShapeError);
  EXPECT_THROW(InMemoryDataset(at::Tensor(), labels), octet::ShapeError);
  EXPECT_THROW(InMemoryDataset(torch::zeros({7, 3, 4, 5}, at::kByte), {}),
               octet::ShapeError);
}

TEST(AnyDataset, ReferenceOwnedAndSharedBehaveAlike) {
  const InMemoryDataset data(torch::ones({2, 3, 1, 1}, at::kByte),
                             torch::arange(2));
  const octet::AnyDataset reference(data);
  const octet::AnyDataset owned(InMemoryDataset{data});
  const octet::AnyDataset shared(std::make_shared<InMemoryDataset>(data));
  for (const auto& any : {reference, owned, shared}) {
    EXPECT_EQ(any.size(), 2);
    EXPECT_EQ(any.spec(), data.spec());
    EXPECT_EQ(any.describe(1), "in-memory sample 1");
    const auto image = torch::zeros({1, 3, 1, 1}, at::kByte);
    const auto target = torch::zeros({1}, at::kLong);
    any.load({0, 0, 1}, {octet::FieldView::of_batch(image, 0),
                         octet::FieldView::of_batch(target, 0)});
    EXPECT_EQ(image.sum().item<int>(), 3);
    EXPECT_EQ(target.item<int>(), 1);
  }
}

}  // namespace

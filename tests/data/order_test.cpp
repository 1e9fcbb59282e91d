#include "octet/data/order.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

using octet::Permutation;

std::vector<std::int64_t> order(std::int64_t size, std::uint64_t seed,
                                std::int64_t epoch) {
  const Permutation permutation(size, seed, epoch);
  std::vector<std::int64_t> out;
  for (std::int64_t i = 0; i < size; ++i) out.push_back(permutation(i));
  return out;
}

TEST(Permutation, EverySampleOnceForEverySizeUpTo300) {
  for (std::int64_t size = 1; size <= 300; ++size) {
    std::vector<int> seen(size);
    for (const auto index : order(size, 3, size)) ++seen.at(index);
    EXPECT_EQ(seen, std::vector<int>(size, 1)) << size;
  }
}

TEST(Permutation, IsAFunctionOfSeedAndEpoch) {
  EXPECT_EQ(order(100, 1, 0), order(100, 1, 0));
  EXPECT_NE(order(100, 1, 0), order(100, 1, 1));
  EXPECT_NE(order(100, 1, 0), order(100, 2, 0));
}

TEST(Permutation, ABillionSamplesCostNothing) {
  const Permutation permutation(1'000'000'000, 9, 4);
  for (std::int64_t i = 0; i < 1000; ++i) {
    const auto index = permutation(i * 999'983);
    ASSERT_GE(index, 0);
    ASSERT_LT(index, 1'000'000'000);
  }
}

TEST(Permutation, LooksShuffled) {
  // Mean |index - position| of a random permutation of n is about n / 3.
  const auto shuffled = order(9000, 1, 0);
  double distance = 0;
  int fixed = 0;
  for (std::int64_t i = 0; i < 9000; ++i) {
    distance += std::abs(shuffled[i] - i);
    fixed += shuffled[i] == i;
  }
  EXPECT_NEAR(distance / 9000, 3000, 100);
  EXPECT_LE(fixed, 8);  // 1 expected
}

}  // namespace

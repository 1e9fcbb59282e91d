#include "octet/core/random.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace {

using octet::Random;

TEST(Random, SameKeySameNumbers) {
  Random a({7, 2, 41}), b({7, 2, 41});
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.next(), b.next());
}

TEST(Random, EveryPartOfTheKeyMatters) {
  std::set<std::uint64_t> first;
  first.insert(Random({7, 2, 41}).next());
  first.insert(Random({8, 2, 41}).next());
  first.insert(Random({7, 3, 41}).next());
  first.insert(Random({7, 2, 42}).next());
  first.insert(Random({7, 2, 41}, 1).next());
  first.insert(Random({2, 7, 41}).next());
  EXPECT_EQ(first.size(), 6u);
}

// Frozen values: augmentation of old runs must be repeatable by new versions.
TEST(Random, NumbersNeverChangeBetweenVersions) {
  Random random({1, 2, 3}, 4);
  const std::vector<std::uint64_t> got{random.next(), random.next()};
  const std::vector<std::uint64_t> want{0x68055585a968b899ULL, 0x9a72e9c958bd6b24ULL};
  EXPECT_EQ(got, want);
}

TEST(Random, SixtyFourSamplesDrawSixtyFourNumbers) {
  std::set<std::uint64_t> draws;
  for (std::int64_t i = 0; i < 64; ++i) draws.insert(Random({0, 0, i}).next());
  EXPECT_EQ(draws.size(), 64u);
}

TEST(Random, UniformFillsItsRangeEvenly) {
  std::vector<int> bins(10);
  for (std::int64_t i = 0; i < 100000; ++i) {
    const double value = Random({3, 0, i}).uniform();
    ASSERT_GE(value, 0.0);
    ASSERT_LT(value, 1.0);
    ++bins[static_cast<std::size_t>(value * 10)];
  }
  // 6 standard deviations of a binomial count (sqrt(100000 * .1 * .9) = 95)
  for (const int count : bins) EXPECT_NEAR(count, 10000, 570);
}

TEST(Random, BelowNeverReachesItsBound) {
  Random random({5, 0, 0});
  std::vector<int> seen(7);
  for (int i = 0; i < 7000; ++i) ++seen.at(random.below(7));
  for (const int count : seen) EXPECT_NEAR(count, 1000, 180);
}

}  // namespace

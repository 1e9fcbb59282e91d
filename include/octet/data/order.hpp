#pragma once

#include <bit>
#include <cstdint>

#include "octet/core/random.hpp"

namespace octet::inline v0 {

/// A shuffle that needs no memory: a bijection of {0, ..., size - 1}, computed
/// position by position.
///
/// A balanced Feistel network permutes the smallest domain of 4^k >= size
/// values; results outside the range are sent through again (cycle walking),
/// which keeps it a bijection. On average less than 4 rounds of it.
///
/// Seed     (seed, epoch): same key, same order, on every machine
/// Threads  immutable; share freely
/// Cost     O(1) memory for any size
/// Source   Black, Rogaway: Ciphers with Arbitrary Finite Domains, 2002
class Permutation {
 public:
  Permutation(std::int64_t size, std::uint64_t seed, std::int64_t epoch)
      : size_(static_cast<std::uint64_t>(size)) {
    const int bits = size < 2 ? 1 : std::bit_width(size_ - 1);
    half_ = (bits + 1) / 2;
    mask_ = (std::uint64_t{1} << half_) - 1;
    Random random({seed, epoch, -1});
    for (auto& key : keys_) key = random.next();
  }

  std::int64_t size() const { return static_cast<std::int64_t>(size_); }

  /// The sample at a position; position must be in [0, size).
  std::int64_t operator()(std::int64_t position) const {
    auto value = static_cast<std::uint64_t>(position);
    do {
      value = encrypt(value);
    } while (value >= size_);
    return static_cast<std::int64_t>(value);
  }

 private:
  static constexpr int kRounds = 8;

  std::uint64_t encrypt(std::uint64_t value) const {
    std::uint64_t left = value >> half_;
    std::uint64_t right = value & mask_;
    for (const auto key : keys_) {
      const auto next = left ^ (Random::mix(right ^ key) & mask_);
      left = right;
      right = next;
    }
    return (left << half_) | right;
  }

  std::uint64_t size_;
  std::uint64_t mask_ = 0;
  int half_ = 0;
  std::uint64_t keys_[kRounds]{};
};

}  // namespace octet::inline v0

#pragma once

#include <cstdint>

namespace octet::inline v0 {

/// Names one visit of one sample; every random choice is a function of it.
struct SampleKey {
  std::uint64_t seed = 0;
  std::int64_t epoch = 0;
  std::int64_t index = 0;
};

/// Random numbers that depend on a key alone: never on the thread, on the
/// number of workers or on what was drawn for another sample.
///
/// The key is folded into one 64-bit state by SplitMix64's finalizer, and the
/// stream is SplitMix64. Integers and floats are derived by fixed formulas
/// (not by std:: distributions, which differ between standard libraries).
///
/// Seed     (seed, epoch, index, stream): same key, same numbers, everywhere
/// Threads  one object per thread; objects are cheap (8 bytes)
/// Source   Steele, Lea, Flood: Fast Splittable Pseudorandom Number
///          Generators, OOPSLA 2014
class Random {
 public:
  /// `stream` separates the draws of the transforms of one sample.
  explicit Random(const SampleKey& key, std::uint64_t stream = 0) {
    fold(key.seed);
    fold(static_cast<std::uint64_t>(key.epoch));
    fold(static_cast<std::uint64_t>(key.index));
    fold(stream);
  }

  /// 64 random bits.
  std::uint64_t next() { return mix(state_ += kGamma); }

  /// Uniform in [0, 1), 53 bits.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  /// Uniform in [low, high).
  double uniform(double low, double high) {
    return low + (high - low) * uniform();
  }

  /// Uniform in {0, ..., bound - 1}; bound must be positive. The bias is below
  /// bound / 2^64 (multiply-shift).
  std::int64_t below(std::int64_t bound) {
    const auto wide = static_cast<unsigned __int128>(next()) *
                      static_cast<std::uint64_t>(bound);
    return static_cast<std::int64_t>(wide >> 64);
  }

  /// True with the given probability.
  bool chance(double probability) { return uniform() < probability; }

  /// SplitMix64's finalizer: a bijection of 64-bit words.
  static constexpr std::uint64_t mix(std::uint64_t word) {
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9ULL;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebULL;
    return word ^ (word >> 31);
  }

 private:
  static constexpr std::uint64_t kGamma = 0x9e3779b97f4a7c15ULL;

  void fold(std::uint64_t word) { state_ = mix((state_ ^ word) + kGamma); }

  std::uint64_t state_ = 0;
};

}  // namespace octet::inline v0

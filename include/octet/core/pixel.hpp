#pragma once

#include <c10/core/ScalarType.h>

#include <concepts>
#include <cstdint>

namespace octet::inline v0 {

/// What a picture may be made of before it reaches the device: 8 or 16
/// unsigned bits a channel. Floats come into being in `Normalize`, not before.
template <class T>
concept Pixel = std::same_as<T, std::uint8_t> || std::same_as<T, std::uint16_t>;

/// The LibTorch dtype of a pixel or label type.
template <class T>
inline constexpr c10::ScalarType kScalarType =
    c10::CppTypeToScalarType<T>::value;

static_assert(Pixel<std::uint8_t> && Pixel<std::uint16_t> && !Pixel<float>);
static_assert(kScalarType<std::uint16_t> == c10::ScalarType::UInt16);

}  // namespace octet::inline v0

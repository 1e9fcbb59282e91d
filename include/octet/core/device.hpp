#pragma once

#include <c10/core/Device.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

namespace octet::inline v0 {

/// How many CUDA devices this process can use; 0 where LibTorch was built
/// without CUDA, where only its CPU libraries are linked, and where there is no
/// driver. Needs no CUDA header.
///
/// Threads  safe
inline int cuda_device_count() noexcept {
  constexpr auto kCuda = c10::DeviceType::CUDA;
  if (!c10::impl::hasDeviceGuardImpl(kCuda)) return 0;
  return c10::impl::getDeviceGuardImpl(kCuda)->deviceCount();
}

}  // namespace octet::inline v0

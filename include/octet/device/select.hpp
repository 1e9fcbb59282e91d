#pragma once

#include <c10/core/Device.h>
#include <c10/util/Exception.h>
#include <c10/util/StringUtil.h>

#include <string>

#include "octet/core/device.hpp"
#include "octet/core/error.hpp"

namespace octet::inline v0 {

/// The device of a command line: "auto" (CUDA if there is a device, else the
/// CPU), "cpu", "cuda" or "cuda:1".
///
/// Throws   ConfigError octet.device.101 for another word, DeviceError
///          octet.device.102 if that device is not there
inline c10::Device select_device(const std::string& name) {
  const int devices = cuda_device_count();
  if (name == "auto") {
    return devices > 0 ? c10::Device(c10::DeviceType::CUDA, 0)
                       : c10::Device(c10::DeviceType::CPU);
  }
  c10::Device device(c10::DeviceType::CPU);
  try {
    device = c10::Device(name);
  } catch (const c10::Error&) {
    device = c10::Device(c10::DeviceType::Meta);
  }
  if (device.is_cpu()) return device;
  if (!device.is_cuda()) {
    throw ConfigError("octet.device.101",
                      "device \"" + name +
                          "\" is not known; use auto, cpu, cuda or cuda:<n>");
  }
  if (!device.has_index()) device.set_index(0);
  if (device.index() >= devices) {
    throw DeviceError(
        "octet.device.102",
        c10::str("device \"", name, "\" is not there: this process sees ",
                 devices, " CUDA devices",
                 devices == 0 ? " (no driver, or LibTorch's CPU libraries were "
                                "linked); use device auto or cpu"
                              : ""));
  }
  return device;
}

}  // namespace octet::inline v0

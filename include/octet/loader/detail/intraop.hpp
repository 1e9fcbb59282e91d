#pragma once

#include <ATen/Parallel.h>
#include <dlfcn.h>

namespace octet::inline v0::detail {

/// Makes LibTorch's operators run on this thread alone when called from it;
/// other threads keep their setting.
///
/// at::set_num_threads would change the whole process: it stores the number for
/// threads yet to come and tells MKL. OpenMP's own setting belongs to the
/// calling thread, and LibTorch reads it back. The function is looked up at run
/// time, so that no OpenMP flag is needed to compile.
inline void use_one_intraop_thread() {
  at::get_num_threads();  // first use on a thread would undo what follows
  using SetNumThreads = void (*)(int);
  if (auto* const set = reinterpret_cast<SetNumThreads>(
          dlsym(RTLD_DEFAULT, "omp_set_num_threads"))) {
    set(1);
  }
}

}  // namespace octet::inline v0::detail

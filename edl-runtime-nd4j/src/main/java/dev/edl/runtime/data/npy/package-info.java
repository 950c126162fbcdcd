/**
 * Files of named arrays: NumPy's .npy and .npz, and .safetensors. Start at {@link dev.edl.runtime.data.npy.NpzReader}.
 */
@NullMarked
package dev.edl.runtime.data.npy;

import org.jspecify.annotations.NullMarked;

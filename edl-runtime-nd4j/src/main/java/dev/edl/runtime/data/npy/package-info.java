/**
 * NumPy's .npy and .npz files. Start at {@link dev.edl.runtime.data.npy.NpzReader}.
 */
@NullMarked
package dev.edl.runtime.data.npy;

import org.jspecify.annotations.NullMarked;

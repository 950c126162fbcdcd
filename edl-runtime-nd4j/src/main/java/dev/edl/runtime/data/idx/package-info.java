/**
 * IDX files, the format of MNIST. Start at {@link dev.edl.runtime.data.idx.IdxDataset}.
 */
@NullMarked
package dev.edl.runtime.data.idx;

import org.jspecify.annotations.NullMarked;

/** Parquet files as datasets of a training. Start at {@link dev.edl.parquet.ParquetDataset}. */
@NullMarked
package dev.edl.parquet;

import org.jspecify.annotations.NullMarked;

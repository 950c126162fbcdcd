/** Tests of the reader of Parquet files. Start at {@link dev.edl.parquet.ParquetDatasetTest}. */
@NullMarked
package dev.edl.parquet;

import org.jspecify.annotations.NullMarked;

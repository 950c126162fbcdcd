/**
 * Tables in CSV files. Start at {@link dev.edl.runtime.data.csv.CsvTable} for one that fits into memory, at
 * {@link dev.edl.runtime.data.csv.CsvDataset} for larger ones.
 */
@NullMarked
package dev.edl.runtime.data.csv;

import org.jspecify.annotations.NullMarked;

/**
 * RecordIO files, the format of ElasticDL. Start at {@link dev.edl.runtime.data.recordio.RecordIoDataset}.
 */
@NullMarked
package dev.edl.runtime.data.recordio;

import org.jspecify.annotations.NullMarked;

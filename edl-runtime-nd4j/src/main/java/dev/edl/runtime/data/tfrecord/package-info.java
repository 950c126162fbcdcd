/**
 * TFRecord files, tf.train.Example in them, and TensorBoard's event files. Start at
 * {@link dev.edl.runtime.data.tfrecord.TfRecordDataset}.
 */
@NullMarked
package dev.edl.runtime.data.tfrecord;

import org.jspecify.annotations.NullMarked;

/**
 * Files of a run: checkpoints, lock, exports, TensorBoard. Start at {@link dev.edl.runtime.engine.files.TrainingStore}.
 * Executors of EDL use this package.
 */
@NullMarked
package dev.edl.runtime.engine.files;

import org.jspecify.annotations.NullMarked;

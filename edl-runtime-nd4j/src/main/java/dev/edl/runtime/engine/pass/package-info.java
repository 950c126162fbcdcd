/**
 * Passes of a trained model over data: the common part of evaluation and prediction, and the processing of each.
 * Start at {@link dev.edl.runtime.engine.pass.PassResultCollector}. Master and workers run a pass as they run a training.
 */
@NullMarked
package dev.edl.runtime.engine.pass;

import org.jspecify.annotations.NullMarked;

/**
 * Passes of a trained model over data: what an evaluation and a prediction have in common, and what each makes of the records.
 * Start at {@link dev.edl.runtime.engine.pass.PassWork}; the roles that run it are those of a training.
 */
@NullMarked
package dev.edl.runtime.engine.pass;

import org.jspecify.annotations.NullMarked;

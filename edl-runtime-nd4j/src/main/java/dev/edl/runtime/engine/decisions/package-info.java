/**
 * What a master decides and its successor has to know. Start at {@link dev.edl.runtime.engine.decisions.Decisions}; {@link
 * dev.edl.runtime.engine.decisions.DecisionLog} writes it to the shards before it takes effect.
 */
@NullMarked
package dev.edl.runtime.engine.decisions;

import org.jspecify.annotations.NullMarked;

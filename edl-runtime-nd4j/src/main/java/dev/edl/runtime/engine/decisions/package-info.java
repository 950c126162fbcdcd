/**
 * A master's decisions, which its successor takes over. Start at {@link dev.edl.runtime.engine.decisions.Decisions};
 * {@link dev.edl.runtime.engine.decisions.DecisionLog} writes them to the shards before they take effect.
 */
@NullMarked
package dev.edl.runtime.engine.decisions;

import org.jspecify.annotations.NullMarked;

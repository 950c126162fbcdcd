/**
 * Proofs that a run processed each record exactly once: by the ledger of tasks, and by each parameter shard. Start at
 * {@link dev.edl.runtime.proof.LedgerProof}.
 */
@NullMarked
package dev.edl.runtime.proof;

import org.jspecify.annotations.NullMarked;

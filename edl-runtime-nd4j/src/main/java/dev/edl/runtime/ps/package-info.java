/** Parameter shards, optimizers and checkpoints, on flat arrays. */
@NullMarked
package dev.edl.runtime.ps;

import org.jspecify.annotations.NullMarked;

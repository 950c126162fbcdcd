/** Random lives of a training's protocol on a network with faults, by virtual time, each life from its seed. Start at {@code Life}. */
@NullMarked
package dev.edl.runtime.protocol;

import org.jspecify.annotations.NullMarked;

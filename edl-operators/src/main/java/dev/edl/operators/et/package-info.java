/**
 * Scales elastic Horovod jobs in et-operator's order, by the launcher's hosts. Start at
 * {@link dev.edl.operators.et.HostfileScaling}.
 */
@NullMarked
package dev.edl.operators.et;

import org.jspecify.annotations.NullMarked;

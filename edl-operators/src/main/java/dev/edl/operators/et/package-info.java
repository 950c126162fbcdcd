/**
 * Scales elastic Horovod jobs in et-operator's order, by the hosts of their launcher. Start at {@link
 * dev.edl.operators.et.HostfileScaling}.
 */
@NullMarked
package dev.edl.operators.et;

import org.jspecify.annotations.NullMarked;

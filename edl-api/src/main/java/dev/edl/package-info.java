/**
 * The job and its vocabulary.
 *
 * <p>{@link dev.edl.Job} is composed here, with the words of the field (role, priority, resources, volume, policy). It
 * is turned into a plan by {@code dev.edl.plan}, decided upon by {@code dev.edl.reconcile} and run by
 * {@code dev.edl.exec}.
 *
 * <p>Start at {@link dev.edl.Job}.
 */
@NullMarked
package dev.edl;

import org.jspecify.annotations.NullMarked;

/**
 * Jobs and their builders.
 *
 * <p>{@link dev.edl.Job} describes a training job in the terms of the field; {@code dev.edl.spec} has their types: role,
 * priority, resources, volume, policy.
 * {@code dev.edl.plan} turns it into a plan, {@code dev.edl.reconcile} decides the next actions, and
 * {@code dev.edl.exec} runs it.
 *
 * <p>Start at {@link dev.edl.Job}.
 */
@NullMarked
package dev.edl;

import org.jspecify.annotations.NullMarked;

/**
 * Finds everything that would stop a job, before any of its objects is created; each check has its own file. Start at
 * {@link dev.edl.k8s.preflight.Preflight}.
 */
@NullMarked
package dev.edl.k8s.preflight;

import org.jspecify.annotations.NullMarked;

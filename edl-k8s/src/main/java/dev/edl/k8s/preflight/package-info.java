/** What would stop a job, found before anything of it is made: one file a check. Start at {@link dev.edl.k8s.preflight.Preflight}. */
@NullMarked
package dev.edl.k8s.preflight;

import org.jspecify.annotations.NullMarked;

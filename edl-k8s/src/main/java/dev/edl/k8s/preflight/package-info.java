/** What would stop a job, found before anything of it is made: one file a check. */
@NullMarked
package dev.edl.k8s.preflight;

import org.jspecify.annotations.NullMarked;

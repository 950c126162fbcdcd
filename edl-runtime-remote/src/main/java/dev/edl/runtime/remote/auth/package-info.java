/** The secret that the processes of a job share. Start at {@link dev.edl.runtime.remote.auth.JobToken}. */
@NullMarked
package dev.edl.runtime.remote.auth;

import org.jspecify.annotations.NullMarked;

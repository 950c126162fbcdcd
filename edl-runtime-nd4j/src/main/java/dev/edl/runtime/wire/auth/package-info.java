/** The secret that the processes of a job share. Start at {@link dev.edl.runtime.wire.auth.JobToken}. */
@NullMarked
package dev.edl.runtime.wire.auth;

import org.jspecify.annotations.NullMarked;

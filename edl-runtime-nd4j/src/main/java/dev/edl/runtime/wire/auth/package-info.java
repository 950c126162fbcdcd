/** Authentication between a job's processes by a shared secret. Start at {@link dev.edl.runtime.wire.auth.JobToken}. */
@NullMarked
package dev.edl.runtime.wire.auth;

import org.jspecify.annotations.NullMarked;

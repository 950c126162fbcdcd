package dev.edl.runtime.wire.control.internal;

import dev.edl.runtime.ps.ports.Term;

/**
 * A master's answer to a caller that may begin.
 *
 * @param session names the stream in the calls beside it, and is known to both ends alone
 */
public record Welcome(Term term, String run, String session, boolean rounds, long notesNanos, long touchesNanos) {}

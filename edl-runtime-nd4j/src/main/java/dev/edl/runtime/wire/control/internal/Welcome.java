package dev.edl.runtime.wire.control.internal;

import dev.edl.runtime.ps.ports.Term;

/**
 * A master's response to an accepted caller.
 *
 * @param session identifies the connection in its bulk transfers; a secret of both ends
 */
public record Welcome(Term term, String run, String session, boolean rounds, long notesNanos, long touchesNanos) {}

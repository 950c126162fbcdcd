package dev.edl.runtime.wire.control.internal;

import dev.edl.runtime.ps.ports.Term;

/**
 * A master's response to an accepted caller.
 *
 * @param session name by which bulk transfers identify the message connection; it is not a credential
 */
public record Welcome(Term term, String run, String session, boolean rounds, long notesNanos, long touchesNanos) {}

/** Checks that the preflight predicts what a real cluster refuses. Start at {@code PreflightCheck}. */
package dev.edl.conformance.preflight;

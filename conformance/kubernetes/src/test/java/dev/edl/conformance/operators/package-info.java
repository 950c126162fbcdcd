/** Checks of jobs for operators of a real cluster, and of EDL's controller. Start at {@code Operators}. */
package dev.edl.conformance.operators;

/** What a real cluster refuses, told before. Start at {@code PreflightCheck}. */
package dev.edl.conformance.preflight;

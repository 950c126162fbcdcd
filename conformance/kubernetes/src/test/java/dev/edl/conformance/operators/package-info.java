/** Jobs given to operators of a real cluster, and EDL's controller. Start at {@code Operators}. */
package dev.edl.conformance.operators;

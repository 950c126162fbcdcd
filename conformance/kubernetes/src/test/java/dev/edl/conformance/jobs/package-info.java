/** Jobs as pods of a real cluster, one file a check. Start at {@code Submit}. */
package dev.edl.conformance.jobs;

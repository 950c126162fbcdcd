/** Checks of jobs as pods of a real cluster, one file per check. Start at {@code Submit}. */
package dev.edl.conformance.jobs;

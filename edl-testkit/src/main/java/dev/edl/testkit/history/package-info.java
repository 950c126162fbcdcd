/**
 * Checks the recorded history of a training. Start at {@link dev.edl.testkit.history.HistoryChecker}.
 */
@org.jspecify.annotations.NullMarked
package dev.edl.testkit.history;

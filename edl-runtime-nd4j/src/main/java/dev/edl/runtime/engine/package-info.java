/**
 * Roles of a run: master, parameter server and worker, and their shared state. Start at {@code SharedTrainingState}, of
 * which each run has one, then {@code MasterRunner}, {@code PsRunner} and {@code WorkerRunner}, one class per role.
 * {@code SharedPassState} is the counterpart for a pass, which uses the same worker. Executors of EDL use this package;
 * users compose a training with {@link dev.edl.runtime.Training}.
 */
@NullMarked
package dev.edl.runtime.engine;

import org.jspecify.annotations.NullMarked;

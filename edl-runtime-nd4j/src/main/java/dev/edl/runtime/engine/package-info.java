/**
 * The roles of a run: master, parameter server and worker, and what they share. Start at {@code TrainingServices}, which one
 * run has one of, then {@code MasterMain}, {@code PsMain} and {@code WorkerMain}, a file for each role. {@code PassServices} is the
 * same for a pass, whose worker is the same. Executors of EDL
 * use this package; a training is composed with {@link dev.edl.runtime.Training}.
 */
@NullMarked
package dev.edl.runtime.engine;

import org.jspecify.annotations.NullMarked;

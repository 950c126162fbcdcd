/** Trainings of EDL's own runtime in pods. Start at {@code WalkThroughTrains}. */
@NullMarked
package dev.edl.conformance.training;

import org.jspecify.annotations.NullMarked;

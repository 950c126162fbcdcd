/** Environment variables that the replicas of a plan need; pure functions of the plan. */
@NullMarked
package dev.edl.env;

import org.jspecify.annotations.NullMarked;

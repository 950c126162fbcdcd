/**
 * Environment variables of a plan's replicas, as pure functions of the plan. Start at {@link dev.edl.env.EnvRules}.
 */
@NullMarked
package dev.edl.env;

import org.jspecify.annotations.NullMarked;

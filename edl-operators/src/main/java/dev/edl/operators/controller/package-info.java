/**
 * Runs jobs given as custom resources, in a cluster without their operator. Start at
 * {@link dev.edl.operators.controller.Controller}.
 */
@NullMarked
package dev.edl.operators.controller;

import org.jspecify.annotations.NullMarked;

/** A controller that drives jobs given as custom resources, where no operator does: {@link dev.edl.operators.controller.Controller}. Start at it. */
@NullMarked
package dev.edl.operators.controller;

import org.jspecify.annotations.NullMarked;

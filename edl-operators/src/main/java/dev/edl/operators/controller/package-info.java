/** A controller that drives jobs given as custom resources, where no operator does: {@link dev.edl.k8s.controller.Controller}. */
@NullMarked
package dev.edl.k8s.controller;

import org.jspecify.annotations.NullMarked;

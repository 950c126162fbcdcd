@NullMarked
package dev.edl.operators.controller.metrics;

import org.jspecify.annotations.NullMarked;

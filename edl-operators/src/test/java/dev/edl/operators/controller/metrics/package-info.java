@NullMarked
package dev.edl.k8s.controller.metrics;

import org.jspecify.annotations.NullMarked;

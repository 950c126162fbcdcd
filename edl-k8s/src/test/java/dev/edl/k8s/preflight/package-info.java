@NullMarked
package dev.edl.k8s.preflight;

import org.jspecify.annotations.NullMarked;

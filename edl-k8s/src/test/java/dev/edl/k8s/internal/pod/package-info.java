@NullMarked
package dev.edl.k8s.internal.pod;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.edl.k8s.internal.reach;

import org.jspecify.annotations.NullMarked;

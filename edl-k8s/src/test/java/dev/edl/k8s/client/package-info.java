@NullMarked
package dev.edl.k8s.crd;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.edl.k8s.internal.api;

import org.jspecify.annotations.NullMarked;

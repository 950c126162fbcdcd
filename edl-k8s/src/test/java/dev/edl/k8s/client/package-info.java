@NullMarked
package dev.edl.k8s.client;

import org.jspecify.annotations.NullMarked;

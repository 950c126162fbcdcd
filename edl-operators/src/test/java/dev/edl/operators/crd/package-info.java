@NullMarked
package dev.edl.operators.crd;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.edl.prometheus;

import org.jspecify.annotations.NullMarked;

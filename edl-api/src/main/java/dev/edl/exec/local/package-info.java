/** Jobs as operating-system processes of this machine. */
@NullMarked
package dev.edl.exec.local;

import org.jspecify.annotations.NullMarked;

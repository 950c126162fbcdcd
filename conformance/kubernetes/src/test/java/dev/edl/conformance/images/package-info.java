/** Images that are pushed to a real registry and run by real nodes. Start at {@code ImagePush}. */
@NullMarked
package dev.edl.conformance.images;

import org.jspecify.annotations.NullMarked;

/**
 * Files and streams with checksums, which hold checkpoints. Start at {@link dev.edl.runtime.ps.files.ChecksummedOutput}.
 */
@NullMarked
package dev.edl.runtime.ps.files;

import org.jspecify.annotations.NullMarked;

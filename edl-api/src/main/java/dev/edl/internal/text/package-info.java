/**
 * Text, once for all modules of EDL: reads JSON, YAML and maps strictly, writes JSON and YAML, quotes values in messages.
 * Start at {@link dev.edl.internal.text.DataNodeReader} to read a text, at {@link dev.edl.internal.text.FieldReader} to read a map of it,
 * and at {@link dev.edl.internal.text.YamlText} to write. Not for use outside of EDL: it changes without notice.
 */
@NullMarked
package dev.edl.internal.text;

import org.jspecify.annotations.NullMarked;

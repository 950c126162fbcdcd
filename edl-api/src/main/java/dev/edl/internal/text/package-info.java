/**
 * Text handling shared by EDL's modules: strict readers of JSON, YAML and maps, writers of JSON and YAML, values in
 * messages.
 *
 * <p>Start at {@link dev.edl.internal.text.DataNodeReader} to parse a text, at
 * {@link dev.edl.internal.text.FieldReader} to read its maps, and at {@link dev.edl.internal.text.YamlText} to write.
 * For EDL only; it changes without notice.
 */
@NullMarked
package dev.edl.internal.text;

import org.jspecify.annotations.NullMarked;

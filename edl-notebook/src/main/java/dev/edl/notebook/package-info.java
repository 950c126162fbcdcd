/**
 * Tables and pictures of EDL's values, as HTML for notebooks. Start at {@link dev.edl.notebook.JobHtml}.
 */
@NullMarked
package dev.edl.notebook;

import org.jspecify.annotations.NullMarked;

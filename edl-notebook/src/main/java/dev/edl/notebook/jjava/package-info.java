/**
 * The extension that JJava's kernel finds by itself. Start at {@link dev.edl.notebook.jjava.NotebookExtension}; programs call
 * nothing of it.
 */
@NullMarked
package dev.edl.notebook.jjava;

import org.jspecify.annotations.NullMarked;

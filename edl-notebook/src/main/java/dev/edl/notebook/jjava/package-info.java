/**
 * Extension that JJava's kernel finds by itself. Start at {@link dev.edl.notebook.jjava.NotebookExtension}; programs do
 * not call it.
 */
@NullMarked
package dev.edl.notebook.jjava;

import org.jspecify.annotations.NullMarked;

/**
 * Trained models as ONNX files, for programs that serve them without EDL. Start at {@link
 * dev.edl.runtime.onnx.OnnxExport}.
 */
@NullMarked
package dev.edl.runtime.onnx;

import org.jspecify.annotations.NullMarked;

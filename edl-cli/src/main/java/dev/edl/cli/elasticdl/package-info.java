/**
 * ElasticDL's command lines {@code train}, {@code evaluate} and {@code predict}, run by EDL.
 *
 * <p>Start at {@link dev.edl.cli.elasticdl.ModelDefinition}, which a {@code --model_def} names.
 */
@NullMarked
package dev.edl.cli.elasticdl;

import org.jspecify.annotations.NullMarked;

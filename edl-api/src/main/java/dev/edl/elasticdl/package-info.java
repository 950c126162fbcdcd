/**
 * Conversion between ElasticDL's command line {@code elasticdl train …} and jobs. Start at
 * {@link dev.edl.elasticdl.ElasticDlCommand}.
 */
@NullMarked
package dev.edl.elasticdl;

import org.jspecify.annotations.NullMarked;

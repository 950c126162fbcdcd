/**
 * ElasticDL's command line: reads {@code elasticdl train …} as a job and writes a job as that command. Start at {@link
 * dev.edl.elasticdl.ElasticDlCommand}.
 */
@NullMarked
package dev.edl.elasticdl;

import org.jspecify.annotations.NullMarked;

/**
 * Random lives of jobs on an in-memory API server, in virtual time: the Kubernetes substrate under faults, each life
 * from its seed.
 */
@NullMarked
package dev.edl.k8s.lives;

import org.jspecify.annotations.NullMarked;

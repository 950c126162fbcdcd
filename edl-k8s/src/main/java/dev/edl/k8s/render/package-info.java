/** Plans as typed Kubernetes objects and as YAML; pure functions of a plan and of what only Kubernetes needs. */
@NullMarked
package dev.edl.k8s.render;

import org.jspecify.annotations.NullMarked;

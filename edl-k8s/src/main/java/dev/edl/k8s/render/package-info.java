/** Plans as typed Kubernetes objects and as YAML; pure functions of a plan and of what only Kubernetes needs. Start at {@link dev.edl.k8s.render.PodTemplates} for typed pods, at {@link dev.edl.k8s.render.Manifests} for YAML. */
@NullMarked
package dev.edl.k8s.render;

import org.jspecify.annotations.NullMarked;

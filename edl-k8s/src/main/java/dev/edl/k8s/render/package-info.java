/**
 * Renders plans as typed Kubernetes objects and as YAML, by pure functions.
 *
 * <p>Start at {@link dev.edl.k8s.render.PodTemplates} for typed pods, and at {@link dev.edl.k8s.render.Manifests} for
 * YAML.
 */
@NullMarked
package dev.edl.k8s.render;

import org.jspecify.annotations.NullMarked;

package dev.edl.k8s.render.internal.profiles;

import java.util.Map;
import java.util.Optional;

/**
 * Options that only some profiles have.
 *
 * @param tfImage image of a TfJob's default parameter servers and of its TensorBoard
 * @param kubexec whether a TrainingJob's launcher reaches its workers by kubectl instead of ssh
 * @param sshKeys files with the ssh keys of a TrainingJob's launcher, by name; empty for none
 */
public record ProfileOptions(Optional<String> tfImage, boolean kubexec, Map<String, String> sshKeys) {}

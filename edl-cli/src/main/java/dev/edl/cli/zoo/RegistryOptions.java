package dev.edl.cli.zoo;

import dev.edl.image.ProgramImage;
import picocli.CommandLine.Option;

/** Flags for the registries of an image and of its base. */
final class RegistryOptions {
    @Option(
            names = "--allow-insecure-registry",
            description = "Allows registries without TLS, or with a certificate that this Java does not trust.")
    private boolean insecure;

    /** Returns the image of a program. */
    ProgramImage image(BuiltProgram program) {
        ProgramImage.Builder image = program.image();
        return (insecure ? image.allowInsecureRegistry() : image).build();
    }
}

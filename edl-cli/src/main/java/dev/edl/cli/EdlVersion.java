package dev.edl.cli;

import picocli.CommandLine.IVersionProvider;

/** Version of the program, from the manifest of its jar. */
final class EdlVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = EdlVersion.class.getPackage().getImplementationVersion();
        return new String[] {"edl " + (version == null ? "(built from source)" : version)};
    }
}

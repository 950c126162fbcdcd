package dev.edl.conformance;

import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/** Mounts this machine's Java into pods, and this program's class path as the folder of jars of an image. */
public final class HostJava {
    private HostJava() {}

    public static Deployment in(Deployment deployment) throws IOException {
        List<String> folders = new ArrayList<>(List.of("/lib", "/lib64", "/usr/lib", "/etc/ssl"));
        try (Stream<Path> files = Files.list(Path.of("/etc"))) {
            files.map(Path::toString)
                    .filter(name -> name.startsWith("/etc/java"))
                    .forEach(folders::add);
        }
        Path java = Path.of(System.getProperty("java.home"));
        if (!java.startsWith("/usr/lib")) {
            folders.add(java.toString());
        }
        folders.removeIf(folder -> !Files.isDirectory(Path.of(folder)));
        PodSpecBuilder pod =
                new PodSpecBuilder(deployment.getSpec().getTemplate().getSpec());
        ContainerBuilder container = new ContainerBuilder(pod.buildContainers().get(0));
        mount(pod, container, jars().toString(), "/edl");
        for (String folder : folders) {
            mount(pod, container, folder, folder);
        }
        List<String> command = new ArrayList<>(container.getCommand());
        command.set(0, java + "/bin/java");
        command.addAll(1, List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        container.withCommand(command);
        pod.withContainers(container.build());
        return deployment
                .edit()
                .editSpec()
                .editTemplate()
                .withSpec(pod.build())
                .endTemplate()
                .endSpec()
                .build();
    }

    private static void mount(PodSpecBuilder pod, ContainerBuilder container, String host, String path) {
        String name = "host" + path.replaceAll("[^a-z0-9]", "-");
        pod.addNewVolume()
                .withName(name)
                .withNewHostPath()
                .withPath(host)
                .endHostPath()
                .endVolume();
        container
                .addNewVolumeMount()
                .withName(name)
                .withMountPath(path)
                .withReadOnly(true)
                .endVolumeMount();
    }

    private static Path jars() throws IOException {
        Path folder = Files.createTempDirectory("edl-jars");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        folder.toFile().deleteOnExit();
        int number = 0;
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(entry);
            Path jar = folder.resolve(number++ + ".jar");
            if (entry.matches(".*(nd4j|javacpp|openblas).*") || !Files.exists(path)) {
                continue;
            }
            if (Files.isDirectory(path)) {
                pack(path, jar);
            } else {
                Files.copy(path, jar);
            }
            Files.setPosixFilePermissions(jar, PosixFilePermissions.fromString("rw-r--r--"));
            jar.toFile().deleteOnExit();
        }
        return folder;
    }

    private static void pack(Path folder, Path jar) throws IOException {
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream packed = new JarOutputStream(out);
                Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                packed.putNextEntry(new JarEntry(folder.relativize(file).toString()));
                Files.copy(file, packed);
                packed.closeEntry();
            }
        }
    }
}

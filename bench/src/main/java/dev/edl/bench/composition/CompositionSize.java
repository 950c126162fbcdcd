package dev.edl.bench.composition;

import dev.edl.bench.harness.Figure;
import dev.edl.bench.harness.Measurement;
import dev.edl.bench.harness.MeasurementSettings;
import dev.edl.bench.harness.PeerProcess;
import dev.edl.bench.harness.PeerSoftware;
import dev.edl.bench.harness.RoundRatios;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Size of the YAML of jobs of 5,000 replicas, each composed in a separate JVM.
 *
 * <p>{@code composition.bytes} is 64 KiB, the bound, over the bytes of the larger of an ElasticDL and an MXNet job.
 * {@code composition.same} is the share of JVMs that print the same bytes as a JVM with default settings; each has
 * another locale, time zone and file encoding. {@code composition.start.torchx} is the time of TorchX's process from
 * its start to its objects, over that of a JVM from its start until it has printed EDL's YAML and ended. It measures
 * whole processes, because a first call in a JVM mostly loads classes.
 */
public final class CompositionSize implements Measurement {
    private static final double BOUND = 64 * 1024;
    private static final List<List<String>> SURROUNDINGS = List.of(
            List.of("-Duser.language=en", "-Duser.country=US", "-Duser.timezone=UTC", "-Dfile.encoding=UTF-8"),
            List.of("-Duser.language=tr", "-Duser.country=TR", "-Duser.timezone=Asia/Kathmandu"),
            List.of("-Duser.language=ar", "-Duser.country=EG", "-Dfile.encoding=ISO-8859-1"),
            List.of("-Duser.language=hi", "-Duser.country=IN", "-Duser.timezone=America/St_Johns", "-Xint"));

    private final Figure bytes = new Figure("composition.bytes", 1, "64 KiB over the bytes of the YAML");
    private final Figure same = new Figure("composition.same", 1, "share of JVMs that give the same bytes");
    private final Figure start =
            new Figure("composition.start.torchx", 1, "TorchX's process to its objects over a JVM's to the YAML");

    @Override
    public List<Figure> figures() {
        return List.of(bytes, same, start);
    }

    @Override
    public RoundRatios measure(MeasurementSettings settings) throws IOException, InterruptedException {
        int replicas = settings.either(5000, 50);
        RoundRatios rounds = new RoundRatios();
        if (settings.wants(bytes) || settings.wants(same)) {
            int largest = 0;
            int equal = 0;
            for (String framework : List.of("elasticdl", "mxnet")) {
                byte[] first = yaml(framework, replicas, List.of());
                largest = Math.max(largest, first.length);
                rounds.note(bytes, framework + " " + first.length + " bytes");
                for (List<String> flags : SURROUNDINGS) {
                    equal += Arrays.equals(first, yaml(framework, replicas, flags)) ? 1 : 0;
                }
            }
            rounds.add(bytes, BOUND / largest).note(bytes, replicas + " replicas");
            rounds.add(same, equal / (2.0 * SURROUNDINGS.size()))
                    .note(same, 2 * SURROUNDINGS.size() + " JVMs with other locales, time zones and encodings");
        }
        if (settings.wants(start)) {
            for (int i = 0; i < settings.rounds(); i++) {
                long began = System.nanoTime();
                yaml("elasticdl", replicas, List.of());
                double us = (System.nanoTime() - began) / 1e6;
                began = System.nanoTime();
                String about = peer(settings, replicas);
                double them = (System.nanoTime() - began) / 1e6;
                rounds.add(start, them / us).side(start, "JVM %.0f ms", us).side(start, "TorchX %.0f ms", them);
                if (i == 0) {
                    rounds.note(start, about).note(start, replicas + " replicas");
                }
            }
        }
        return rounds;
    }

    private static String peer(MeasurementSettings settings, int replicas) throws IOException {
        try (PeerProcess peer =
                PeerProcess.start(PeerSoftware.TORCHX, settings.python().orElseThrow())) {
            String about = peer.ask("about");
            peer.ask(CompositionBenchmark.peer(replicas));
            peer.ask("objects 1");
            return about;
        }
    }

    private static byte[] yaml(String framework, int replicas, List<String> flags)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                CompositionBenchmark.class.getName(),
                framework,
                "" + replicas));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        process.getOutputStream().close();
        byte[] yaml = process.getInputStream().readAllBytes();
        int code = process.waitFor();
        if (code != 0 || yaml.length == 0) {
            throw new IOException(
                    "a JVM that composes ended with exit code " + code + " and " + yaml.length + " bytes");
        }
        return yaml;
    }
}

package dev.edl.notebook.jjava;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Notebook file.
 *
 * @param name the name of the file
 * @param cells the Java of each code cell, without the kernel's own lines
 * @param magics the kernel's own lines, such as {@code %maven dev.edl:edl-notebook:1.0}
 */
record Notebook(String name, List<String> cells, List<String> magics) {
    /** Returns all notebooks, by name. Modules are built in their own directory, or in that of the project. */
    static List<Notebook> all() throws IOException {
        List<Notebook> all = new ArrayList<>();
        Path folder = Path.of(Files.exists(Path.of("src")) ? "../edl-examples/notebooks" : "edl-examples/notebooks");
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.ipynb")) {
            for (Path file : files) {
                all.add(of(file.getFileName().toString(), Files.readString(file)));
            }
        }
        all.sort(Comparator.comparing(Notebook::name));
        return all;
    }

    static Notebook of(String name, String json) throws IOException {
        List<String> cells = new ArrayList<>();
        List<String> magics = new ArrayList<>();
        for (JsonNode cell : new ObjectMapper().readTree(json).path("cells")) {
            if (cell.path("cell_type").asText().equals("code")) {
                StringBuilder java = new StringBuilder();
                for (String line : source(cell.path("source")).lines().toList()) {
                    if (line.startsWith("%")) {
                        magics.add(line.strip());
                    } else {
                        java.append(line).append('\n');
                    }
                }
                cells.add(java.toString());
            }
        }
        return new Notebook(name, cells, magics);
    }

    /** Returns the source of a cell, which is a text or a list of lines with their ends. */
    private static String source(JsonNode source) {
        StringBuilder text = new StringBuilder(source.asText());
        source.forEach(line -> text.append(line.asText()));
        return text.toString();
    }

    @Override
    public String toString() {
        return name;
    }
}

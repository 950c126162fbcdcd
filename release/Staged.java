import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Checks a staged Maven repository before its upload: {@code java release/Staged.java FOLDER [--dry]}. Prints a line for each defect:
 * the file, the defect, the rule's source. Exit code 1 if there is a defect. With {@code --dry}, a project's home that the owner has not
 * set yet is a line, and no defect.
 *
 * <p>Sources of the rules: "Central" is Maven Central's page "Requirements", followed by its section; "Maven" is Apache Maven's guide
 * "Uploading artifacts to the Central Repository" or its introduction to dependencies; "EDL" is docs/releasing.md. Signatures are
 * verified by {@code gpg} with the keys of {@code GNUPGHOME}.
 */
final class Staged {
    private static final List<String> CHECKSUMS = List.of("md5", "sha1", "sha256", "sha512");
    private static final String SOURCES = "Central, Supply Javadoc and Sources";
    private static final String COORDINATES = "Central, Correct Coordinates";

    private final Path root;
    private final boolean dry;
    private final Map<String, Element> poms = new TreeMap<>();
    private final List<String> defects = new ArrayList<>();

    private Staged(Path root, boolean dry) {
        this.root = root;
        this.dry = dry;
    }

    public static void main(String[] args) throws Exception {
        boolean dry = args.length == 2 && args[1].equals("--dry");
        if (args.length != (dry ? 2 : 1) || !Files.isDirectory(Path.of(args[0]))) {
            System.err.println("Staged: expected a staged folder, and at most --dry, was \"" + String.join(" ", args)
                    + "\"; for example java release/Staged.java target/staged");
            System.exit(2);
        }
        Staged staged = new Staged(Path.of(args[0]), dry);
        int files = staged.check();
        staged.defects.forEach(System.out::println);
        System.out.println("Staged: " + staged.poms.size() + " components, " + files + " files, " + staged.defects.size() + " defects");
        System.exit(staged.defects.isEmpty() ? 0 : 1);
    }

    private void defect(Path file, String what, String source) {
        defects.add(root.relativize(file) + ": " + what + " (" + source + ")");
    }

    private int check() throws Exception {
        List<Path> files;
        try (Stream<Path> all = Files.walk(root)) {
            files = all.filter(Files::isRegularFile).sorted().toList();
        }
        for (Path file : files) {
            if (file.toString().endsWith(".pom")) {
                Element pom = read(file);
                poms.put(coordinates(pom), pom);
                component(file, pom);
            }
        }
        if (poms.isEmpty()) {
            defect(root, "there is no .pom; a component is GROUP/ARTIFACT/VERSION/ARTIFACT-VERSION.pom", COORDINATES);
        }
        for (Path file : files) {
            if (file.toString().endsWith(".pom")) {
                metadata(file, read(file));
            }
            if (!isSeal(file)) {
                place(file);
                sealed(file);
            }
        }
        return files.size();
    }

    /** Checks the files that a component of this POM must have, and the POM's place. */
    private void component(Path file, Element pom) throws IOException {
        Path folder = file.getParent();
        String base = text(pom, "artifactId") + "-" + own(pom, "version");
        Path expected = root.resolve(own(pom, "groupId").replace('.', '/')).resolve(text(pom, "artifactId")).resolve(own(pom, "version"));
        if (!folder.equals(expected) || !file.getFileName().toString().equals(base + ".pom")) {
            defect(file, "the POM is " + coordinates(pom) + ", which belongs to " + root.relativize(expected), COORDINATES);
        }
        if (own(pom, "version").endsWith("-SNAPSHOT")) {
            defect(file, "version \"" + own(pom, "version") + "\" is a snapshot, must be a release; for example 0.1.0", COORDINATES);
        }
        if (!Files.exists(folder.resolve(base + "-cyclonedx.json")) && !text(pom, "artifactId").endsWith("-bom")) {
            defect(folder.resolve(base + "-cyclonedx.json"), "the SBOM is missing", "EDL");
        }
        if (!text(pom, "packaging").isEmpty() && !text(pom, "packaging").equals("jar")) {
            return;
        }
        entries(folder.resolve(base + ".jar"), SOURCES, ".class", "META-INF/LICENSE", "META-INF/THIRD-PARTY.txt");
        entries(folder.resolve(base + "-sources.jar"), SOURCES, ".java");
        entries(folder.resolve(base + "-javadoc.jar"), SOURCES, "index.html", "package-summary.html");
        Path jar = folder.resolve(base + ".jar");
        if (Files.exists(jar)) {
            try (JarFile open = new JarFile(jar.toFile())) {
                if (open.getManifest() == null || open.getManifest().getMainAttributes().getValue("Automatic-Module-Name") == null) {
                    defect(jar, "its manifest has no Automatic-Module-Name", "EDL");
                }
            }
        }
    }

    /** Checks that a jar exists and has, for each ending, an entry with that ending. */
    private void entries(Path jar, String source, String... endings) throws IOException {
        if (!Files.exists(jar)) {
            defect(jar, "the file is missing", source);
            return;
        }
        try (JarFile open = new JarFile(jar.toFile())) {
            for (String ending : endings) {
                if (open.stream().noneMatch(entry -> entry.getName().endsWith(ending))) {
                    defect(jar, "the jar has no entry \"…" + ending + "\", so it is empty or incomplete", "EDL");
                }
            }
        }
    }

    /** Checks fields and dependencies of a POM, with those it inherits from parents in the folder. */
    private void metadata(Path file, Element pom) {
        List<Element> line = new ArrayList<>();
        for (Optional<Element> next = Optional.of(pom); next.isPresent(); next = parent(file, next.get())) {
            line.add(next.get());
        }
        field(file, List.of(pom), "Project Name, Description and URL", "name");
        field(file, List.of(pom), "Project Name, Description and URL", "description");
        field(file, line, "Project Name, Description and URL", "url");
        field(file, line, "License Information", "licenses", "license", "name");
        field(file, line, "License Information", "licenses", "license", "url");
        field(file, line, "Developer Information", "developers", "developer", "name");
        field(file, line, "SCM Information", "scm", "connection");
        field(file, line, "SCM Information", "scm", "developerConnection");
        field(file, line, "SCM Information", "scm", "url");
        home(file, pom);
        for (String forbidden : List.of("repositories", "pluginRepositories")) {
            if (pom.getElementsByTagName(forbidden).getLength() > 0) {
                defect(file, "<" + forbidden + "> sends the builds of users elsewhere; remove it", "Maven, FAQ on other repositories");
            }
        }
        for (String list : List.of("dependency", "plugin", "path")) {
            for (Element used : all(pom, list)) {
                dependency(file, line, used);
            }
        }
    }

    /** Checks the property that the fields of the project's home refer to, in the POM that declares it. */
    private void home(Path file, Element pom) {
        String home = text(pom, "properties", "edl.home");
        if (!home.contains(".invalid")) {
            return;
        }
        String what = "the project's home is \"" + home + "\"; its owner must set <edl.home>, for example https://git.example.org/acme/edl";
        if (dry) {
            System.out.println(root.relativize(file) + ": " + what + " (not checked in a dry run)");
        } else {
            defect(file, what, "Central, Project Name, Description and URL");
        }
    }

    private void dependency(Path file, List<Element> line, Element used) {
        String name = text(used, "groupId") + ":" + text(used, "artifactId");
        String version = resolved(text(used, "version"), line);
        if (version.endsWith("-SNAPSHOT")) {
            defect(file, "dependency " + name + " has the snapshot version \"" + version + "\"", "Maven, Requirements, releases");
        }
        if (text(used, "scope").equals("system") || !text(used, "systemPath").isEmpty()) {
            defect(file, "dependency " + name + " has scope system, a file that users do not have", "Maven, Dependency Mechanism, System Dependencies");
        }
    }

    /** Returns a version in which properties of the POM and its parents are replaced by their values. */
    private static String resolved(String version, List<Element> line) {
        if (!version.startsWith("${") || !version.endsWith("}")) {
            return version;
        }
        String name = version.substring(2, version.length() - 1);
        if (name.equals("project.version")) {
            return own(line.get(0), "version");
        }
        return line.stream().map(pom -> text(pom, "properties", name)).filter(value -> !value.isEmpty()).findFirst().orElse(version);
    }

    private Optional<Element> parent(Path file, Element pom) {
        Optional<Element> parent = children(pom, "parent").findFirst();
        if (parent.isEmpty()) {
            return parent;
        }
        Element found = poms.get(coordinates(parent.get()));
        if (found == null) {
            defect(file, "parent " + coordinates(parent.get()) + " is not in the folder", COORDINATES);
        }
        return Optional.ofNullable(found);
    }

    private void field(Path file, List<Element> line, String section, String... path) {
        if (line.stream().allMatch(pom -> text(pom, path).isEmpty())) {
            defect(file, "the POM has no <" + String.join("><", path) + ">", "Central, " + section);
        }
    }

    /** Checks that a file belongs to a component, and is not a jar of tests. */
    private void place(Path file) {
        String version = file.getParent().getFileName().toString();
        Path artifact = file.getParent().getParent();
        String base = (artifact == null ? "" : artifact.getFileName()) + "-" + version;
        String name = file.getFileName().toString();
        if (!name.startsWith(base) || name.startsWith(base + "-tests.")) {
            defect(file, "the file belongs to no component; remove it", "EDL");
        }
    }

    private static boolean isSeal(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(".asc") || CHECKSUMS.stream().anyMatch(kind -> name.endsWith("." + kind));
    }

    /** Checks checksums and the signature of a file. */
    private void sealed(Path file) throws Exception {
        for (String kind : CHECKSUMS) {
            Path checksum = beside(file, kind);
            if (Files.exists(checksum)) {
                String expected = digest(file, kind);
                String found = Files.readString(checksum).strip();
                if (!found.equals(expected)) {
                    defect(checksum, "the checksum is \"" + found + "\", must be " + expected, "Central, Provide File Checksums");
                }
            } else if (kind.equals("md5") || kind.equals("sha1")) {
                defect(checksum, "the checksum is missing", "Central, Provide File Checksums");
            }
        }
        Path signature = beside(file, "asc");
        if (!Files.exists(signature)) {
            defect(signature, "the signature is missing", "Central, Sign Files with GPG/PGP");
        } else if (!verifies(signature, file)) {
            defect(signature, "the signature does not verify", "Central, Sign Files with GPG/PGP");
        }
    }

    private static boolean verifies(Path signature, Path file) throws IOException, InterruptedException {
        Process gpg = new ProcessBuilder("gpg", "--batch", "--quiet", "--verify", signature.toString(), file.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!gpg.waitFor(1, TimeUnit.MINUTES)) {
            gpg.destroyForcibly();
            throw new IOException("gpg --verify " + signature + " has not ended within 1m");
        }
        return gpg.exitValue() == 0;
    }

    private static String digest(Path file, String kind) throws IOException, GeneralSecurityException {
        String name = kind.equals("md5") ? "MD5" : kind.replace("sha", "SHA-");
        return HexFormat.of().formatHex(MessageDigest.getInstance(name).digest(Files.readAllBytes(file)));
    }

    private static Path beside(Path file, String ending) {
        return file.resolveSibling(file.getFileName() + "." + ending);
    }

    private static Element read(Path file) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        try (InputStream in = Files.newInputStream(file)) {
            return factory.newDocumentBuilder().parse(in).getDocumentElement();
        }
    }

    private static String coordinates(Element pom) {
        return own(pom, "groupId") + ":" + text(pom, "artifactId") + ":" + own(pom, "version");
    }

    /** Returns group or version, which a POM inherits from its parent if it has none. */
    private static String own(Element pom, String field) {
        String own = text(pom, field);
        return own.isEmpty() ? text(pom, "parent", field) : own;
    }

    /** Returns the stripped text of the first element at a path of direct children; empty if there is none. */
    private static String text(Element from, String... path) {
        Stream<Element> found = Stream.of(from);
        for (String name : path) {
            found = found.flatMap(element -> children(element, name));
        }
        return found.map(element -> element.getTextContent().strip()).findFirst().orElse("");
    }

    private static Stream<Element> children(Element of, String name) {
        return nodes(of.getChildNodes()).filter(child -> child.getNodeName().equals(name)).map(Element.class::cast);
    }

    private static List<Element> all(Element of, String name) {
        return nodes(of.getElementsByTagName(name)).map(Element.class::cast).filter(e -> !text(e, "artifactId").isEmpty()).toList();
    }

    private static Stream<Node> nodes(org.w3c.dom.NodeList list) {
        return IntStream.range(0, list.getLength()).mapToObj(list::item);
    }
}

import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.text.TextContentRenderer;

/**
 * Writes Markdown pages beside Javadoc, and checks all links: {@code java -cp 'LIB/*' release/Site.java TREE SITE PAGE...}. The Javadoc is
 * in {@code SITE/api}. A page {@code docs/a.md} becomes {@code docs/a.html}, the README {@code index.html}. A folder with pages gets a
 * list of them. The name of a public type in a page, such as {@code Job}, links to its Javadoc. Prints a line for each broken link inside
 * the site; exit code 1 if there is one.
 */
final class Site {
    private static final Pattern LINK = Pattern.compile("<[a-zA-Z][^>]*?\\s(?:href|src)=\"([^\"]*)\"");
    private static final Pattern ANCHOR = Pattern.compile("<[a-zA-Z][^>]*?\\s(?:id|name)=\"([^\"]*)\"");

    private final Path tree;
    private final Path site;
    /** Javadoc pages by the types' simple names; null if several types have the name. */
    private final Map<String, Path> types = new HashMap<>();

    private Site(Path tree, Path site) {
        this.tree = tree;
        this.site = site;
    }

    public static void main(String[] args) throws IOException {
        Site site = new Site(Path.of(args[0]).toAbsolutePath(), Path.of(args[1]).toAbsolutePath());
        for (Path page : site.files("api/dev")) {
            String name = page.getFileName().toString().replace(".html", "");
            if (Character.isUpperCase(name.charAt(0)) && !page.toString().contains("class-use")) {
                site.types.merge(name.substring(name.lastIndexOf('.') + 1), page, (one, another) -> null);
            }
        }
        Map<Path, Map<String, String>> folders = new TreeMap<>();
        for (String page : List.of(args).subList(2, args.length)) {
            Path to = html(Path.of(page));
            String title = site.page(Path.of(page), to);
            for (Path in = to.getParent(); in != null; in = in.getParent()) {
                folders.computeIfAbsent(in, key -> new TreeMap<>()).put(in.relativize(to).toString(), title);
                to = in.resolve("index.html");
                title = in.getFileName().toString();
            }
        }
        for (Map.Entry<Path, Map<String, String>> folder : folders.entrySet()) {
            StringBuilder list = new StringBuilder("<h1>" + folder.getKey() + "</h1>\n<ul>\n");
            folder.getValue().forEach((page, title) -> list.append("<li><a href=\"" + page + "\">" + title + "</a></li>\n"));
            site.write(folder.getKey().resolve("index.html"), folder.getKey().toString(), list + "</ul>\n");
        }
        Set<String> broken = site.broken();
        broken.forEach(System.out::println);
        System.out.println("Site: " + (args.length - 2) + " pages, " + site.files("api").size() + " pages of Javadoc, " + broken.size()
                + " broken links");
        System.exit(broken.isEmpty() ? 0 : 1);
    }

    private List<Path> files(String below) throws IOException {
        try (Stream<Path> all = Files.walk(site.resolve(below))) {
            return all.filter(file -> file.toString().endsWith(".html")).toList();
        }
    }

    private static Path html(Path page) {
        return Path.of(page.toString().equals("README.md") ? "index.html" : page.toString().replaceFirst("\\.md$", ".html"));
    }

    private String relative(Path from, Path to) {
        return site.resolve(from).getParent().relativize(to).toString();
    }

    /** Writes a page; returns its title as HTML. */
    private String page(Path from, Path to) throws IOException {
        var extensions = List.of(TablesExtension.create(), HeadingAnchorExtension.create());
        Node document = Parser.builder().extensions(extensions).build().parse(Files.readString(tree.resolve(from)));
        Set<Path> copied = new HashSet<>();
        StringBuilder title = new StringBuilder();
        document.accept(new AbstractVisitor() {
            @Override
            public void visit(Heading heading) {
                if (title.isEmpty()) {
                    title.append(TextContentRenderer.builder().build().render(heading).strip());
                }
                visitChildren(heading);
            }

            @Override
            public void visit(Link link) {
                // Its children stay as they are: no link is inside a link.
                link.setDestination(destination(link.getDestination()));
            }

            @Override
            public void visit(Image image) {
                image.setDestination(destination(image.getDestination()));
            }

            @Override
            public void visit(Code code) {
                Path type = types.get(code.getLiteral());
                if (type != null) {
                    Link link = new Link(relative(to, type), null);
                    code.insertBefore(link);
                    link.appendChild(code);
                }
            }

            private String destination(String given) {
                String path = given.replaceFirst("#.*", "");
                if (path.isEmpty() || URI.create(given).isAbsolute()) {
                    return given;
                }
                Path target = Path.of(".").resolve(from).resolveSibling(path).normalize();
                if (Files.isDirectory(tree.resolve(target))) {
                    return path + "/index.html";
                }
                if (path.endsWith(".md")) {
                    return relative(to, site.resolve(html(target))) + given.substring(path.length());
                }
                copied.add(target);
                return given;
            }
        });
        for (Path file : copied) {
            Files.createDirectories(site.resolve(file).getParent());
            Files.copy(tree.resolve(file), site.resolve(file), StandardCopyOption.REPLACE_EXISTING);
        }
        String escaped = HtmlRenderer.builder().build().render(new Text(title.toString()));
        write(to, escaped, HtmlRenderer.builder().extensions(extensions).build().render(document));
        return escaped;
    }

    private void write(Path to, String title, String body) throws IOException {
        String root = "../".repeat(to.getNameCount() - 1);
        Files.createDirectories(site.resolve(to).getParent());
        Files.writeString(site.resolve(to), """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="UTF-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>TITLE</title>
                <link rel="stylesheet" href="ROOTpages.css">
                </head>
                <body>
                <nav><a href="ROOTindex.html">EDL</a> <a href="ROOTdocs/index.html">Pages</a> <a href="ROOTapi/index.html">Javadoc</a></nav>
                <main>
                """.replace("TITLE", title).replace("ROOT", root) + body + "</main>\n</body>\n</html>\n");
    }

    /** Returns a line for each link whose file or anchor does not exist. */
    private Set<String> broken() throws IOException {
        Map<Path, Set<String>> anchors = new HashMap<>();
        Map<Path, String> texts = new TreeMap<>();
        for (Path file : files("")) {
            String text = Files.readString(file);
            texts.put(file, text);
            anchors.put(file, ANCHOR.matcher(text).results().map(found -> unescaped(found.group(1))).collect(Collectors.toSet()));
        }
        Set<String> broken = new TreeSet<>();
        for (Map.Entry<Path, String> page : texts.entrySet()) {
            Matcher links = LINK.matcher(page.getValue());
            while (links.find()) {
                String link = unescaped(links.group(1));
                // Javadoc's list of constants links to an anchor that JDK 17 does not write.
                if (link.matches("(https?|mailto|javascript):.*") || link.equals("#dev.edl") && page.getKey().endsWith("constant-values.html")) {
                    continue;
                }
                String[] parts = link.split("#", 2);
                Path target = parts[0].isEmpty() ? page.getKey() : page.getKey().resolveSibling(parts[0]).normalize();
                boolean there = target.startsWith(site) && Files.isRegularFile(target);
                if (!there || parts.length == 2 && !parts[1].isEmpty() && !anchors.getOrDefault(target, Set.of()).contains(parts[1])) {
                    broken.add(site.relativize(page.getKey()) + ": \"" + link + "\" leads to no " + (there ? "anchor" : "file"));
                }
            }
        }
        return broken;
    }

    private static String unescaped(String attribute) {
        return URLDecoder.decode(attribute.replace("+", "%2B").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"),
                StandardCharsets.UTF_8);
    }
}

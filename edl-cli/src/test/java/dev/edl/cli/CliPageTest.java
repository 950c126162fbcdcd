package dev.edl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** docs/cli.md has the help of each command. */
class CliPageTest {
    private static final Path PAGE = Path.of("../docs/cli.md");
    private static final String MARK = "<!-- The rest of this page is the commands' own help. -->\n";

    @Test
    void the_page_has_the_help_of_each_command() throws IOException {
        String page = Files.readString(PAGE);
        String wanted = page.substring(0, page.indexOf(MARK) + MARK.length()) + help();
        Path written = Files.writeString(Path.of("target", "cli.md"), wanted);

        assertThat(page).describedAs("copy edl-cli/%s to docs/cli.md", written).isEqualTo(wanted);
    }

    @Test
    void no_line_of_a_help_is_wider_than_a_terminal() {
        assertThat(help().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    private static String help() {
        StringBuilder text = new StringBuilder();
        add(text, EdlCommand.line());
        return text.toString();
    }

    private static void add(StringBuilder text, CommandLine line) {
        String name = line.getCommandSpec().qualifiedName();
        text.append("\n## ").append(name).append("\n\n```\n");
        text.append(line.setUsageHelpAutoWidth(false).getUsageMessage(Ansi.OFF).replace("\r\n", "\n"));
        text.append("```\n");
        for (Map.Entry<String, CommandLine> each : line.getSubcommands().entrySet()) {
            if (!each.getValue().getCommandSpec().usageMessage().hidden()) {
                add(text, each.getValue());
            }
        }
    }
}

package dev.edl.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Result of a run of program {@code edl}. */
public record Edl(int code, String out, String err) {
    public static Edl run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = EdlCommand.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
        return new Edl(code, out.toString(), err.toString());
    }
}

package dev.edl.notebook.jjava;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.dflib.jjava.jupyter.kernel.BaseKernel;
import org.dflib.jjava.jupyter.kernel.JupyterIO;
import org.dflib.jjava.jupyter.kernel.ReplacementOptions;
import org.dflib.jjava.jupyter.kernel.comm.CommManager;
import org.dflib.jjava.jupyter.kernel.display.DisplayData;
import org.dflib.jjava.jupyter.kernel.display.Renderer;
import org.dflib.jjava.jupyter.kernel.util.StringStyler;

/** Kernel without a connection: JJava's own renderer, a hook for code, and recorded output. */
final class RecordedKernel extends BaseKernel {
    private final Consumer<String> code;
    private final List<DisplayData> shown = new ArrayList<>();

    RecordedKernel(Renderer with, Consumer<String> code) {
        super(
                "java",
                "1",
                null,
                List.of(),
                null,
                new JupyterIO(StandardCharsets.UTF_8),
                new CommManager(),
                with,
                null,
                null,
                true,
                new StringStyler("", "", "", line -> ""));
        this.code = code;
    }

    /** Returns what EDL's extension evaluates in a notebook before the first cell: its imports. */
    static List<String> imports() {
        List<String> evaluated = new ArrayList<>();
        new NotebookExtension().install(new RecordedKernel(new Renderer(), evaluated::add));
        return evaluated;
    }

    List<DisplayData> shown() {
        return shown;
    }

    /** Clears the interrupt flag, as JeroMQ's sockets do. */
    @Override
    public void display(DisplayData data) {
        Thread.interrupted();
        shown.add(data);
    }

    @Override
    public Object evalRaw(String text) {
        code.accept(text);
        return "";
    }

    @Override
    public DisplayData inspect(String text, int at, boolean extra) {
        return DisplayData.EMPTY;
    }

    @Override
    public ReplacementOptions complete(String text, int at) {
        return new ReplacementOptions(List.of(), at, at);
    }

    @Override
    public String isComplete(String text) {
        return IS_COMPLETE_YES;
    }
}

package dev.edl.notebook.jjava;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.dflib.jjava.jupyter.kernel.BaseKernel;
import org.dflib.jjava.jupyter.kernel.JupyterIO;
import org.dflib.jjava.jupyter.kernel.ReplacementOptions;
import org.dflib.jjava.jupyter.kernel.comm.CommManager;
import org.dflib.jjava.jupyter.kernel.display.DisplayData;
import org.dflib.jjava.jupyter.kernel.display.Renderer;
import org.dflib.jjava.jupyter.kernel.util.StringStyler;

/** A kernel without a connection, which keeps what an extension evaluates. */
final class RecordedKernel extends BaseKernel {
    private final List<String> evaluated = new ArrayList<>();

    private RecordedKernel() {
        super(
                "java",
                "1",
                null,
                List.of(),
                null,
                new JupyterIO(StandardCharsets.UTF_8),
                new CommManager(),
                new Renderer(),
                null,
                null,
                true,
                new StringStyler("", "", "", line -> ""));
    }

    /** Returns what EDL's extension evaluates in a notebook before the first cell: its imports. */
    static List<String> imports() {
        RecordedKernel kernel = new RecordedKernel();
        new NotebookExtension().install(kernel);
        return List.copyOf(kernel.evaluated);
    }

    @Override
    public Object evalRaw(String text) {
        evaluated.add(text);
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

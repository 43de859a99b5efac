/** Generates a parser from a grammar, so many times: Parsers FOLDER GRAMMAR TIMES. */
public final class Parsers {
    public static void main(String[] arguments) throws Exception {
        int times = Integer.parseInt(arguments[2]);
        for (int time = 0; time < times; time++) {
            String[] words = {"-OUTPUT_DIRECTORY=" + arguments[0], arguments[1]};
            if (org.javacc.parser.Main.mainProgram(words) != 0) {
                throw new AssertionError("no parser from " + arguments[1]);
            }
        }
    }
}

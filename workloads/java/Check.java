import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntBinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Features of a Java machine, one after another, each with its answer checked: Check ROUNDS. */
public final class Check {
    interface Shape {
        double area();
    }

    record Circle(double radius) implements Shape {
        public double area() {
            return Math.PI * radius * radius;
        }
    }

    record Rectangle(double width, double height) implements Shape {
        public double area() {
            return width * height;
        }
    }

    static final class Broken extends Exception {
        final int depth;

        Broken(int depth) {
            super("broken at " + depth);
            this.depth = depth;
        }
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    private static void arrays(int round) {
        int[][] matrix = new int[24][];
        for (int row = 0; row < matrix.length; row++) {
            matrix[row] = new int[row + 1];
            Arrays.fill(matrix[row], row + round);
        }
        long sum = 0;
        for (int[] row : matrix) {
            sum += Arrays.stream(row).sum();
        }
        require(sum == IntStream.range(0, 24).mapToLong(r -> (long) (r + 1) * (r + round)).sum(), "arrays");
        Object made = Array.newInstance(String.class, 3);
        Array.set(made, 1, "one");
        require("one".equals(((String[]) made)[1]), "reflected array");
    }

    private static void strings(int round) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 60; i++) {
            text.append(i * round).append(i % 7 == 0 ? ';' : ',');
        }
        int words = 0;
        for (String part : text.toString().split("[,;]")) {
            words += part.isEmpty() ? 0 : 1;
        }
        require(words == 60, "split");
        require(String.format("%05d|%s", round, "x").endsWith("|x"), "format");
    }

    private static void calls(int round) {
        List<Shape> shapes = new ArrayList<>();
        for (int i = 1; i <= 40; i++) {
            shapes.add(i % 2 == 0 ? new Circle(i) : new Rectangle(i, round));
        }
        double area = 0;
        for (Shape one : shapes) {
            area += one.area();
        }
        require(area > 0, "virtual calls");
        IntBinaryOperator add = (a, b) -> a + b + round;
        require(add.applyAsInt(1, 2) == 3 + round, "closure");
    }

    private static int fail(int depth) throws Broken {
        if (depth == 0) {
            throw new Broken(0);
        }
        try {
            return fail(depth - 1) + 1;
        } catch (Broken broken) {
            throw new Broken(broken.depth + 1);
        }
    }

    private static void exceptions() {
        try {
            fail(12);
            require(false, "nothing was thrown");
        } catch (Broken broken) {
            require(broken.depth == 12, "depth");
        }
        try {
            Object text = "text";
            require((Integer) text == 0, "cast");
        } catch (ClassCastException expected) {
            return;
        }
        require(false, "a wrong cast went through");
    }

    private static void collections(int round) {
        Map<String, Integer> table = new HashMap<>();
        TreeMap<Integer, String> sorted = new TreeMap<>();
        ArrayDeque<Long> queue = new ArrayDeque<>();
        for (int i = 0; i < 150; i++) {
            table.merge("key" + i % 50, i, Integer::sum);
            sorted.put(i * 31 % 149, "value" + i);
            queue.add((long) i * round);
            if (queue.size() > 20) {
                queue.remove();
            }
        }
        require(table.size() == 50 && queue.size() == 20, "collections");
        String joined = sorted.values().stream().filter(v -> v.endsWith("7")).collect(Collectors.joining(","));
        require(!joined.isEmpty(), "stream");
    }

    private static void reflection() throws Exception {
        for (Method method : Check.class.getDeclaredMethods()) {
            if (method.getName().equals("answer")) {
                require((int) method.invoke(null, 6) == 42, "invoke");
                return;
            }
        }
        require(false, "no such method");
    }

    static int answer(int value) {
        return value * 7;
    }

    private static void threads(ExecutorService pool, int round) throws Exception {
        List<Callable<Integer>> work = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int part = i;
            work.add(() -> IntStream.rangeClosed(1, 20).boxed().map(n -> n * part + round).reduce(0, Integer::sum));
        }
        int sum = 0;
        for (Future<Integer> one : pool.invokeAll(work)) {
            sum += one.get();
        }
        require(sum == 210 * 28 + 8 * 20 * round, "threads");
    }

    public static void main(String[] arguments) throws Exception {
        int rounds = Integer.parseInt(arguments[0]);
        ExecutorService pool = Executors.newFixedThreadPool(2);
        for (int round = 1; round <= rounds; round++) {
            arrays(round);
            strings(round);
            calls(round);
            exceptions();
            collections(round);
            reflection();
            threads(pool, round);
        }
        pool.shutdown();
        System.out.println(rounds + " rounds, all as expected");
    }
}

package demo;

import java.util.*;
import java.util.function.*;

public class Main {
    enum Kind { A, B, C }
    interface Greets { default String greet(String n) { return n.isEmpty() ? "?" : "hi " + n; } }
    static class G implements Greets {}
    static int sw(String s) {
        switch (s) {
            case "one": return 1;
            case "two":
                System.out.println("two");
            case "three": return 3;
            default: return s.length() > 3 ? 4 : 5;
        }
    }
    static int sw2(int x) {
        int r = 0;
        switch (x) {
            case 1: r = 5; break;
            case 2: case 3: r = 6; break;
            case 100: r += 9;
            default: r++;
        }
        return r;
    }
    static String tc(String s) {
        try {
            int v = Integer.parseInt(s);
            if (v > 3 && v < 10 || v == 77) {
                return "mid";
            }
            return "other";
        } catch (NumberFormatException | NullPointerException e) {
            return "bad";
        } finally {
            System.out.print("");
        }
    }
    static synchronized int loop(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            if (i % 2 == 0) continue;
            synchronized (Main.class) {
                sum += i;
            }
        }
        do { sum--; } while (sum > 10);
        return sum;
    }
    static List<String> lam(List<String> in) {
        List<String> out = new ArrayList<>();
        in.stream()
            .filter(s -> s.length() > 1)
            .map(String::trim)
            .forEach(s -> {
                if (s.startsWith("x")) out.add(s);
                else out.add("n" + s);
            });
        return out;
    }
    static void thrower(boolean b) {
        if (b) throw new IllegalStateException("x");
        System.out.print("");
    }
    static int kind(Kind k) {
        switch (k) { case A: return 1; case B: return 2; default: return 3; }
    }
    static void res() throws Exception {
        try (java.io.StringReader r = new java.io.StringReader("a")) {
            r.read();
        }
    }
    static native void nat();
    static boolean and(boolean a, boolean b) { return a && b; }
    public static void main(String[] args) throws Exception {
        System.out.println(sw("one") + sw("two") + sw2(2) + tc("5") + tc("x") + loop(5));
        System.out.println(lam(Arrays.asList("xa", "b", "cc")));
        try { thrower(true); } catch (IllegalStateException e) { System.out.println(e); }
        System.out.println(kind(Kind.B) + new G().greet("me") + and(true, false));
        res();
        Supplier<Integer> s = () -> args.length;
        System.out.println(s.get());
    }
}

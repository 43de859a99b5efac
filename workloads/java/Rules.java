import org.evrete.KnowledgeService;
import org.evrete.api.Knowledge;
import org.evrete.api.StatefulSession;

/** An expert system: who is related to whom, derived by rules until nothing new follows. */
public final class Rules {
    public static final class Parent {
        public final int older;
        public final int younger;

        public Parent(int older, int younger) {
            this.older = older;
            this.younger = younger;
        }
    }

    public static final class Ancestor {
        public final int older;
        public final int younger;
        public final int steps;

        public Ancestor(int older, int younger, int steps) {
            this.older = older;
            this.younger = younger;
            this.steps = steps;
        }
    }

    public static void main(String[] arguments) {
        int families = Integer.parseInt(arguments[0]);
        KnowledgeService service = new KnowledgeService();
        Knowledge knowledge = service.newKnowledge()
                .builder()
                .newRule("a parent is an ancestor")
                .forEach("$p", Parent.class)
                .execute(c -> {
                    Parent p = c.get("$p");
                    c.insert(new Ancestor(p.older, p.younger, 1));
                })
                .newRule("an ancestor's parent is one")
                .forEach("$p", Parent.class, "$a", Ancestor.class)
                .where("$p.younger == $a.older")
                .execute(c -> {
                    Parent p = c.get("$p");
                    Ancestor a = c.get("$a");
                    c.insert(new Ancestor(p.older, a.younger, a.steps + 1));
                })
                .build();
        long steps = 0;
        for (int family = 0; family < families; family++) {
            StatefulSession session = knowledge.newStatefulSession();
            for (int person = 1; person < 31; person++) {
                session.insert(new Parent((person - 1) / 2 + family, person + family));
            }
            session.fire();
            long[] sum = {0};
            session.forEachFact(Ancestor.class, a -> sum[0] += a.steps);
            steps += sum[0];
            session.close();
        }
        service.shutdown();
        System.out.println("steps " + steps);
    }
}

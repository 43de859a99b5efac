import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Random;

/** An address book in a database in memory: added to, looked up, changed, sorted, deleted from. */
public final class Database {
    private static final String[] TOWNS = {"Athens", "Bergen", "Cadiz", "Delft", "Evora", "Fulda", "Genoa"};

    public static void main(String[] arguments) throws Exception {
        int operations = Integer.parseInt(arguments[0]);
        Random random = new Random(1);
        long found = 0;
        try (Connection base = DriverManager.getConnection("jdbc:h2:mem:book");
                Statement plain = base.createStatement()) {
            plain.execute("create table person(id int primary key, name varchar(40), town varchar(20), age int)");
            plain.execute("create index by_town on person(town)");
            try (PreparedStatement add = base.prepareStatement("insert into person values(?, ?, ?, ?)");
                    PreparedStatement change = base.prepareStatement("update person set age = age + 1 where id = ?");
                    PreparedStatement remove = base.prepareStatement("delete from person where id = ?");
                    PreparedStatement look = base.prepareStatement(
                            "select name, age from person where town = ? order by age, name limit 5")) {
                for (int number = 0; number < operations; number++) {
                    add.setInt(1, number);
                    add.setString(2, "name " + random.nextInt(10_000));
                    add.setString(3, TOWNS[random.nextInt(TOWNS.length)]);
                    add.setInt(4, random.nextInt(90));
                    add.executeUpdate();
                    change.setInt(1, random.nextInt(number + 1));
                    change.executeUpdate();
                    if (number % 3 == 0) {
                        remove.setInt(1, random.nextInt(number + 1));
                        remove.executeUpdate();
                    }
                    if (number % 20 == 0) {
                        look.setString(1, TOWNS[number / 20 % TOWNS.length]);
                        try (ResultSet rows = look.executeQuery()) {
                            while (rows.next()) {
                                found += rows.getString(1).length() + rows.getInt(2);
                            }
                        }
                    }
                }
            }
        }
        System.out.println("found " + found);
    }
}

package mpj;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class UserProgWrapperTest {
    private static final List<String> CALLS = new ArrayList<>();

    /** Sums up the ranks, in a loop of two functions. */
    static final class Summing {
        private int rounds;
        private final int[] sum = new int[1];

        @SuppressWarnings("unused") // no state: it must not be asked for
        private final transient Thread owner = Thread.currentThread();

        int func_0(String[] args) {
            CALLS.add("func_0 " + String.join(",", args) + " of " + MPJ.COMM_WORLD.Size());
            return 1;
        }

        int func_1() {
            CALLS.add("func_1");
            MPJ.COMM_WORLD.Allreduce(new int[] {++rounds}, 0, sum, 0, 1, MPJ.INT, MPJ.SUM);
            return rounds < 3 ? 1 : 7;
        }

        public int func_7() {
            CALLS.add("func_7 " + sum[0]);
            return -2; // as programs of 2005 have it
        }
    }

    static class Saved implements Serializable {
        private static final long serialVersionUID = 1L;

        int value = 1;

        int func_0() {
            return value;
        }
    }

    static final class Throwing {
        int func_0() {
            throw new IllegalStateException("of the program");
        }
    }

    @BeforeEach
    void forget() {
        CALLS.clear();
    }

    @Test
    void shouldRunTheFunctionsInTheOrderThatTheyName() {
        assertThatCode(() -> UserProgWrapper.main(new String[] {Summing.class.getName(), "a", "b"}))
                .doesNotThrowAnyException();
        assertThat(CALLS).containsExactly("func_0 a,b of 1", "func_1", "func_1", "func_1", "func_7 3");
        assertThat(MPJ.Initialized()).isFalse();
    }

    @Test
    void shouldTakeAndGiveBackTheFieldsOfAProgramThatIsNotSerializable() throws Throwable {
        Map<String, Supplier<?>> variables = new HashMap<>();
        UserFunctions before = UserFunctions.of(Summing.class.getName());
        before.register(variables::put);
        assertThat(variables).containsOnlyKeys(Summing.class.getName() + ".rounds", Summing.class.getName() + ".sum");
        UserFunctions after = UserFunctions.of(Summing.class.getName());
        after.restore(name -> name.endsWith("rounds") ? (Object) 5 : new int[] {42});
        after.call(7, new String[0]);
        assertThat(CALLS).containsExactly("func_7 42");
    }

    @Test
    void shouldTakeAndGiveBackTheObjectWhenItIsSerializable() throws Throwable {
        Map<String, Supplier<?>> variables = new HashMap<>();
        UserFunctions functions = UserFunctions.of(Saved.class.getName());
        functions.register(variables::put);
        assertThat(variables).hasSize(1);
        Saved saved = new Saved();
        saved.value = 17;
        functions.restore(name -> saved);
        assertThat(functions.call(0, new String[0])).isEqualTo(17);
        assertThat(variables.values().iterator().next().get())
                .as("the one that runs now")
                .isSameAs(saved);
    }

    @Test
    void shouldThrowWhatTheProgramThrows() {
        UserFunctions functions = UserFunctions.of(Throwing.class.getName());
        assertThatThrownBy(() -> functions.call(0, new String[0]))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("of the program");
    }

    @Test
    void shouldNameTheFunctionThatIsMissing() {
        UserFunctions functions = UserFunctions.of(Saved.class.getName());
        assertThatThrownBy(() -> functions.call(9, new String[0])).hasMessageContaining("func_9");
    }

    @Test
    void shouldSayHowItIsUsed() {
        for (String[] wrong : new String[][] {{}, {"-port"}, {"-port", "x", "P"}, {"-strange", "1", "P"}}) {
            assertThatThrownBy(() -> UserProgWrapper.main(wrong)).hasMessageContaining("-iptable");
        }
    }
}

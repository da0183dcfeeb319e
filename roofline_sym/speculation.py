"""Chapter 8, continued. Speculation: a small model drafts, the large one checks all of its tokens in one run."""

from sympy import Dummy, Sum

from roofline_sym.library import check, equation

#: Leviathan's examples: acceptance, tokens drafted, and the two factors printed for a draft that costs nothing.
PRINTED = [("0.6", 2, "1.53", "1.96"), ("0.7", 3, "1.58", "2.53"), ("0.8", 2, "1.23", "2.44"),
           ("0.8", 5, "1.63", "3.69"), ("0.9", 2, "1.11", "2.71"), ("0.9", 10, "1.60", "6.86")]  # fmt: skip


def _printed(column, **more):  # noqa: ANN202, ANN003 - a decorator like `check`
    def attach(body):  # noqa: ANN202 - likewise
        for rate, drafted, operations, speed in PRINTED:
            body = check(
                f"accepted {rate}, {drafted} drafted", acceptance_rate=rate, draft_length=drafted, **more,
                expect={"operations": operations, "speed": speed}[column], source="leviathan2023, table 1",
            )(body)  # fmt: skip
        return body

    return attach


@equation(r"\Omega", "", status="derived", source="leviathan2023, eq. 1", assumes=["independent_acceptance"])
@check("all accepted", acceptance_rate=1, draft_length=4, expect="5", within=0, note="one more than were drafted")
@check("none accepted", acceptance_rate=0, draft_length=4, expect="1", within=0)
def tokens_per_run(acceptance_rate, draft_length):
    """Tokens that one run of the target model yields: those accepted before the first refusal, and its own."""
    i = Dummy("i", integer=True)
    return Sum(acceptance_rate**i, (i, 0, draft_length))


@equation(r"\sigma_\text{spec}", "", status="derived", source="leviathan2023, theorem 3.8",
          assumes=["independent_acceptance", "idle_compute"])
@_printed("speed", draft_cost=0)
@check("T5-XXL, English to German, small draft", acceptance_rate="0.75", draft_length=7, draft_cost="0.02",
       expect="3.16", published="3.4", source="leviathan2023, table 2")
def speculative_speedup(tokens_per_run, draft_length, draft_cost):
    """By how much speculation shortens the time per token."""
    return tokens_per_run / (draft_length * draft_cost + 1)


@equation(r"\phi_\text{spec}", "", status="derived", source="leviathan2023, theorem 3.11",
          assumes=["independent_acceptance"])
@_printed("operations", draft_operations=0)
def speculation_operations(draft_length, draft_operations, tokens_per_run):
    """By how much speculation raises the operations per token: what is refused was computed for nothing."""
    return (draft_length * draft_operations + draft_length + 1) / tokens_per_run


@equation(r"T_\text{spec}", "s", status="definition", source="leviathan2023, theorem 3.8",
          assumes=["independent_acceptance", "idle_compute"],
          because="The speed-up is the time without speculation over this one, so that either names the other.")
@check("half of 20 ms", step_interval="20 ms", speculative_speedup=2, expect="10 ms", within=0)
def speculative_interval(step_interval, speculative_speedup):
    """Time between two tokens of a sequence with speculation."""
    return step_interval / speculative_speedup


@equation(r"n_\text{check}", "", status="definition", source="leviathan2023, algorithm 1",
          because="It counts what a run is given: the drafted tokens of each sequence, and the one that follows them.")
@check("three drafted for each of 64 sequences", batch_size=64, draft_length=3, expect="256", within=0)
def checked_tokens(batch_size, draft_length):
    """Tokens that one run of the target model checks: of each sequence those drafted, and one more."""
    return batch_size * (draft_length + 1)


@equation(r"S_\text{check}", "byte", status="definition", source="pope2022, §3.1",
          because="It names one vector of activations for each token of the run, in bytes.")
@check("a budget of 8192 tokens, one drafted for each", checked_tokens=8192, draft_length=1, hidden_size=8192,
       activation_bytes="2 byte", expect="134217728 byte", within=0,
       note="drafts are in the budget; nothing is multiplied by their number again")
def checked_message(checked_tokens, hidden_size, activation_bytes):
    """Activations between two operators of such a run."""
    return checked_tokens * hidden_size * activation_bytes

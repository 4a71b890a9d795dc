"""The reward of each turn of a tutoring dialogue, which the verifier learns to foretell (equations 1 and 2)."""

from collections.abc import Sequence


def reward_turns(outcomes: Sequence[bool]) -> tuple[float, ...]:
    """v_1 … v_T of a dialogue of T tutor's turns, each in [0, 1].

    outcomes: o of each turn, whether it contributes to the student's success. The released code has one o for the whole
    dialogue, its outcome; then v_t = t / T where it is a success, and 0 where it is none.

    v_t = max(v_{t-1} + w_t, 0) with v_0 = 0 (equation 1), w_t = (1 - v_{t-1}) (2 o_t - 1) / (d_t + 1) with the guiding
    distance d_t = T - t (equation 2).
    """
    value, values = 0.0, list[float]()
    for turn, contributes in enumerate(outcomes, start=1):
        distance = len(outcomes) - turn
        weighted = (1.0 - value) / (distance + 1) * (1 if contributes else -1)
        value = max(value + weighted, 0.0)
        values.append(value)
    return tuple(values)


def reward_dialogue(success: bool, turns: int) -> tuple[float, ...]:
    """The rewards of a dialogue of which only the outcome is known: the same o for each of its turns."""
    return reward_turns([success] * turns)

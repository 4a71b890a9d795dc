from clocks.clock import BONUS, INCREMENT, ChessClock, GameOver, NotYourTurn
from clocks.players import BLACK, WHITE


def raises(error, clock, player, now):
    try:
        clock.press(player, now)
    except error:
        return True
    return False


def test_the_time_used_is_taken_off_and_the_increment_added():
    assert ChessClock(100).press(WHITE, 30) == 70 + INCREMENT


def test_the_clock_runs_for_the_other_player_from_then_on():
    clock = ChessClock(100)
    clock.press(WHITE, 30)
    assert clock.press(BLACK, 40) == 90 + INCREMENT
    assert clock.press(WHITE, 45) == 70 + INCREMENT - 5 + INCREMENT


def test_each_move_is_counted_for_its_player():
    clock = ChessClock(100)
    for number, player in enumerate([WHITE, BLACK, WHITE], start=1):
        clock.press(player, number)
    assert clock.moves == {WHITE: 2, BLACK: 1}


def test_a_player_who_is_not_on_turn_may_not_press():
    clock = ChessClock(100)
    assert raises(NotYourTurn, clock, BLACK, 10)
    clock.press(WHITE, 20)
    assert raises(NotYourTurn, clock, WHITE, 30)
    assert clock.left == {WHITE: 80 + INCREMENT, BLACK: 100}


def test_time_for_which_the_clock_was_stopped_does_not_count():
    clock = ChessClock(100)
    clock.add_pause(20)
    assert clock.press(WHITE, 30) == 90 + INCREMENT


def test_a_pause_counts_for_one_move_only():
    clock = ChessClock(100)
    clock.add_pause(20)
    clock.press(WHITE, 30)
    assert clock.press(BLACK, 70) == 60 + INCREMENT


def test_who_uses_more_than_they_have_left_has_lost():
    clock = ChessClock(100)
    assert clock.press(WHITE, 130) == 0
    assert clock.loser == WHITE


def test_who_uses_exactly_what_they_have_left_has_lost():
    clock = ChessClock(100)
    assert clock.press(WHITE, 100) == 0
    assert (clock.loser, clock.moves[WHITE]) == (WHITE, 0)


def test_after_a_loss_nobody_may_press():
    clock = ChessClock(100)
    clock.press(WHITE, 100)
    assert raises(GameOver, clock, WHITE, 110)
    assert raises(GameOver, clock, BLACK, 110)


def test_the_bonus_comes_once_with_the_players_own_third_move():
    clock = ChessClock(100)
    black = 100
    for number in range(1, 5):
        clock.press(WHITE, 20 * number - 10)
        black += -10 + INCREMENT + (BONUS if number == 3 else 0)
        assert clock.press(BLACK, 20 * number) == black

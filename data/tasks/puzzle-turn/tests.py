from puzzle.piece import Piece
from puzzle.well import Well

HOOK = ((1, 0), (1, 0), (1, 1))
BAR = ((1,), (1,), (1,))


def test_a_quarter_turn_goes_clockwise():
    well = Well(6, 6, Piece(HOOK, 1, 1))
    assert well.turn()
    assert well.piece.shape == ((1, 1, 1), (1, 0, 0))


def test_the_upper_left_corner_stays_if_there_is_room():
    well = Well(6, 6, Piece(HOOK, 2, 1))
    well.turn()
    assert (well.piece.row, well.piece.column) == (2, 1)


def test_four_quarter_turns_bring_a_piece_back():
    well = Well(6, 6, Piece(HOOK, 1, 1))
    assert [well.turn() for _ in range(4)] == [True] * 4
    assert well.piece == Piece(HOOK, 1, 1)


def test_at_the_wall_a_piece_is_shifted_to_the_left():
    well = Well(6, 5, Piece(BAR, 0, 3))
    assert well.turn()
    assert well.piece == Piece(((1, 1, 1),), 0, 2)


def test_a_piece_can_be_shifted_by_two_columns():
    well = Well(6, 5, Piece(BAR, 0, 4))
    assert well.turn()
    assert well.piece == Piece(((1, 1, 1),), 0, 2)


def test_beside_lying_blocks_a_piece_is_shifted_to_the_right():
    well = Well(6, 6, Piece(((1, 1, 1), (0, 1, 0)), 0, 1))
    well.lying = {(1, 1)}
    assert well.turn()
    assert well.piece == Piece(((0, 1), (1, 1), (0, 1)), 0, 2)


def test_the_first_shift_that_fits_is_taken():
    well = Well(6, 8, Piece(BAR, 0, 3))
    well.lying = {(0, 5)}
    assert well.turn()
    assert well.piece.column == 2


def test_without_room_nothing_changes():
    piece = Piece(BAR, 0, 1)
    well = Well(6, 4, piece)
    well.lying = {(0, 0), (0, 2)}
    assert not well.turn()
    assert well.piece == Piece(BAR, 0, 1)
    assert piece == Piece(BAR, 0, 1)

from disk.blocks import BLOCK
from disk.report import large_folders
from disk.tree import File, Folder


def test_a_folder_is_as_large_as_its_files_together():
    folder = Folder("ada", [File("a", 2 * BLOCK), File("b", 3 * BLOCK)])
    assert list(large_folders(folder, 1)) == [("/ada", 5)]


def test_each_file_takes_up_whole_blocks():
    folder = Folder("ada", [File("a", 1), File("b", BLOCK + 1), File("c", 0)])
    assert list(large_folders(folder, 1)) == [("/ada", 3)]


def test_a_folder_contains_what_its_folders_contain():
    deep = Folder("c", [File("x", 4 * BLOCK)])
    folder = Folder("a", [Folder("b", [deep, File("y", BLOCK)]), File("z", BLOCK)])
    assert list(large_folders(folder, 1)) == [("/a/b/c", 4), ("/a/b", 5), ("/a", 6)]


def test_a_folder_of_exactly_that_size_is_reported():
    folder = Folder("a", [Folder("b", [File("x", 3 * BLOCK)]), Folder("c", [File("y", 2 * BLOCK)])])
    assert list(large_folders(folder, 3)) == [("/a/b", 3), ("/a", 5)]


def test_small_folders_are_not_reported_but_count():
    small = [Folder(name, [File("x", BLOCK)]) for name in ("b", "c", "d")]
    assert list(large_folders(Folder("a", small), 2)) == [("/a", 3)]


def test_the_number_of_files_does_not_matter():
    assert list(large_folders(Folder("a", [File("x", 10 * BLOCK)]), 5)) == [("/a", 10)]


def test_folders_stand_in_the_order_of_their_names():
    folder = Folder("a", [Folder(name, [File("x", BLOCK)]) for name in ("music", "books", "photos")])
    assert list(large_folders(folder, 1)) == [("/a/books", 1), ("/a/music", 1), ("/a/photos", 1), ("/a", 3)]


def test_reporting_leaves_the_order_in_the_folder_as_it_is():
    folder = Folder("a", [File("z", BLOCK), File("b", BLOCK)])
    assert list(large_folders(folder, 1)) == [("/a", 2)]
    assert [entry.name for entry in folder.entries] == ["z", "b"]


def test_a_path_begins_with_the_path_of_the_folder_above():
    assert list(large_folders(Folder("ada", [File("x", BLOCK)]), 1, "/home")) == [("/home/ada", 1)]


def test_an_empty_folder_has_no_blocks():
    assert list(large_folders(Folder("a"), 0)) == [("/a", 0)]
    assert list(large_folders(Folder("a", [Folder("b"), File("x", BLOCK)]), 1)) == [("/a", 1)]

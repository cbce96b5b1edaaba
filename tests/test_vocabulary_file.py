"""A vocabulary that is kept on disk is the one that was spelled out."""

import tiny
from transformers import AutoTokenizer

from tooldec import Vocabulary


def same(one, two):
    return (
        list(one.spellings) == list(two.spellings)
        and (one.eos, dict(one.specials)) == (two.eos, dict(two.specials))
        and (one.trie.labels, one.trie.first.tolist()) == (two.trie.labels, two.trie.first.tolist())
        and one.trie.tokens.tolist() == two.trie.tokens.tolist()
    )


def test_it_is_found_again(tmp_path):
    folder = tiny.save(tmp_path / "model", tiny.byte_level())
    tokenizer, cache = AutoTokenizer.from_pretrained(folder), tmp_path / "cache"
    plain = Vocabulary.from_tokenizer(tokenizer, size=480)
    first = Vocabulary.from_tokenizer(tokenizer, size=480, cache=cache)
    (file,) = cache.iterdir()
    again = Vocabulary.from_tokenizer(tokenizer, size=480, cache=cache)
    assert same(plain, first) and same(plain, again)
    assert "trie" in vars(again), "the trie came from the file"
    assert [file] == list(cache.iterdir())


def test_what_changes_the_tokens_changes_the_file(tmp_path):
    folder = tiny.save(tmp_path / "model", tiny.byte_level())
    tokenizer, cache = AutoTokenizer.from_pretrained(folder), tmp_path / "cache"
    Vocabulary.from_tokenizer(tokenizer, cache=cache)
    Vocabulary.from_tokenizer(tokenizer, size=480, cache=cache)
    tokenizer.add_tokens(["<new>"])
    more = Vocabulary.from_tokenizer(tokenizer, cache=cache)
    assert more.ids("<new>") and len(list(cache.iterdir())) == 3


def test_a_broken_file_is_written_again(tmp_path):
    folder = tiny.save(tmp_path / "model", tiny.byte_level())
    tokenizer, cache = AutoTokenizer.from_pretrained(folder), tmp_path / "cache"
    plain = Vocabulary.from_tokenizer(tokenizer, cache=cache)
    (file,) = cache.iterdir()
    file.write_bytes(file.read_bytes()[:1000])
    assert same(plain, Vocabulary.from_tokenizer(tokenizer, cache=cache))
    assert same(plain, Vocabulary.from_tokenizer(tokenizer, cache=cache))


def test_a_folder_that_cannot_be_written_to_is_no_error(tmp_path):
    folder = tiny.save(tmp_path / "model", tiny.byte_level())
    (tmp_path / "file").write_text("in the way")
    tokenizer = AutoTokenizer.from_pretrained(folder)
    assert Vocabulary.from_tokenizer(tokenizer, cache=tmp_path / "file" / "below").size

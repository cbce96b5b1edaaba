"""Every scheme: what its machine accepts, and that the reader, which knows nothing of it, reads the same calls."""

from __future__ import annotations

import json
import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiny

from tooldec import SCHEMES, Trace, Vocabulary, build_fsm, decode, load_model, parse_tools
from tooldec.automaton import DFA
from tooldec.errors import CallError, HostError, UsageError, VocabularyError
from tooldec.outline import Outline
from tooldec.reading import judge
from tooldec.reading.frames import PIECE, cut
from tooldec.schemes import FAMILIES, NamePrompt, ReAct, Toolken, begun, recorded, recorded_run
from tooldec.schemes.families import SIGNS
from tooldec.schemes.name_prompt import KNOWLEDGE, MATH
from tooldec.states.cells import TextCell

TOOLS = parse_tools(
    "def add(a: int, b: int)\ndef sqrt(x: float)\ndef find(city: str, unit: Literal['c', 'f'] = 'c')\ndef now()"
)
WAYS: dict[str, Any] = {**SCHEMES, **FAMILIES}


def accepts(grammar: Any, text: str) -> bool:
    """Whether the machine over bytes reads the whole text; «…» is written by the host, <T> and the like are spelled."""
    dfa = DFA(grammar)
    state: int | None = dfa.initial
    for part in re.split("(«[^»]*»)", text):
        if part.startswith("«"):
            if state is None or not dfa.is_host(state):
                return False
            state = dfa.after_host(state)
        else:
            state = dfa.read(part.encode(), state)
    return state is not None and dfa.is_accepting(state)


def plain(text: str) -> str:
    """The text as it stands in an answer; a host's part that ends with → takes the place of all since its ←."""
    return re.sub(r"←[^→]*→", "", text.replace("«", "").replace("»", ""))


STEP = 'Thought: ask\nAction: find\nAction Input: {"city": "Rome"}'
END = '\nAction: Finish\nAction Input: {"return_type": "give_answer", "final_answer": "done"}'
STEPS = STEP + "«\nObservation: sunny\n»"
ADD = '{"name": "add", "arguments": {"a": 1, "b": 2}}'
NOW = '{"name": "now", "arguments": {}}'
SEEK = "<｜tool▁calls▁begin｜>"
SEEK_NOW = "<｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜>"
FENCED = "<｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n```json\n{}\n```<｜tool▁call▁end｜>"
KIMI = "<|tool_calls_section_begin|>"
KIMI_NOW = "<|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{}<|tool_call_end|>"
COMMAND = '{"tool_call_id": "0", "tool_name": "now", "parameters": {}}'
QWEN = "<tool_call>\n<function=now>\n</function>\n</tool_call>"
QWEN_ADD = "\n<function=add>\n<parameter=a>\n1\n</parameter>\n<parameter=b>\n2\n</parameter>\n</function>\n"
GLM_SQRT = "<tool_call>sqrt\n<arg_key>x</arg_key>\n<arg_value>2.5</arg_value>\n</tool_call>"
INVOKE = '<invoke name="now">\n</invoke>\n'
SEED = '<seed:tool_call>\n<function=find>\n<parameter=city>Rome\n"x"</parameter>\n</function>\n</seed:tool_call>'
DSML = '\n<｜DSML｜invoke name="sqrt">\n<｜DSML｜parameter name="x" string="false">2</｜DSML｜parameter>\n</｜DSML｜invoke>'
DSML_NOW = '\n<｜DSML｜invoke name="now">\n\n</｜DSML｜invoke>'
DSML_CALLS, DSML_END = "<｜DSML｜function_calls>", "\n</｜DSML｜function_calls>"
DSML_V4, DSML_V4_END = "<｜DSML｜tool_calls>", "\n</｜DSML｜tool_calls>"
LFM = "<|tool_call_start|>[{}]<|tool_call_end|>"
LFM_RESULT = "\n<|tool_response_start|>9<|tool_response_end|>\n"
GEMMA = "<|tool_call>call:{}<tool_call|>"
FUNCTION_GEMMA = "<start_function_call>call:find{city:<escape>Rome<escape>}<end_function_call>"
THOUGHT = "<|channel|>analysis<|message|>Let me see.<|end|><|start|>assistant"
HARMONY = "<|channel|>commentary to=functions.now <|constrain|>json<|message|>{}"

TABLE: list[tuple[str, dict[str, Any], str, bool, list[str] | None]] = [
    # scheme, how the grammar is built, text, accepted, the calls that are read (None: not read)
    ("special_token", {}, "It is <T>add(1, 2) and <T>now().", True, ["add", "now"]),
    ("special_token", {}, "It is 3.", True, []),
    ("special_token", {}, "<T>add(1)", False, None),
    ("special_token", {"start": "call"}, "<T>now()", True, ["now"]),
    ("special_token", {"start": "call"}, "<T>now() then", False, ["now"]),
    ("special_token", {"start": "none"}, "It is <b>3</b>.", True, []),
    ("special_token", {"start": "none"}, "It is <T>now()", False, ["now"]),
    ("special_token", {"results": True}, "It is <T>sqrt(4)=«2», so 2.", True, ["sqrt"]),
    ("special_token", {"results": True}, "It is <T>sqrt(4), so 2.", False, ["sqrt"]),
    ("json_tags", {}, f"Well <tool_call>\n{ADD}\n</tool_call>", True, ["add"]),
    ("json_tags", {}, f"<tool_call>\n{ADD}\n</tool_call>\n<tool_call>\n{NOW}\n</tool_call>", True, ["add", "now"]),
    ("json_tags", {}, f"<tool_call>{ADD}</tool_call>", False, ["add"]),
    ("json_tags", {"start": "none"}, "<tool_cal> no", True, []),
    ("json_tags", {"start": "none"}, "<tool_call>", False, None),
    ("json_tags", {"results": True}, f"<tool_call>\n{NOW}\n</tool_call>«\n9\n» It is 9.", True, ["now"]),
    ("llama", {}, '{"name": "add", "parameters": {"a": 1, "b": 2}}', True, ["add"]),
    ("llama", {}, "I can't say {why}.", True, []),
    ("llama", {}, "", True, []),
    ("llama", {}, '{"name": "add", "arguments": {"a": 1, "b": 2}}', False, None),
    ("llama", {}, '{"name": "now", "parameters": {}} and more', False, ["now"]),
    ("llama", {"results": True}, '{"name": "now", "parameters": {}}«\n9\n»It is {nine}.', True, ["now"]),
    ("llama", {"start": "none"}, '{"name": "now", "parameters": {}}', False, ["now"]),
    ("llama", {"start": "call"}, "I can't", False, []),
    ("mistral", {}, f"[TOOL_CALLS] [{ADD}, {NOW}]", True, ["add", "now"]),
    ("mistral", {}, f"[TOOL_CALLS][{NOW}]", True, ["now"]),
    ("mistral", {}, "[TOOL_CALLS] []", False, None),
    ("mistral", {}, f"[TOOL_CALLS] {NOW}", False, None),
    ("mistral", {}, "[1] is a list", True, []),
    ("mistral", {"start": "call"}, f"[TOOL_CALLS] [{ADD}, {NOW}]", False, ["add", "now"]),
    ("mistral", {"start": "none"}, f"[TOOL_CALLS] [{NOW}]", False, ["now"]),
    ("mistral", {"results": True}, f"[TOOL_CALLS] [{NOW}]«\n[TOOL_RESULTS]9[/TOOL_RESULTS]\n» 9", True, ["now"]),
    ("hermes", {}, f"<tool_call>\n{ADD}\n</tool_call>", True, ["add"]),
    ("mistral_args", {}, 'Well [TOOL_CALLS]add[ARGS]{"a": 1, "b": 2}[TOOL_CALLS]now[ARGS]{}', True, ["add", "now"]),
    ("mistral_args", {}, '[TOOL_CALLS]add[ARGS]{"a": 1, "b": 2} and', False, ["add"]),
    ("mistral_args", {}, "[TOOL_CALLS]now{}", False, None),
    ("mistral_args", {}, "[TOOL_CALLS]nowe[ARGS]{}", False, None),
    ("mistral_args", {"start": "call"}, "[TOOL_CALLS]now[ARGS]{}", True, ["now"]),
    ("mistral_ids", {}, "[TOOL_CALLS]now[CALL_ID]abcDEF123[ARGS]{}", True, ["now"]),
    ("mistral_ids", {}, "[TOOL_CALLS]now[CALL_ID]abc[ARGS]{}", False, None),
    ("deepseek", {}, f"So {SEEK}{SEEK_NOW}{SEEK_NOW}<｜tool▁calls▁end｜>", True, ["now", "now"]),
    ("deepseek", {}, f"{SEEK}{SEEK_NOW}", False, None),
    ("deepseek", {}, f"{SEEK}<｜tool▁calls▁end｜>", False, None),
    ("deepseek", {"start": "none"}, f"{SEEK}{SEEK_NOW}<｜tool▁calls▁end｜>", False, ["now"]),
    ("deepseek", {"start": "call"}, f"{SEEK}{SEEK_NOW}{SEEK_NOW}<｜tool▁calls▁end｜>", False, ["now", "now"]),
    ("deepseek", {"results": True}, f"{SEEK}{SEEK_NOW}<｜tool▁calls▁end｜>«\n9\n» 9.", True, ["now"]),
    ("deepseek_fenced", {}, f"{SEEK}{FENCED}\n{FENCED}<｜tool▁calls▁end｜>", True, ["now", "now"]),
    ("deepseek_fenced", {}, f"{SEEK}{FENCED}{FENCED}<｜tool▁calls▁end｜>", False, ["now", "now"]),
    ("deepseek_fenced", {}, f"{SEEK}{SEEK_NOW}<｜tool▁calls▁end｜>", False, None),
    ("kimi", {}, f"So {KIMI}{KIMI_NOW}<|tool_calls_section_end|>", True, ["now"]),
    ("kimi", {}, f"{KIMI}{KIMI_NOW}{KIMI_NOW.replace('0', '12')}<|tool_calls_section_end|>", True, ["now", "now"]),
    ("kimi", {}, f"{KIMI}{KIMI_NOW.replace(':0', '')}<|tool_calls_section_end|>", False, None),
    (
        "kimi",
        {},
        f"{KIMI}\n{KIMI_NOW.replace('<|tool_call_a', ' <|tool_call_a')}<|tool_calls_section_end|>",
        False,
        ["now"],
    ),
    ("granite", {}, f"<|tool_call|>[{ADD}, {NOW}]", True, ["add", "now"]),
    ("granite", {}, f"<|tool_call|>{NOW}", False, None),
    ("command", {}, f"<|START_ACTION|>[\n    {COMMAND},\n    {COMMAND}\n]<|END_ACTION|>", True, ["now", "now"]),
    ("command", {}, f"<|START_ACTION|>[{COMMAND}]<|END_ACTION|>", False, ["now"]),
    ("command", {}, f"<|START_ACTION|>[\n    {NOW}\n]<|END_ACTION|>", False, None),
    ("harmony", {}, f"{THOUGHT}{HARMONY}", True, ["now"]),
    ("harmony", {}, f"{THOUGHT}{THOUGHT}<|channel|>final<|message|>It is 9.", True, []),
    ("harmony", {}, THOUGHT, False, []),
    ("harmony", {}, f"{HARMONY} and", False, ["now"]),
    ("harmony", {}, HARMONY.replace("now", "then"), False, None),
    ("harmony", {}, HARMONY.replace("json", ""), False, None),
    ("harmony", {"start": "call"}, HARMONY, True, ["now"]),
    ("harmony", {"start": "call"}, f"{THOUGHT}{HARMONY}", False, ["now"]),
    ("harmony", {"start": "none"}, f"{THOUGHT}{HARMONY}", False, ["now"]),
    ("harmony", {"results": True}, f"{HARMONY}«\n9\n»<|start|>assistant<|channel|>final<|message|>9", True, ["now"]),
    ("qwen_xml", {}, f"{QWEN} and <tool_call>{QWEN_ADD}</tool_call>", True, ["now", "add"]),
    ("qwen_xml", {}, f"<tool_call>{QWEN_ADD.replace('2', 'two')}</tool_call>", False, None),
    ("qwen_xml", {"start": "call"}, f"{QWEN}{QWEN}", False, ["now", "now"]),
    ("qwen_xml", {"results": True}, f"{QWEN}«\n9\n» 9.", True, ["now"]),
    ("glm", {}, f"{GLM_SQRT}\n{GLM_SQRT}", True, ["sqrt", "sqrt"]),
    ("glm", {"start": "call"}, GLM_SQRT.replace("x", "y"), False, None),
    ("glm_compact", {}, GLM_SQRT.replace("\n", ""), True, ["sqrt"]),
    ("glm_compact", {}, GLM_SQRT, False, ["sqrt"]),
    ("minimax", {}, f"So <minimax:tool_call>\n{INVOKE}{INVOKE}</minimax:tool_call>", True, ["now", "now"]),
    ("minimax", {"start": "call"}, f"<minimax:tool_call>\n{INVOKE}{INVOKE}</minimax:tool_call>", False, ["now", "now"]),
    ("minimax", {}, "<minimax:tool_call>\n</minimax:tool_call>", False, None),
    ("seed", {}, SEED, True, ["find"]),
    ("seed", {}, SEED.replace("x", "</parameter>"), False, None),
    ("seed", {"start": "none"}, SEED, False, ["find"]),
    ("dsml", {}, f"a < b {DSML_CALLS}{DSML}{DSML_NOW}{DSML_END} then", True, ["sqrt", "now"]),
    ("dsml", {}, f"{DSML_CALLS}{DSML.replace('false', 'true')}{DSML_END}", False, None),
    ("dsml", {}, f"{DSML_CALLS}{DSML_NOW.replace('>' + chr(10), '>', 1)}{DSML_END}", False, ["now"]),
    ("dsml", {}, f"{DSML_V4}{DSML}{DSML_V4_END}", True, []),
    ("dsml", {}, f"{DSML_CALLS}{DSML_END}", False, None),
    ("dsml", {"start": "call"}, f"{DSML_CALLS}{DSML}{DSML_END}", True, ["sqrt"]),
    ("dsml", {"start": "call"}, f"{DSML_CALLS}{DSML}{DSML}{DSML_END}", False, ["sqrt", "sqrt"]),
    ("dsml", {"start": "none"}, f"{DSML_CALLS}{DSML}{DSML_END}", False, ["sqrt"]),
    ("dsml", {"start": "none"}, "a <b> c <｜", True, []),
    (
        "dsml",
        {"results": True},
        f"{DSML_CALLS}{DSML}{DSML_END}«\n\n<function_results>\n<result>9</result>\n</function_results>\n\n» 9 < 10.",
        True,
        ["sqrt"],
    ),
    ("dsml_v4", {}, f"{DSML_V4}{DSML}{DSML_V4_END}", True, ["sqrt"]),
    ("dsml_v4", {}, f"{DSML_CALLS}{DSML}{DSML_END}", True, []),
    ("dsml_v4", {"start": "call"}, f"{DSML_CALLS}{DSML}{DSML_END}", False, []),
    ("pythonic", {}, "[add(a=1, b=2), now()]", True, ["add", "now"]),
    ("pythonic", {}, "[add(1, 2)]", False, None),
    ("pythonic", {}, "[add(a=1,b=2)]", False, ["add"]),
    ("pythonic", {}, "It is [1].", True, []),
    ("pythonic", {}, "[1] is a list", False, None),
    ("pythonic", {}, "[]", False, None),
    ("pythonic", {"start": "none"}, "[now()]", False, ["now"]),
    ("pythonic", {"start": "call"}, "[now(), now()]", False, ["now", "now"]),
    ("pythonic", {"results": True}, "[now()]«\n9\n»It is [9].", True, ["now"]),
    ("lfm2", {}, f"So {LFM.format('now(), sqrt(x=2.5)')} it is.", True, ["now", "sqrt"]),
    ("lfm2", {}, LFM.format("find(city='Rome')"), False, ["find"]),
    ("lfm2", {}, LFM.format('find(city="Rome", unit="k")'), False, None),
    ("lfm2", {"start": "none"}, LFM.format("now()"), False, ["now"]),
    ("lfm2", {"start": "call"}, LFM.format("now()"), True, ["now"]),
    ("lfm2", {"results": True}, f"{LFM.format('now()')}«{LFM_RESULT}» 9.", True, ["now"]),
    ("olmo", {}, "<function_calls>now()\nadd(a=1, b=2)</function_calls>", True, ["now", "add"]),
    ("olmo", {}, "<function_calls>\nnow()\n</function_calls>.", False, ["now"]),
    ("olmo", {}, "<function_calls></function_calls>", False, None),
    ("olmo", {"start": "call"}, "<function_calls>now()\nnow()</function_calls>", False, ["now", "now"]),
    ("gemma", {}, f"So {GEMMA.format('now{}')}{GEMMA.format('sqrt{x:2.5}')}.", True, ["now", "sqrt"]),
    ("gemma", {}, GEMMA.format('find{city:<|"|>"Rome"<|"|>,unit:<|"|>c<|"|>}'), True, ["find"]),
    ("gemma", {}, GEMMA.format('find{"city":"Rome"}'), False, None),
    ("gemma", {}, GEMMA.format("add{b:2,a:1}"), False, ["add"]),
    ("gemma", {"start": "none"}, GEMMA.format("now{}"), False, ["now"]),
    ("gemma", {"start": "call"}, GEMMA.format("now{}"), True, ["now"]),
    ("gemma", {"results": True}, f"{GEMMA.format('now{}')}«<|tool_response>9<tool_response|>» 9.", True, ["now"]),
    ("function_gemma", {}, FUNCTION_GEMMA, True, ["find"]),
    ("function_gemma", {}, FUNCTION_GEMMA.replace("Rome", "<escape>"), False, None),
    ("function_gemma", {}, FUNCTION_GEMMA.replace("call:", ""), False, None),
    ("react", {}, STEP, True, ["find"]),
    ("react", {}, f"Thought: done{END}", True, ["Finish"]),
    ("react", {}, STEP.replace("ask", " Action: or Actions, an\nAction, or \nACTION: x"), True, ["find"]),
    ("react", {}, STEP.removeprefix("Thought: ask\n"), False, None),
    ("react", {}, "ask\nAction: find", False, None),
    ("react", {}, STEP.replace("Action: find", "Action:find"), False, ["find"]),
    ("react", {}, STEP.replace("find", "finds"), False, None),
    ("react", {}, STEP.replace("\nAction: find", ""), False, None),
    ("react", {}, STEP.replace("ask", "ask\nObservation: made up"), False, None),
    ("react", {}, STEP.replace("ask", "ask\nThought: again"), False, None),
    ("react", {}, STEP + ".", False, None),
    ("react", {}, "Thought: nothing to do", False, None),
    ("react", {"start": "call"}, STEP.replace(" ask", ""), True, ["find"]),
    ("react", {"start": "call"}, STEP, False, ["find"]),
    ("react", {"start": "call"}, f"Thought:{END}", False, ["Finish"]),
    ("react", {"start": "call", "results": True}, f"Thought:{END}", False, ["Finish"]),
    ("react", {"start": "call", "results": True}, STEPS.replace(" ask", ""), True, ["find"]),
    ("react", {"start": "none"}, "It is 3. Action: none", True, None),
    ("react", {"start": "none"}, STEP, False, ["find"]),
    ("react", {"results": True}, f"{STEPS}Thought: done{END}", True, ["find", "Finish"]),
    ("react", {"results": True}, STEPS, False, ["find"]),
    ("react", {"results": True}, f"{STEPS * 4}Thought: done{END}", True, [*["find"] * 4, "Finish"]),
    ("react", {"results": True}, f"{STEPS * 5}Thought: done{END}", False, [*["find"] * 5, "Finish"]),
    ("name_prompt", {}, f"3-1=<T>←«{MATH}»add)→«<add>(»1, 2)", True, ["add"]),
    ("name_prompt", {"start": "call"}, f'<T>←«{KNOWLEDGE}»find)→«<find>(»"Rome")', True, ["find"]),
    ("name_prompt", {}, f"<T>←«{MATH}»sub)→«<sub>(»1, 2)", False, []),
    ("name_prompt", {}, "It is <add>(1, 2)", False, ["add"]),
    ("name_prompt", {}, "It is <T>sub(1, 2)", False, None),
    ("name_prompt", {"results": True}, f"<T>←«{MATH}»add)→«<add>(»1, 2)=«3». So 3.", True, ["add"]),
    ("name_prompt", {}, "It is 3.", True, []),
    ("toolken", {}, "It is <add>(1, 2)=3 and <now>()=", True, ["add", "now"]),
    ("toolken", {}, "a < b, 1<2, <<, </b>.", True, []),
    ("toolken", {}, "<b>bold", False, []),
    ("toolken", {}, "<product>(1, 2)=", False, None),
    ("toolken", {}, "<add>(1, 2).", False, None),
    ("toolken", {}, "<add>(1, pi)=", False, None),
    ("toolken", {}, "<added>(1, 2)=", False, None),
    ("toolken", {}, "<<add>(1, 2)=", True, ["add"]),
    ("toolken", {"start": "call"}, "<sqrt>(2.5)=", True, ["sqrt"]),
    ("toolken", {"start": "none"}, "It is <add>(1, 2)=", False, ["add"]),
    ("toolken", {"results": True}, "It is <add>(1, 2)=«3».", True, ["add"]),
]


@pytest.mark.parametrize(("way", "how", "text", "accepted", "calls"), TABLE)
def test_what_a_machine_accepts_and_what_is_read(
    way: str, how: dict[str, Any], text: str, accepted: bool, calls: list[str] | None
) -> None:
    bare = text.replace("←", "").replace("→", "")
    assert accepts(WAYS[way].grammar(TOOLS, **how), bare) is accepted
    answer = plain(text.replace("<T>←", "←"))  # a rewriting takes the marker back, too
    if calls is None:
        with pytest.raises(CallError):
            WAYS[way].read_calls(answer, TOOLS)
    else:
        assert [call.name for call in WAYS[way].read_calls(answer, TOOLS)] == calls


def test_every_scheme_has_a_row() -> None:
    assert {row[0] for row in TABLE} == set(WAYS)
    for way in WAYS.values():
        with pytest.raises(UsageError, match="unknown start"):
            way.grammar(TOOLS, start="now")


# ---- runs


def rows(vocabulary: Vocabulary, seed: int) -> Any:
    """A model's scores: noise that depends on the answer so far, with some liking for short ways out."""

    def logits(ids: list[int]) -> Any:
        return np.random.default_rng([seed, len(ids), *ids[-3:]]).normal(0, 3, vocabulary.size)

    return logits


LETTERS = Vocabulary(
    [
        *(bytes([byte]) for byte in range(256)),
        *(
            b'"}',
            b")=",
            b'": ',
            b"\nAction",
            b"\nAction: ",
            b"Thought:",
            b"find",
            b"Fin",
            b"ish",
            b"<add",
            b">(",
            b"5)",
        ),
        *(b'{"name": "', b"add", b'", "', b"1, ", b" Input: {", b"\nThought", b"\n\n", b". ", b"\xe2\x82"),
        *("<T>", "<tool_call>", "</tool_call>", "[TOOL_CALLS]", "<|im_start|>", "<EOS>"),
    ],
    eos=[256 + 21 + 5],
)


def letters(way: str) -> Vocabulary:
    """The same with the special tokens of a family."""
    frame = getattr(WAYS[way], "frame", None)
    pieces = (frame.marker, frame.before, frame.between, frame.after, frame.closing) if frame else ()
    pieces += (getattr(WAYS[way], "delimiter", ""),)
    names = {"<|channel|>", "<|message|>", "<|constrain|>", "<|start|>", "<|end|>"} if way == "harmony" else set()
    if form := getattr(WAYS[way], "form", None):
        names |= {form.tags.marker, form.tags.end.strip(), *re.findall("</?arg_[a-z]+>", "".join(form.tags.key))}
        names |= {"｜DSML｜"} if "｜DSML｜" in form.tags.marker else set()  # their tags hold a token
    names.update(part for piece in pieces for part in cut(piece) if part[0] in "[<" and PIECE.fullmatch(part))
    spellings = [LETTERS.spelling(token) for token in range(LETTERS.size)]
    spellings += [b"[now(", b"[add(a=", b"[sqrt("] if way == "pythonic" else []  # else few answers begin with `[`
    return Vocabulary([*spellings, *sorted(names - set(LETTERS.specials))], eos=LETTERS.eos)


@pytest.mark.parametrize("way", list(WAYS))
@pytest.mark.parametrize("start", ["text", "call"])
def test_no_random_tokens_make_an_error(way: str, start: Any) -> None:
    """100 runs of random allowed tokens for each scheme and start: all that isn't cut off can be read.

    A text may hold a call in another scheme's form: to the machine that is text.
    """
    scheme, words = WAYS[way], dict.fromkeys(("valid", "none", "cut off"), 0)
    random = np.random.default_rng(5)
    for results in (False, True):
        fsm, host = build_fsm(scheme.grammar(TOOLS, start, results), letters(way)), scheme.host(TOOLS, GIVEN)
        for _ in range(150 if way == "harmony" else 50):  # most of whose answers are thoughts
            text, finished = wander(fsm, host, random)
            verdict = judge(text, scheme, TOOLS)
            if start == "text" and verdict.stray:
                assert scheme.read_calls(text, TOOLS) == ()
                continue
            assert verdict.word in words, (text, verdict)
            assert not finished or verdict.word != "cut off", text
            words[verdict.word] += 1
    assert words["valid"] > 5, words


GIVEN = {"find": "Thought: <T>now()\nAction: now", "now": 9, "sqrt": "<add>(1)=[TOOL_CALLS]", "add": {"name": "x"}}


def wander(fsm: Any, host: Any, random: Any, limit: int = 400) -> tuple[str, bool]:
    """A random walk through a machine, without a model; it goes for ways out, and for the marker in text."""
    state, text = fsm.initial, ""
    data = b""
    for _ in range(limit):
        while fsm.is_host(state):
            written = host.write(data.decode("utf-8", "replace"))
            if not isinstance(written, str):
                data = data.decode("utf-8", "replace")[: written.keep].encode()
                written = written.text
            data += written.encode()
            state = fsm.after_host(state)
        if fsm.is_complete(state):
            return data.decode("utf-8", "replace"), True
        ids = np.flatnonzero(fsm.allowed(state))
        weights = np.where(ids >= 256, 40.0, 1.0)
        if len(ids) > 200:  # inside of a text
            weights[np.isin(ids, [*b'",}{<[:\n'])] = 25.0
            weights[ids >= 277] *= 4
        token = int(random.choice(ids, p=weights / weights.sum()))
        state = fsm.step(state, token)
        if token in LETTERS.eos:
            return data.decode("utf-8", "replace"), True
        spelling = fsm.vocabulary.spelling(token)
        data += spelling.encode() if isinstance(spelling, str) else spelling
    return data.decode("utf-8", "replace") or text, False


def test_figure_6() -> None:
    """The sentence is shown as injected, then rewritten; both wordings; the model goes on behind the rewritten text."""
    model, tools = load_model("embedded"), parse_tools("def subtract(a: float, b: float)\ndef add(a: float, b: float)")
    scheme = NamePrompt()
    prompt = scheme.prompt(tools, "3.64 - 1.23 is?")
    fsm = build_fsm(scheme.grammar(tools, "call", results=True), model.vocabulary)
    steps = list(decode(model, fsm, prompt, host=scheme.host(tools)))
    texts = [step.text for step in steps]
    assert any(text == "<T>" + MATH for text in texts)
    named = next(step for step in steps if step.mode == "name" and step.token.endswith(")"))
    assert re.fullmatch(r"<T>\(performing the math operation named: (subtract|add)\)", named.text + named.token)
    after = steps[named.index + 1]
    assert (after.writer, after.text) == ("host", "")
    trace = Trace.collect(steps)
    assert re.fullmatch(r"<(subtract|add)>\([-+0-9.eE, ]+\)=.*", trace.text) and trace.end in ("call", "needs_result")
    host = scheme.host(parse_tools("def capital(country: str)"))
    assert host.write("It is <T>") == KNOWLEDGE
    with pytest.raises(HostError):
        list(decode(model, fsm, prompt))


def test_what_follows_a_rewriting_depends_on_it_alone() -> None:
    """The model's scores after `<add>(` are those of a session that never saw the sentence."""
    model, tools = load_model("embedded"), parse_tools("def add(a: int, b: int)")
    scheme = NamePrompt()
    prompt = scheme.prompt(tools, "What is 12 plus 30?")
    fsm = build_fsm(scheme.grammar(tools, "call"), model.vocabulary)
    steps = list(decode(model, fsm, prompt, host=scheme.host(tools)))
    first = next(step for step in steps if step.mode == "argument" and step.writer == "model")
    session = model.start(prompt)
    session.append(model.tokenize("<add>("))
    best = max(first.candidates, key=lambda candidate: candidate.before)
    assert int(session.logits().argmax()) == best.token_id


def test_a_thousand_toolkens_share_what_may_not_be_written() -> None:
    names = [f"t{number}" for number in range(1000)]
    tokens = [f"<{name}>" for name in names]
    vocabulary = Vocabulary([*(bytes([byte]) for byte in range(256)), "<eos>", *tokens], eos=[256])
    scheme = Toolken(tokens=frozenset(tokens))
    fsm = build_fsm(scheme.grammar(parse_tools("\n".join(f"def {name}(a: int)" for name in names))), vocabulary)
    allowed = fsm.allowed(fsm.initial)
    assert allowed[257:].all() and allowed[256], "each begins a call, and the answer may end"
    entered = fsm.step(fsm.initial, 257 + 500)
    assert entered is not None and fsm.label(entered).tool == "t500"
    assert np.flatnonzero(fsm.allowed(entered)).tolist() == [ord("(")]
    cells = [cell for cell in fsm.dfa.cells(fsm.initial) if isinstance(cell, TextCell)]
    assert len(cells) == 1000 and len({id(cell.barred) for cell in cells}) == 1


def test_toolkens_are_single_tokens() -> None:
    tools = parse_tools("def add(a: int, b: int)\ndef exp(x: int)")
    spellings = [*(bytes([byte]) for byte in range(128)), "<add>", "<exp>", "<EOS>"]
    vocabulary = Vocabulary(spellings, eos=[130])
    traits = type("Traits", (), {"vocabulary": vocabulary})()
    scheme = Toolken().for_model(traits)
    fsm = build_fsm(scheme.grammar(tools), vocabulary)
    assert fsm.allowed(fsm.initial).all()  # text: V
    inside = fsm.step(fsm.initial, 128)
    assert inside is not None and np.flatnonzero(fsm.allowed(inside)).tolist() == [ord("(")]
    state = fsm.initial
    for byte in b"<add>(x":  # spelled out it is text
        state = fsm.step(state, byte)
        assert state is not None
    barred = build_fsm(scheme.grammar(tools, "none"), vocabulary)
    assert np.flatnonzero(~barred.allowed(barred.initial)).tolist() == [128, 129]
    forced = build_fsm(scheme.grammar(tools, "call"), vocabulary)
    assert np.flatnonzero(forced.allowed(forced.initial)).tolist() == [128, 129]


def test_a_tool_s_token_is_no_text_where_names_are_spelled() -> None:
    tools = parse_tools("def add(a: int)\ndef exp(x: int)")
    vocabulary = Vocabulary([*(bytes([byte]) for byte in range(128)), "<add>", "<T>", "<EOS>"], eos=[130])
    for start in ("text", "call", "none"):
        with pytest.raises(VocabularyError, match="`<add>` is a token of the vocabulary"):
            build_fsm(Toolken().grammar(tools, start), vocabulary)
    scheme = replace(Toolken(), tokens=frozenset(vocabulary.specials))  # of the two tools one has a token

    def read(*symbols: str | int, start: str = "text") -> bool:
        return build_fsm(scheme.grammar(tools, start), vocabulary).dfa.read(symbols) is not None  # type: ignore[arg-type]

    assert read(*b"so ", "<add>", *b"(5)= and < ", "<T>", *b"<exp>(3)=") and read(*b"<add>(5)=")
    assert read("<add>", *b"(5)=", start="call") and read(*b"<exp>(5)=", start="call")
    assert not read("<add>", *b"hello") and not read(*b"<of") and not read("<T>", *b"<of")
    assert not read("<add>", start="none") and not read(*b"<e", start="none") and read(*b"< ", "<T>", start="none")


def test_the_last_step_of_react_is_an_option() -> None:
    text = STEPS * 2
    assert not accepts(ReAct(steps=2).grammar(TOOLS, results=True), text)
    assert accepts(ReAct(steps=2, forced=False).grammar(TOOLS, results=True), text)
    own = parse_tools("def Finish(answer: str)\ndef now()")
    assert accepts(ReAct().grammar(own), 'Thought: x\nAction: Finish\nAction Input: {"answer": "y"}')


def test_an_external_planner() -> None:
    """The planner writes the text and says when the tool mode begins; the machine begins there."""
    model, tools = load_model("embedded"), TOOLS[:2]
    scheme = SCHEMES["special_token"]
    prompt = scheme.prompt(tools, "What is 2 plus 5?")
    fsm = build_fsm(scheme.grammar(tools, start="call"), model.vocabulary)
    answer = "The sum is "
    trace = Trace.collect(decode(model, fsm, type(prompt)(prompt.messages, (), answer)))
    assert trace.end == "call" and trace.text.startswith("The sum is <T>")
    assert len(scheme.read_calls(trace.text, tools)) == 1


# ---- chat templates of the families


HERMES = "{% if tools %}<tools>{{ tools | tojson }}</tools> in <tool_call></tool_call> tags{% endif %}"
LLAMA = (
    "<|start_header_id|>system<|end_header_id|>{% if tools %}Respond in the format "
    '{"name": function name, "parameters": dictionary of argument name and its value}.{% endif %}'
)
MISTRAL = "[AVAILABLE_TOOLS]{{ tools | tojson }}[/AVAILABLE_TOOLS]{% if c %}[TOOL_CALLS] [{{ c }}]{% endif %}"


@pytest.mark.parametrize(
    ("template", "family"),
    [
        (HERMES, "hermes"),
        (LLAMA, "llama"),
        (MISTRAL, "mistral"),
        (MISTRAL + "[CALL_ID][ARGS]", "mistral_ids"),
        (MISTRAL + "[ARGS]", "mistral_args"),
        ("{{ tools }}<｜tool▁calls▁begin｜>{{ type }}<｜tool▁sep｜>{{ name }}\n```json", "deepseek_fenced"),
        ("{{ tools }}<｜tool▁calls▁begin｜>{{ name }}<｜tool▁sep｜>", "deepseek"),
        ("{{ tools }}<{{ '｜DSML｜' }}function_calls>", "dsml"),
        ("{{ tools }}<｜DSML｜tool_calls>", "dsml_v4"),
        ("{{ tools }}<|tool_calls_section_begin|>", "kimi"),
        ("{{ tools }}<|tool_call|>", "granite"),
        ("{{ tools }}<|START_ACTION|>", "command"),
        ("{{ tools }}<|channel|>commentary to=functions.{{ name }}", "harmony"),
        ("{{ tools }}[func_name1(params)] <|start_header_id|>", "pythonic"),
        ("{{ tools }}<|header_start|> {'parameters'} \"parameters\"", "llama"),
        ("{{ tools }}<|tool_list_start|>", "lfm2"),
        ("{{ tools }}<|tool_call_start|>", "lfm2"),
        ("<functions>{{ tools }}</functions><function_calls>", "olmo"),
        ("{{ tools }}<|tool_call>call:", "gemma"),
        ("{{ tools }}<start_function_call>", "function_gemma"),
        ("{{ tools }}", "hermes"),
        ("", "hermes"),
    ],
)
def test_the_family_is_read_off_the_chat_template(template: str, family: str) -> None:
    traits = type("Traits", (), {"chat_template": template, "has_tool_template": "tools" in template})()
    scheme = SCHEMES["json_tags"].for_model(traits)
    assert replace(scheme, native=False) == FAMILIES[family] and scheme.native == ("tools" in template)
    assert bool(scheme.prompt(TOOLS, "?").tools) == scheme.native


@pytest.mark.parametrize("family", list(FAMILIES))
def test_a_model_whose_template_speaks_of_a_family_writes_its_calls(tmp_path: Path, family: str) -> None:
    """A random model with such a template, from its folder to a call that is read back."""
    signs = " ".join(next(signs for name, signs in SIGNS if name == family))
    template = f"{{% for m in messages %}}{{{{ m.content }}}}{{% endfor %}}{{# {signs} #}}{{{{ tools }}}}"
    model = load_model(str(tiny.save(tmp_path, tiny.byte_level(), template=template, context=512)))
    scheme, tools = SCHEMES["json_tags"].for_model(model), parse_tools("def now()\ndef add(a: Literal[1, 2])")
    assert replace(scheme, native=False) == FAMILIES[family]
    fsm = build_fsm(scheme.grammar(tools, start="call"), model.vocabulary)
    trace = Trace.collect(decode(model, fsm, scheme.prompt(tools, "?"), max_tokens=300))
    assert trace.end == "call" and trace.text.startswith(scheme.marker), trace.text
    assert len(scheme.read_calls(trace.text, tools)) == 1 and judge(trace.text, scheme, tools).word == "valid"


def test_how_a_call_of_each_family_begins() -> None:
    for name, scheme in FAMILIES.items():
        said = begun(scheme)
        assert said.startswith(" ".join(scheme.marker.split())) and said.endswith("find…") and len(said) < 80, name


@pytest.mark.parametrize("family", list(FAMILIES))
@pytest.mark.parametrize("fill", [" ", "\n", "a", "<", ":1", "```", '"', "<|channel|>", "[TOOL_CALLS]"])
def test_no_answer_is_read_for_long(family: str, fill: str) -> None:
    """100,000 letters that no call has: a reader that tried each beginning would take minutes."""
    frame, scheme = getattr(FAMILIES[family], "frame", None), FAMILIES[family]
    opened = scheme.marker + (f"{frame.opening}{frame.before}now" if frame else "")
    begun = time.perf_counter()
    for lead in (scheme.marker, opened):
        judge(lead + fill * (100_000 // len(fill)), scheme, TOOLS)
    assert time.perf_counter() - begun < 5


# ---- results


def test_where_results_come_from() -> None:
    scheme = SCHEMES["special_token"]
    given = {
        "add": lambda a, b: a * 100 + b,
        "find": recorded([({"city": "Rome"}, "sunny")]),
        "now": "<T>now()",
    }
    host = scheme.host(TOOLS, given)
    assert host.write("It is <T>add(1, 2)=") == "102"
    assert host.write("It is <T>sqrt(16)=") == "4"
    assert host.write('<T>find("Rome")=') == "sunny" and host.write('<T>find("Oslo")=') is None
    assert host.write("<T>now()=") == "< T>now()"  # it can't be taken for a call
    total = scheme.host(parse_tools("def total(first: int, *more: int)"), {"total": lambda *numbers: sum(numbers)})
    assert total.write("<T>total(1, 2, 3)=") == "6"
    with pytest.raises(HostError, match="`add` failed: ZeroDivisionError"):
        scheme.host(TOOLS, {"add": lambda a, b: a // b}).write("<T>add(1, 0)=")


def test_an_observation_stands_on_one_line() -> None:
    host = ReAct().host(TOOLS, {"find": "one\nAction: now\r\ntwo"})
    assert host.write(STEP) == "\nObservation: one Action: now two\n"
    assert json.loads(json.dumps(host.write(STEP))) == host.write(STEP)


@pytest.mark.data
def test_observations_that_toolbench_recorded(data_folder: Path) -> None:
    for line in (data_folder / "toolbench_traces.jsonl").read_text("utf-8").splitlines():
        run = json.loads(line)
        given = recorded_run(run["messages"])
        assert given, run["id"]
        for before, message in zip(run["messages"], run["messages"][1:], strict=False):
            if message["role"] == "function" and before.get("function_call"):
                call = before["function_call"]
                assert given[call["name"]](**json.loads(call["arguments"])) is not None


# ---- the picture


@pytest.mark.parametrize("way", list(WAYS))
@pytest.mark.parametrize("results", [False, True])
def test_every_machine_is_drawn(way: str, results: bool) -> None:
    graph = pytest.importorskip("tooldec.views.graph")
    outline = Outline(build_fsm(WAYS[way].grammar(TOOLS, results=results), LETTERS))
    picture = graph.draw(outline)
    ids = [box.id for box in picture.boxes]
    assert len(set(ids)) == len(ids) and all(f'id="{box}"' in picture.svg for box in ids)
    assert {e.source for e in picture.view.edges} | {e.target for e in picture.view.edges} == set(ids)
    drawn = {(box.label.tool, box.label.parameter) for box in picture.boxes if box.kind == "argument"}
    assert drawn >= {("add", "a"), ("add", "b"), ("sqrt", "x"), ("find", "city"), ("find", "unit")}
    names = [box for box in picture.boxes if box.kind == "name" and box.label.tool is None and not box.entered]
    assert len(picture.boxes) < 50 and outline.name(outline.fsm.initial) == "s0", names
    assert any(box.stays is not None for box in picture.boxes)


def test_react_is_drawn_as_a_loop() -> None:
    """Five rounds are one loop; the last, in which only `Finish` is left, appears when a run gets there."""
    outline = Outline(build_fsm(ReAct().grammar(TOOLS, results=True), LETTERS))
    view = outline.view()
    observed = next(box for box in view.boxes if box.kind == "result")
    assert [e.target for e in view.edges if e.source == observed.id] == [view.boxes[0].id]
    state: int | None = outline.fsm.initial
    for _ in range(4):
        state = outline.fsm.dfa.read(STEP.encode(), state)
        assert state is not None and outline.box(state) == observed.id
        state = outline.fsm.after_host(state)
    state = outline.fsm.dfa.read(b"Thought: so", state)
    assert state is not None and outline.box(state) == view.boxes[1].id
    way = [state]
    for byte in b"\nAction: ":
        after = outline.fsm.dfa.step(way[-1], byte)
        assert after is not None
        way.append(after)
    last = way[-1]
    assert outline.box(last) is None and outline.follow(way)
    edges = outline.view().edges
    assert {e.label for e in edges if e.source == outline.box(last)} == {"Finish"}
    (entry,) = {e.source for e in edges if e.target == outline.box(last)}
    assert (view.boxes[1].id, entry) in {(e.source, e.target) for e in edges}

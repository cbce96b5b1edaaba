"""Functions of TypeScript in all their forms, as programs have them: what they do isn't read."""

from __future__ import annotations

import pytest

from tooldec.signatures import format_of, parse_tools, read_tools

PROGRAM = """import { z } from "./z";

const BASE = "https://a.b/c", { get } = require("x");
const { post, ...rest } = client

/** The time. */
export const getTime = async (city: string, zone?: string): Promise<{ at: string }> => {
  if (city < zone && city !== `x ${zone}`) { return { at: city % 2 }; }
  return { at: "}" };
};

export const add = (a: number, b = 3): number =>
  a +
  b
    * 2

export function half(a: number): number { return a / 2; }
export { getTime };
export default add;
"""
CLASS = """@Injectable()
export class Clock<T> extends Base<T> implements A {
  private readonly key = "x";
  static count = 3
  constructor(private readonly key: string) { super(); }

  /** The time. */
  public async getTime(city: string, zone: string = "CET"): Promise<string> {
    return this.key < city ? "x" : "y";
  }
  get name(): string { return "x" }
  private hidden(a: string) {}
  #secret(a: string) {}
  protected inner(a: string) {}
  put = async (a: number) => { return 3 }
  @tool({ name: "z" })
  static get(key: { a: string }): { b: string } { return key }
}
"""

READ: tuple[tuple[str, list[str]], ...] = (
    ('export const getTime = (city: string): string => "x";', ["getTime(city: str)"]),
    ("interface Api { getTime(city: string): string; }", ["getTime(city: str)"]),
    (PROGRAM, ["getTime(city: str, zone: str = null)", "add(a: float, b: float = 3)", "half(a: float)"]),
    (CLASS, ['getTime(city: str, zone: str = "CET")', "put(a: float)", "get(key: {a: str})"]),
    ("const f = async function (a: string) { return a; };\nconst g = function* h(a: number) {}", ["f(a: str)", "g(a: float)"]),
    ("const f: (a: string) => void = (a) => {};", ["f(a: str)"]),
    ("const f: Handler = async ({ a }: { a: string }) => {};", ["f(a: str)"]),
    ("const f = (\n  a: string, // which\n  b: number,\n): void => {}", ["f(a: str, b: float)"]),
    ("const f = a => a;", ["f(a: any)"]),
    ("let f = <T>(a: string): T => g(a)\nvar g = (a: Unit) => a\nenum Unit { C = 'c' }", ["f(a: str)", "g(a: c)"]),
    ("interface Api {\n  getTime(city: string): string\n  put?: (a: number) => void\n  name: string\n  [key: string]: any\n}", ["getTime(city: str)", "put(a: float)"]),
    ("interface Config { onChange(x: string): void }\nfunction f(a: number): void", ["f(a: float)"]),
    ("abstract class Shape {\n  abstract area(unit: 'm' | 'km'): number;\n  abstract name(): string;\n}", ["area(unit: m|km)", "name()"]),
)  # fmt: skip


@pytest.mark.parametrize(("text", "signatures"), READ)
def test_read(text: str, signatures: list[str]) -> None:
    assert format_of(text) == "typescript"
    tools = parse_tools(text)
    assert [tool.signature() for tool in tools] == signatures
    for tool in tools:
        assert tool.line is not None and tool.column is not None
        assert text.splitlines()[tool.line - 1][tool.column - 1 :].startswith(tool.name)


def test_comments_of_arrow_functions_and_methods_describe_them() -> None:
    for text in (PROGRAM, CLASS):
        assert parse_tools(text)[0].description == "The time."
    (tool,) = parse_tools("const f = (\n  a: string, // which\n): void => {}")
    assert tool.parameters["properties"]["a"]["description"] == "which"


@pytest.mark.parametrize(
    ("text", "place", "phrase"),
    [
        ("const f = (a: strng): void => {}", (1, 15), "use `string`"),
        ("const f = (a: string => 3", (1, 11), "`(` is never closed"),
        ("class A {\n  f(a: strng): void {}\n}", (2, 8), "use `string`"),
        ("const f = (a: string) => 3;\napp.listen(3000);", (2, 1), "read as `function f(a: number): string;`"),
    ],
)
def test_errors(text: str, place: tuple[int, int], phrase: str) -> None:
    _, (error,) = read_tools(text)
    assert (error.line, error.column) == place
    assert phrase in str(error)


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("type D = 'a' | 'b'\ndef f(d: D): ...", "python"),
        ("type D = 'a' | 'b'\nfunction f(d: D): void", "typescript"),
        ("class A:\n    f = (lambda x: x)\n    def g(self, x: int): ...", "python"),
        ("const tools = [{ name: 'now' }];", "assigned"),
    ],
)
def test_formats_are_told_apart(text: str, format: str) -> None:
    assert format_of(text) == format and parse_tools(text)

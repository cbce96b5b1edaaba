"""Programs of TypeScript whose tools have types of Zod, or of JSON Schema: AI SDK, MCP servers, LangChain.

programs         the tools of a program
places           where it says that something is a tool; `names`: what the tool is called
types            types of Zod; `functions`: what makes them, `methods`: what narrows them

>>> from tooldec.signatures import parse_tools
>>> parse_tools("const now = tool({ inputSchema: z.object({ zone: z.string() }) });")[0].signature()
'now(zone: str)'
"""

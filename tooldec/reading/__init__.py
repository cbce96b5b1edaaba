"""Tool calls read back from a finished text, by parsers that know nothing of the machine.

They judge guided and unguided answers alike and name what is wrong (the error classes of Figures 7 and 8):

    name             no such tool                        <T>product(2, 3)
    count            too few or too many arguments       <T>sqrt(4, 9)
    type             a value outside of its schema       <T>sqrt("four")
    unknown          a keyword that the tool lacks       {"name": "sqrt", "arguments": {"y": 4}}
    missing          a required keyword isn't there      {"name": "sqrt", "arguments": {}}
    illegal_symbol   what begins no JSON value           <T>multiply(pi, 4)
    end_token        something else than `,` or `)`      <T>sqrt(4].
    format           the frame of a call is broken       Action Input: Finish, or a form that isn't the scheme's
    cut_off          the text ends inside the call       <T>sqrt(4
"""

from __future__ import annotations

from tooldec.reading.delimited import delimited_calls
from tooldec.reading.frames import Frame, framed_calls
from tooldec.reading.objects import leading_calls, tagged_calls
from tooldec.reading.other_forms import other_form
from tooldec.reading.positional import named_calls, positional_calls, prompted_calls
from tooldec.reading.pythonic import python_calls
from tooldec.reading.react import react_calls
from tooldec.reading.tagged import Tags, argument_calls
from tooldec.reading.verdict import CLASSES, SYNTAX, Verdict, judge

__all__ = [
    "CLASSES",
    "SYNTAX",
    "Frame",
    "Tags",
    "Verdict",
    "argument_calls",
    "delimited_calls",
    "framed_calls",
    "judge",
    "leading_calls",
    "named_calls",
    "other_form",
    "positional_calls",
    "prompted_calls",
    "python_calls",
    "react_calls",
    "tagged_calls",
]

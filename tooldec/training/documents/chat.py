"""Small talk, which needs no tool: question|answer, in the language of `templates`."""

from __future__ import annotations

from tooldec.training.documents.asks import Ask
from tooldec.training.documents.draw import Draw
from tooldec.training.documents.templates import fill

CHAT = """
Hi|Hello! How can I help?
Hello|Hello! How can I help?
Hello there|Hello! How can I help?
Hey|Hello! How can I help?
Hi, I'm {person}|Hello, {person}! How can I help?
Good morning|Good morning! How can I help?
Good evening|Good evening! How can I help?
How are you?|I'm fine, thank you.
How is it going?|I'm fine, thank you.
Are you well?|I'm fine, thank you.
Thanks|You're welcome.
Thank you very much|You're welcome.
Thanks a lot, {person}|You're welcome.
That was helpful|You're welcome.
Great job|Thank you.
Well done|Thank you.
Who are you?|I'm a small model that calls tools.
What are you?|I'm a small model that calls tools.
What is your name?|I'm a small model that calls tools.
Are you a human?|No, I'm a small model that calls tools.
Are you a robot?|I'm a small model that calls tools.
What can you do?|I can call the tools that you list.
How can you help me?|I can call the tools that you list.
What do you do all day?|I can call the tools that you list.
Tell me a joke|I'm not good at jokes, sorry.
Do you know a joke about a {noun}?|I'm not good at jokes, sorry.
Make me laugh|I'm not good at jokes, sorry.
Sing a song|I can't sing, sorry.
Can you sing?|I can't sing, sorry.
Do you like {food}?|I don't eat, but it sounds good.
What is your favorite food?|I don't eat, but it sounds good.
I love {food}|That sounds good.
I had a nice day|That sounds good.
My {noun} is great|That sounds good.
We went to {city} last year|That sounds good.
I am sad|I'm sorry to hear that.
My {noun} broke|I'm sorry to hear that.
I feel ill today|I'm sorry to hear that.
I lost my {noun}|I'm sorry to hear that.
Bye|Goodbye!
Goodbye|Goodbye!
See you tomorrow|Goodbye!
Good night, {person}|Good night!
Good night|Good night!
Is it nice to be a machine?|I can't tell, sorry.
What do you think about {noun}s?|I can't tell, sorry.
Do you believe in {noun}s?|I can't tell, sorry.
Who is better, {person} or {person2}?|I can't tell, sorry.
What is the meaning of life?|I can't tell, sorry.
Why is the sky blue?|I can't tell, sorry.
Do you dream?|I can't tell, sorry.
Yes|Okay.
No|Okay.
Okay|Okay.
Never mind|Okay.
Wait a moment|Okay.
Just a test|Okay.
Ignore that|Okay.
"""


def chat_ask(draw: Draw) -> Ask:
    """A remark and a polite answer without a call."""
    remark, answer = draw.template(CHAT.strip().splitlines()).split("|")
    filled = fill(draw, f"{remark}|{answer}", {})
    remark, answer = filled.split("|")
    if remark[-1] not in "?!":
        remark += draw.pick(("", "", ".", "!"))
    return Ask(remark.lower() if draw.chance(0.15) else remark, (answer,))

"""What the page's buttons do, before `playground` gives them their names.

request    what the page asks for, checked field by field
prepared   its tools, its model and their machine, each kept for the next request
live       one run, told message by message while it happens
steps      a step as the page shows it
ending     how a run ended
comparing  one question, several ways: runs one after another, each with its verdict
fights     where the model fought the machine, place by place of a call
streaming  messages on their way to the browser: in batches, and one run at a time on each model
answers/   what the page asks beside runs, a module for each question
"""

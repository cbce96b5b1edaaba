"""What the page asks beside drawing and running: one module for each question, plain JSON in and out.

check     what is wrong with the tools, and what the fixes would change
rank      which tool would be called for a question
look      a state of the graph: what it allows, and why not what somebody types; the prompt as the model reads it
files     the machine as a file
keep      a long text, which comes once and is only named after that
fights    many questions: which tool, where the model fought the machine, which states were visited
"""

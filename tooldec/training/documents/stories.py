# ruff: noqa: E501 — a problem and its plan are one line
"""More word problems: other wordings for the functions of `arithmetic`, sums and products of lists, and chains."""

STORIES = """
add|I have {a} euros and my brother gave me {b}, how much is that?
add|{a} birds sat on a wire and {b} landed next to them. How many now?
add|{person} picked {a} {thing}, {person2} picked {b}. How many do they have?
add|{a} and {b} makes what?
add|First I ran {a} km, later another {b} km. What distance is that?
add|The {noun} weighs {a} kg and the {noun2} {b} kg. What do both weigh?
add|We sold {a} {thing} in the morning and {b} in the afternoon, so how many today?
add|put {a} and {b} together
add|{a} degrees now, {b} more later. What will it be?
add|My bill is {a} plus {b} for delivery. What do I pay?
add|If I already own {a} {thing} and buy {b} more, what do I end up with?
subtract|My {noun} was {a} euros but I got {b} off. What did I pay?
subtract|{a} {thing} in the jar, I ate {b}. What is left?
subtract|The bus had {a} people, {b} got off. Who is still on it, how many?
subtract|{person} weighed {a} kg and lost {b}. What does {person} weigh now?
subtract|how far is it still if the trip is {a} km and I did {b}?
subtract|I paid with {a} and it cost {b}, what do I get back?
subtract|{a} pages in the book, {b} read. How many to go?
subtract|of {a} {thing}, {b} are broken; how many work?
subtract|deduct {b} from {a}
subtract|{a} take away {b}
subtract|The temperature was {a} and fell by {b}. What is it?
multiply|{thing} are {b} euros apiece and I need {a}. What will it cost?
multiply|{a} of us pay {b} each, what is the total?
multiply|{a} days with {b} hours of work each: how many hours?
multiply|{a} trays hold {b} {thing} apiece, how many altogether?
multiply|A {noun} uses {b} liters an hour; how much in {a} hours?
multiply|{person} buys {a} {thing} for {b} each. How much is due?
multiply|{a} times {b}
multiply|every one of {a} children gets {b} {thing}; how many do I need?
multiply|{a} rolls at {b} meters, what length in all?
multiply|{b} a week for {a} weeks, how much is it?
multiply|What does it cost to fill {a} bottles at {b} each?
divide|I cut {a} cm of ribbon into {b} equal pieces, how long is one?
divide|{a} {thing} for {b} people, what does each get?
divide|We are {b} and the bill is {a}. What does each of us pay?
divide|{a} liters fill {b} bottles; how much in each?
divide|It took {b} hours to drive {a} km, so how fast was it?
divide|one {b}th part of {a}
divide|{a} over {b}
divide|spread {a} evenly over {b}
divide|A pack of {b} costs {a}. What is one?
divide|{person} saves {a} in {b} months. How much a month?
power|{base} to the {exponent}th
power|multiply {base} by itself {exponent} times
power|A rumor spreads to {base} new people each day; how many after {exponent} days?
power|{base} ** {exponent}
power|the {exponent}th power of {base}
power|a code of {exponent} signs with {base} possible values each: how many codes?
sqrt|√{x}
sqrt|√{x}?
sqrt|sqrt({x})
sqrt|root of {x}
sqrt|A square {noun} covers {x} square meters, how wide is it?
sqrt|which side has a square of area {x}?
sqrt|what squared makes {x}?
sqrt|If a square room has {x} square feet, how long is a wall?
square|A square {noun}, {side} cm on each side. How big is its surface?
square|My square garden is {side} m long. What area does it have?
square|{side}²
square|{side}^2
square|square {side}
square|how many tiles of 1 m cover a square {noun} of {side} m?
square|A chess-like {noun} has {side} rows of {side} fields. How many fields?
square|The side is {side}. Area of the square?
square|the side of the square is {side}, what is its surface?
exp|e to the {x}
exp|e^{x}
exp|e raised to {x}
exp|give me e to the power {x}
exp|exp({x})
log|log of {x} to the base 10
log|how many tens must be multiplied to get {x}? The decimal log.
log|log10({x})
log|log {x}
ln|ln {x}
ln|ln({x})
ln|natural log, {x}
ln|the log of {x} with base e
lcm|When do two lamps that blink every {a} and {b} seconds blink together again?
lcm|lcm({a}, {b})
lcm|the first number in the tables of both {a} and {b}
lcm|smallest common multiple of {a} and {b}
lcm|One ship comes every {a} days, the other every {b}; when do they meet again?
gcd|gcd({a}, {b})
gcd|largest common factor of {a} and {b}?
gcd|I have {a} red and {b} blue {thing} for equal bunches. How many bunches at most?
gcd|how long is the longest stick that measures both {a} and {b}?
gcd|biggest number that goes into {a} and into {b}
choose|{k} out of {n}, how many ways?
choose|from {n} {thing} I take {k} with me; how many choices are there?
choose|{n} over {k}
choose|how many different groups of {k} can {n} people form?
choose|pick {k} of {n} {thing}, order doesn't matter
permutate|{k} out of {n} in order, how many ways?
permutate|how many ways to hang {k} of {n} {thing} side by side?
permutate|{n} people, {k} chairs in a row: how many seatings?
permutate|gold, silver and so on for {k} of {n} runners, how many outcomes?
remainder|{a} {thing} go into bags of {b}. What's left over?
remainder|{a} % {b}
remainder|{a} mod {b}
remainder|I fill boxes of {b} with {a} {thing}; how many remain without a box?
remainder|the rest of {a} divided by {b}
remainder|after dealing {a} cards to {b} players, how many are left in my hand?
"""

LISTS = """
add(numbers: list) -> sum
sum {numbers}
add up {numbers}
What's the total of {numbers}?
{numbers}, how much altogether?
I spent {numbers}. How much is that in all?
total: {numbers}
{person} drove {numbers} km. How far is that together?
What do {numbers} add up to?

multiply(numbers: list) -> product
multiply {numbers}
What is the product of {numbers}?
{numbers} all multiplied
Take {numbers} times each other.
multiply together {numbers}

gcd(numbers: list) -> divisor
the greatest common divisor of {numbers}
Which is the largest number that divides {numbers}?
gcd of {numbers}
find the highest common factor of {numbers}

lcm(numbers: list) -> multiple
the least common multiple of {numbers}
Which is the smallest number that {numbers} divide?
lcm of {numbers}
find the lowest common multiple of {numbers}
"""

CHAINS = """
I have {a} {thing}, buy {b} more and share them with {c} people. What does each get?=>add a b;divide $ c
{a} boxes of {b} {thing} arrived, then {c} were thrown out. How many are left?=>multiply a b;subtract $ c
Subtract {b} from {a}, then multiply the result by {c}.=>subtract a b;multiply $ c
Add {a} and {b} and divide that by {c}.=>add a b;divide $ c
Multiply {a} by {b} and take {c} away.=>multiply a b;subtract $ c
What is {a} times {b}, plus {c}?=>multiply a b;add $ c
What is ({a} + {b}) * {c}?=>add a b;multiply $ c
What is ({a} - {b}) * {c}?=>subtract a b;multiply $ c
What is {a} * {b} - {c}?=>multiply a b;subtract $ c
What is {a} / {b} + {c}?=>divide a b;add $ c
The sum of {a} and {b}, squared?=>add a b;square $
sqrt({a} * {b})=>multiply a b;sqrt $
Take the square root of {a} and add {b}.=>sqrt a;add $ b
Take the root of {a}, then multiply by {b}.=>sqrt a;multiply $ b
{person} works {a} hours at {b} an hour and pays {c} for rent. How much remains?=>multiply a b;subtract $ c
{a} friends each bring {b} {thing}. After {c} are eaten, how many are there?=>multiply a b;subtract $ c
{person} had {a} coins, lost {b}, and then doubled the rest {c} times over. What is {c} times the rest?=>subtract a b;multiply $ c
A {noun} of {a} euros is {b} euros cheaper today; what do {c} of them cost?=>subtract a b;multiply $ c
From {a} apples {b} are bad, the rest goes into bags of {c}. How many stay over?=>subtract a b;remainder $ c
The log of {a} times {b}?=>multiply a b;log $
ln of the sum of {a} and {b}=>add a b;ln $
What is the difference between {a} and {b}, divided by {c}?=>subtract a b;divide $ c
Find the product of {a} and {b}, then its remainder when divided by {c}.=>multiply a b;remainder $ c
We pay {a} for rent and {b} for food each month. How much in {c} months?=>add a b;multiply $ c
A field is {a} m by {b} m and a seed covers {c} square meters. How many seeds?=>multiply a b;divide $ c
Square {a}, then divide by {b}.=>square a;divide $ b
The gcd of {a} and {b}, squared.=>gcd a b;square $
Raise {a} to the power of 2 and subtract {b}.=>square a;subtract $ b
{a} people pay {b} each, and {c} is added. What's in the box?=>multiply a b;add $ c
{a} minus {b} plus {c}=>subtract a b;add $ c
"""

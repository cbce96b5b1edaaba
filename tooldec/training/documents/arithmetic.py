"""Word problems of arithmetic, one for each of the 13 functions, square and exp; in the language of `templates`."""

ARITHMETIC = """
add(a: n, b: n) -> sum
What is {a} plus {b}?
{person} has {a} {thing} and finds {b} more. How many {thing} does {person} have now?
What do you get if you add {a} and {b}?
There are {a} {thing} in one box and {b} in another. How many are there altogether?
add {a} and {b}
A {noun} costs {a} and a {noun2} costs {b}. What do they cost together?
sum up {a} and {b}
{a} + {b} = ?
{person} walked {a} miles on {weekday} and {b} miles the day after. How far did {person} walk in total?
How much is {a} and {b} together?
On {weekday}, {a} people came, then {b} others joined. What's the total?
Compute the sum of {a} and {b}.
After saving {a} dollars {person} gets {b} more. How much money is that?

subtract(a: n, b: n) -> difference
What is {a} minus {b}?
{person} had {a} {thing} and gave away {b}. How many {thing} are left?
subtract {b} from {a}
take {b} away from {a}
A {noun} is {a} cm long and {b} cm are cut off. How much remains?
There were {a} {thing}, but {b} were sold. How many remain?
{a} - {b} = ?
What's the difference between {a} and {b}?
{person} is {a} years old and {person2} is {b}. How much older is {person}?
From {a} dollars {person} spends {b}. How much money is left?
How much more is {a} than {b}?
{a} guests came and {b} went home early. How many stayed?

multiply(a: n, b: n) -> product
What is {a} times {b}?
There are {a} boxes with {b} {thing} each. How many {thing} are there?
multiply {a} by {b}
A {noun} costs {b} dollars. How much do {a} of them cost?
{person} reads {b} pages a day for {a} days. How many pages is that?
{a} * {b} = ?
Each of the {a} shelves holds {b} {thing}. What's the total number of {thing}?
What's the product of {a} and {b}?
A train goes {b} km an hour. How far does it get in {a} hours?
{person} earns {b} dollars an hour and works {a} hours. How much does {person} earn?
Find {a} x {b}
How many seats are in {a} rows of {b}?
calculate {a} multiplied by {b}

divide(a: n, b: n) -> quotient
What is {a} divided by {b}?
{person} shares {a} {thing} equally among {b} friends. How many does each one get?
divide {a} by {b}
split {a} dollars between {b} people
{a} / {b} = ?
If {a} {thing} are packed into {b} bags, how many are in each bag?
A rope of {a} meters is cut into {b} equal parts. How long is each part?
How many times does {b} go into {a}?
A car drives {a} km in {b} hours. What's its speed?
{b} tickets cost {a} dollars. What does one ticket cost?
What's the ratio of {a} to {b}?

power(base: n, exponent: small) -> answer
What is {base} to the power of {exponent}?
raise {base} to the power {exponent}
{base}^{exponent} = ?
What's {base} raised to {exponent}?
A {noun} grows by a factor of {base} each day. By what factor has it grown after {exponent} days?
compute {base} to the {exponent}th power
Bacteria multiply {base} times every hour. By how much after {exponent} hours?

sqrt(x: n) -> root
What is the square root of {x}?
find the square root of {x}
A square has an area of {x}. How long is one side?
What number times itself gives {x}?
sqrt of {x}?
calculate the root of {x}
The area of a square {noun} is {x} square meters. What's the length of its side?
Which number squared is {x}?
take the square root of {x}

square(side: n) -> area
What is the area of a square with side {side}?
A square {noun} has sides of {side} meters. How big is its area?
What is {side} squared?
square the number {side}
The sides of a square measure {side} cm, find its area.
Each side of the square is {side}. What area does it cover?
how large is a square whose side is {side}?
If a square's side is {side}, what is the area?
A {noun} in the shape of a square is {side} m wide. What's its surface?
What's the area of a {side} by {side} square?
{side} times itself
the edge of a square is {side} long, compute the area

exp(x: small) -> value
What is e to the power of {x}?
compute e^{x}
What is the exponential of {x}?
find exp of {x}
raise e to the power {x}
What's Euler's number to the {x}?
What is the value of the exponential function at {x}?

log(x: n) -> logarithm
What is the logarithm of {x}?
What is log base 10 of {x}?
find the log of {x}
take the base-10 logarithm of {x}
To which power must 10 be raised to get {x}?
calculate the decimal logarithm of {x}
What's the common log of {x}?

ln(x: n) -> logarithm
What is the natural logarithm of {x}?
find the natural log of {x}
What is ln of {x}?
To which power must e be raised to get {x}?
take the natural log of {x}
compute the logarithm of {x} to the base e
What's log base e of {x}?

lcm(a: int, b: int) -> multiple
What is the least common multiple of {a} and {b}?
find the lowest common multiple of {a} and {b}
Two buses leave every {a} and every {b} minutes. When do they leave together again?
What's the smallest number that both {a} and {b} divide?
One {noun} blinks every {a} seconds, another every {b}. After how many seconds do they blink together?
give me the LCM of {a} and {b}
Which is the smallest number divisible by {a} and {b}?

gcd(a: int, b: int) -> divisor
What is the greatest common divisor of {a} and {b}?
find the highest common factor of {a} and {b}
{person} has {a} {thing} and {b} {thing2} and makes equal bags with none left. What is the largest number of bags?
give me the GCD of {a} and {b}
What is the biggest tile that fits a floor of {a} by {b}?
Which is the greatest number that {a} and {b} can both be divided by?

choose(n: int, k: small) -> answer
In how many ways can {k} of {n} {thing} be chosen?
How many teams of {k} can be formed from {n} players?
What is {n} choose {k}?
How many combinations of {k} {thing} are there out of {n}?
A committee of {k} is picked from {n} people. How many committees are possible?
in how many ways can {person} select {k} {thing} from {n}?
How many different handfuls of {k} are there in a bag of {n} {thing}?
Choose {k} out of {n}: how many possibilities?

permutate(n: int, k: small) -> answer
In how many ways can {k} of {n} {thing} be arranged in a row?
How many ordered selections of {k} from {n} are there?
How many permutations of {k} out of {n} exist?
{n} runners compete for the first {k} places. How many different results are possible?
How many ways are there to line up {k} of {n} students?
In how many orders can {k} of the {n} books stand on a shelf?
find the number of permutations of {n} things taken {k} at a time
How many codes of {k} different symbols can be made from {n} symbols?

remainder(a: int, b: int) -> remainder
What is the remainder when {a} is divided by {b}?
What is {a} modulo {b}?
{person} packs {a} {thing} into boxes of {b}. How many are left over?
find {a} mod {b}
{a} {thing} are shared among {b} children. How many cannot be shared?
When {a} is divided by {b}, what's left over?
{a} students line up in rows of {b}. How many are in the last, incomplete row?
what remains of {a} after taking away as many {b}s as possible?
"""

OTHER_NAMES = {
    "add": "sum plus add_numbers sum_numbers addition total",
    "subtract": "minus difference sub subtract_numbers",
    "multiply": "times product mul multiply_numbers",
    "divide": "div quotient ratio divide_numbers",
    "power": "pow raise_to_power exponentiate",
    "sqrt": "square_root root sqrt",
    "square": "square_area area_of_square squared",
    "exp": "exponential exp e_to_the",
    "log": "log10 logarithm log_base_10",
    "ln": "natural_log ln log_e",
    "lcm": "least_common_multiple lcm lowest_common_multiple",
    "gcd": "greatest_common_divisor gcd highest_common_factor hcf",
    "choose": "combinations choose n_choose_k",
    "permutate": "permutations permutate arrangements",
    "remainder": "mod modulo remainder rest",
    "average": "mean average_of avg",
    "maximum": "max largest max_of",
    "minimum": "min smallest min_of",
}
"""Other names of the same tools, so that a name is read and not known."""

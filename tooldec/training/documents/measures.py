"""Problems of geometry, statistics and units; in the language of `templates`."""

MEASURES = """
rectangle_area(width: n, height: n) -> area
What is the area of a rectangle {width} wide and {height} high?
A {noun} is {width} m wide and {height} m tall. What's its area?
find the area of a {width} by {height} rectangle
How many square meters does a field of {width} times {height} meters have?
A rectangular {noun} measures {width} by {height}. How much surface is that?

circle_area(radius: n) -> area
What is the area of a circle with radius {radius}?
A round {noun} has a radius of {radius} m. What area does it cover?
find the area of a circle of radius {radius}
How big is a circle whose radius is {radius}?
the radius of a circle is {radius}, what is its area?

circumference(radius: n) -> length
What is the circumference of a circle with radius {radius}?
How long is the edge of a round {noun} with a radius of {radius}?
How far is it around a circle of radius {radius}?
find the perimeter of a circle whose radius is {radius}

triangle_area(base: n, height: n) -> area
What is the area of a triangle with base {base} and height {height}?
A triangle has a base of {base} and is {height} high. How large is it?
find the area of a triangle, base {base}, height {height}
A triangular {noun} has base {base} m and height {height} m. What's its area?

cube_volume(edge: n) -> volume
What is the volume of a cube with edge {edge}?
A cubic {noun} has edges of {edge} cm. What volume does it have?
How much fits into a cube whose edge is {edge}?
find the volume of a cube of side {edge}

box_volume(length: n, width: n, height: n) -> volume
What is the volume of a box that is {length} long, {width} wide and {height} high?
A box measures {length} by {width} by {height}. How much does it hold?
find the volume of a {length} x {width} x {height} box
A pool is {length} m long, {width} m wide and {height} m deep. How much water does it hold?

perimeter(width: n, height: n) -> length
What is the perimeter of a {width} by {height} rectangle?
How much fence goes around a garden {width} m wide and {height} m long?
A frame is {width} wide and {height} high. How long is its border?
find the perimeter of a rectangle with sides {width} and {height}

hypotenuse(a: n, b: n) -> length
A right triangle has legs of {a} and {b}. How long is its hypotenuse?
find the hypotenuse of a right triangle with legs {a} and {b}
How long is the diagonal of a rectangle with sides {a} and {b}?
A ladder reaches {a} m high and stands {b} m from the wall. What length has it?

average(numbers: list) -> mean
What is the average of {numbers}?
find the mean of {numbers}
{person} scored {numbers}. What's the average score?
compute the average of these numbers: {numbers}
What is the arithmetic mean of {numbers}?

maximum(numbers: list) -> maximum
Which is the largest of {numbers}?
find the maximum of {numbers}
What's the biggest number among {numbers}?
What is the highest of these: {numbers}?

minimum(numbers: list) -> minimum
Which is the smallest of {numbers}?
find the minimum of {numbers}
What's the lowest number among {numbers}?
What is the least of these: {numbers}?

median(numbers: list) -> median
What is the median of {numbers}?
find the median of {numbers}
Which value lies in the middle of {numbers}?
give me the median of these values: {numbers}

percent_of(percent: percent, amount: n) -> share
What is {percent} of {amount}?
How much is {percent} of {amount}?
calculate {percent} of {amount}
Out of {amount} {thing}, {percent} are broken. How many is that?

discount(price: price, percent: percent) -> price
What is the price of {price} after a discount of {percent}?
A {noun} costs {price} and is {percent} off. What does it cost now?
apply a {percent} discount to {price}
How much do I pay for a {price} {noun} with {percent} off?

tip(bill: price, percent: percent) -> tip
How much is a {percent} tip on a bill of {bill}?
The bill is {bill} and I want to tip {percent}. How much is that?
calculate a {percent} tip for {bill}
Dinner was {bill}. What's a tip of {percent}?

factorial(n: small) -> factorial
What is the factorial of {n}?
compute {n}!
find {n} factorial
In how many ways can all {n} {thing} be lined up?

cube(x: n) -> cube
What is {x} cubed?
find the cube of {x}
What is the third power of {x}?
raise {x} to the third power

absolute(x: n) -> value
What is the absolute value of {x}?
find the absolute value of {x}
How far is {x} from zero?
give me the magnitude of {x}

double(x: n) -> double
What is twice {x}?
double {x}
How much is two times {x}?
What's the double of {x}?

half(x: n) -> half
What is half of {x}?
halve {x}
Give me one half of {x}.
How much is {x} cut in half?

is_prime(n: int) -> answer
Is {n} a prime number?
check whether {n} is prime
Can {n} be divided only by one and itself?
tell me if {n} is a prime

round_number(x: float, digits: small) -> number
Round {x} to {digits} digits.
round {x} to {digits} decimal places
What is {x} rounded to {digits} decimals?
give me {x} with {digits} decimals

celsius_to_fahrenheit(degrees: temp) -> answer
How much is {degrees} degrees Celsius in Fahrenheit?
convert {degrees} C to F
What is {degrees} celsius in fahrenheit?
turn {degrees} degrees celsius into fahrenheit

km_to_miles(km: n) -> answer
How many miles are {km} km?
convert {km} kilometers to miles
{km} kilometers are how many miles?
What is {km} km in miles?

speed(distance: n, time: n) -> speed
A car covers {distance} km in {time} hours. How fast is it?
What is the speed of a runner who runs {distance} meters in {time} seconds?
{person} rides {distance} km within {time} hours. What's the average speed?
find the speed for a distance of {distance} and a time of {time}

compound_interest(amount: price, rate: percent, years: small) -> interest
What does {amount} become at {rate} interest after {years} years?
{person} puts {amount} in a bank at {rate}. What is it worth after {years} years?
calculate compound interest on {amount} at {rate} for {years} years
How much interest do I get on {amount} over {years} years at {rate}?
"""

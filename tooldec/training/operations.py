"""More suites: services, rooms, cities, lists and facts; in the language of `templates`."""

OPERATIONS = """
restartApp(app: service, force?: bool) -> ok
{app} hangs, restart it[ {force:by force/gently}]
give {app} a restart[, {force:force it/no force}]
{app} doesn't react any more, start it again
bring {app} down and up again[, {force:forcing it/without force}]
restart {app}[ {force:with/without} force]

resizeApp(app: service, replicas: small) -> ok
run {replicas} replicas of {app}
{app} with {replicas} replicas
set {app} to {replicas} replicas
we need {replicas} of {app}
take {app} up to {replicas}

readLogs(app: service, lines: int) -> text
show the last {lines} log lines of {app}
the last {lines} lines of {app}
what did {app} write, {lines} lines
{lines} lines of the log of {app}
let me read {lines} lines from {app}

rollBack(app: service, version: version) -> ok
roll {app} back to {version}
{app} should be {version} again
go back to {version} of {app}
undo the release of {app}, back to {version}
put {app} back on {version}

healthOf(app: service) -> status
is {app} up
how is {app} doing
does {app} still run
check if {app} is alive
what's the state of {app}

switch_lamp(room: room, on: bool, color?: color) -> ok
turn the lamp in the {room} {on:on/off}[, {color}]
{room} lamp {on:on/off}[ in {color}]
make it {on:bright/dark} in the {room}[, {color}]
light {on:on/off} in the {room}[ and {color}]
the lamp of the {room} should be {on:on/off}[, color {color}]

move_shades(room: room, percent: percent) -> ok
lower the shades in the {room} to {percent}
pull the shades of the {room} to {percent}
{room} shades at {percent}
the sun is too bright in the {room}, shades to {percent}
raise the blinds in the {room} up to {percent}

heat_room(room: room, degrees: temp) -> ok
it's cold in the {room}, {degrees} degrees please
heat the {room} to {degrees}
{degrees} degrees in the {room}
set the heating of the {room} at {degrees}
warm the {room} up to {degrees} degrees

warm_oven(degrees: int) -> ok
heat the oven to {degrees}
oven at {degrees} degrees
get the oven to {degrees}
I want to bake at {degrees}
preheat, {degrees} degrees

forecast(city: city, days?: small) -> weather
what will the weather be in {city}[ for {days} days]
do I need a jacket in {city}
is it going to rain in {city}[ in the next {days} days]
how warm does it get in {city}[, {days} days]
weather for {city}[, {days} days]
should I take an umbrella to {city}
will it snow in {city}?

clock_in_city(city: city) -> time
what time is it in {city}
how late is it in {city}
what does the clock say in {city}
is it night in {city} now
time in {city}?

call_cab(start: place, goal: place, people?: small) -> ride
get me a cab from {start} to {goal}[ for {people} people]
a taxi from {start} to {goal}[, we are {people}]
I have to go from {start} to {goal}[ with {people} people], order a cab
cab: {start} to {goal}
we want to be driven from {start} to {goal}[, {people} of us]

find_food(city: city, cuisine: cuisine) -> places
I fancy {cuisine} food in {city}
where can I eat {cuisine} in {city}
a {cuisine} place in {city}
I'm hungry for {cuisine} food and I'm in {city}
{cuisine} restaurants in {city}
find somewhere {cuisine} to eat in {city}

sort_all(values: ints, descending?: bool) -> values
sort {values}[ {descending:downwards/upwards}]
put {values} into order[, {descending:largest first/smallest first}]
{values}: sort them[ {descending:from high to low/from low to high}]
order {values}

add_all(values: floats) -> sum
sum {values}
add up {values}
what is {values} together
total of {values}

tag_item(item: int, tags: words) -> ok
tag {item} with {tags}
label number {item} with {tags}
{item} gets the tags {tags}
mark {item} as {tags}

invite_all(emails: emails, room: proper) -> ok
invite {emails} to {room}
{emails} should join {room}
get {emails} into {room}
send {emails} an invitation for {room}

born_in(person: person) -> place
where did {person} come into the world
where was {person} born
the birth place of {person}
from which town is {person}
in what place was {person} born

written_by(book: proper) -> person
who wrote {book}
who is the author of {book}
whose novel is {book}
{book} is by whom?

people_in(place: place) -> number
how many people live in {place}
how many inhabitants has {place}
how big is the population of {place}
what's the number of people living in {place}

started_by(company: company) -> person
who set up {company}
who founded {company}
who started {company}
whose idea was {company}
"""

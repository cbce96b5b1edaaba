"""Requests at home, on the way and among people, in many manners; in the language of `templates`."""

HOUSEHOLD = """
mow_lawn(garden: place, height_cm?: small) -> ok
mow {garden}[ down to {height_cm} cm]
The grass at {garden} is far too high[, cut it to {height_cm} cm].
somebody has to cut the grass in {garden}
Can the mower do {garden}[? Height {height_cm}]
give {garden} a trim[, {height_cm} centimeters]

run_dishwasher(program: eco|normal|intensive, delay?: clock) -> ok
run the dishwasher on {program}[ at {delay}]
The dishes are dirty, use the {program} program[ and begin at {delay}].
start a {program} wash for the plates[ at {delay}]
dishwasher, {program}[, {delay}]
I need clean plates, {program} will do[, from {delay}].

buy_groceries(items: foods, shop?: company) -> ok
buy {items}[ at {shop}]
We are out of {items}[, get it from {shop}].
put {items} on the shopping list[ for {shop}]
I still need {items}[ from {shop}].
don't come home without {items}
there's no more {items}[, {shop} has it]

call_plumber(problem: text, when: day) -> ok
get a plumber for {when}: {problem}
call the plumber, {problem}, {when}
We need a plumber {when} because {problem}.
{problem}! Have a plumber come {when}.

set_oven(degrees: temp, minutes?: int) -> ok
preheat to {degrees} degrees[ for {minutes} minutes]
oven on {degrees}[, {minutes} minutes]
I'm baking at {degrees} degrees[ for {minutes} min].
bake it at {degrees}[, it takes {minutes} minutes]
warm the oven up to {degrees} C[ and keep it for {minutes} minutes]

open_window(room: room, percent?: percent) -> ok
open the window in the {room}[ by {percent}]
It's stuffy in the {room}[, open up {percent}].
let some air into the {room}[, {percent}]
I want fresh air in the {room}[: {percent} open].
The {room} smells, air it[ at {percent}].

close_curtains(room: room) -> ok
close the curtains in the {room}
pull the curtains shut in the {room}
The sun blinds me in the {room}.
nobody should look into the {room}
draw the curtains of the {room}

arm_alarm(zone: room, mode?: home|away|night) -> ok
arm the {zone}[ in {mode} mode]
watch over the {zone} while we're gone[, mode {mode}]
turn the burglar alarm on for the {zone}[, {mode}]
protect the {zone}[, use {mode}]
We are leaving, secure the {zone}[ as {mode}].

order_taxi(pickup: place, dropoff: place, time?: clock) -> ride
order a taxi from {pickup} to {dropoff}[ at {time}]
I need a lift from {pickup} to {dropoff}[ around {time}].
pick me up at {pickup}[ at {time}], I'm going to {dropoff}
take me to {dropoff} from {pickup}[, {time}]
cab to {dropoff}, I'm at {pickup}[, {time} please]
drive us from {pickup} over to {dropoff}[ by {time}]

plan_route(start: place, goal: place, avoid_tolls?: bool) -> route
how do I get from {start} to {goal}[, {avoid_tolls:without tolls/tolls are fine}]
show the way from {start} to {goal}[ {avoid_tolls:avoiding tolls/with tolls}]
What's the best road from {start} to {goal}?
navigate to {goal} starting at {start}[, {avoid_tolls:no toll roads/toll roads allowed}]
I'm at {start}, bring me to {goal}.
directions {start} to {goal}

find_parking(near: place, hours?: small) -> spot
where can I park near {near}[ for {hours} hours]
find a parking spot close to {near}[, {hours} hours]
I have to leave my car somewhere around {near}[ for {hours} hours].
parking at {near}[, {hours} h]
Is there a garage by {near}[ for {hours} hours]?

pay_parking(plate: code, minutes: int) -> ok
pay {minutes} minutes of parking for {plate}
My car {plate} stands here for {minutes} minutes.
extend parking of {plate} by {minutes} minutes
{plate} needs a parking ticket, {minutes} min
buy a parking ticket for {plate} over {minutes} minutes

report_lost(item: object, place: place) -> ok
I lost my {item} at {place}.
report a lost {item}, last seen at {place}
My {item} is gone, I had it at {place}.
Has anyone found a {item} at {place}?
I think I forgot my {item} at {place}

adopt_pet(animal: animal1, name: first) -> ok
adopt the {animal} {name}
I want to take the {animal} called {name} home.
we would love to have {name} the {animal}
Give {name} a home, the {animal} from the shelter.

walk_dog(dog: first, minutes: int) -> ok
walk {dog} for {minutes} minutes
{dog} needs to go out for {minutes} minutes.
take {dog} outside, {minutes} min
go around the block with {dog}, {minutes} minutes
{dog} has to stretch his legs for {minutes} minutes

book_vet(pet: first, date: date, reason?: text) -> appointment
get {pet} an appointment at the vet on {date}[: {reason}]
{pet} has to see the vet on {date}[, {reason}]
take {pet} to the vet on {date}[ because {reason}]
vet for {pet}, {date}[, {reason}]

borrow_tool(tool: object, days: small, owner?: first) -> ok
borrow a {tool} for {days} days[ from {owner}]
I could use a {tool} for {days} days[, {owner} has one].
ask[ {owner}] for the {tool}, {days} days are enough
Can I have the {tool}[ of {owner}] for {days} days?

plan_party(theme: title, guests: small, date: date) -> ok
plan a party {theme} for {guests} people on {date}
We celebrate {theme} on {date} with {guests} guests.
throw a {theme} party on {date}, {guests} of us
{date}: party with {guests} friends, theme {theme}

wish_birthday(friend: who, message?: text) -> ok
wish {friend} a happy birthday[ and add: {message}]
It's {friend}'s birthday, congratulate[ with {message}].
send birthday greetings to {friend}[ saying {message}]
{friend} turns a year older today[, write {message}]

split_bill(total: price, people: small) -> share
split {total} between {people} people
We were {people} and paid {total}, what's each one's part?
{total} shared by {people}
how much does each of the {people} of us owe when the bill is {total}

suggest_wine(dish: food, budget?: price) -> wine
which wine goes with {dish}[ for {budget}]
suggest a bottle to go with {dish}[, at most {budget}]
We're having {dish}, what should we drink[ for under {budget}]?
I need a red for {dish}[, not over {budget}]

count_calories(meal: food, grams: int) -> calories
how many calories have {grams} g of {meal}
I ate {grams} grams of {meal}, how bad is that?
energy of {grams} g {meal}?
count the calories in {grams} grams of {meal}

log_water(ml: int) -> ok
I drank {ml} ml
add {ml} ml of water
another {ml} milliliters went down
note {ml} ml for my water today

start_workout(kind: run|swim|yoga|row|climb, minutes: int) -> ok
start a {kind} of {minutes} minutes
I'll do {minutes} minutes of {kind}.
time for {kind}, {minutes} minutes
Let me {kind} for {minutes} min.
{minutes} minutes {kind} session

track_mood(mood: great|good|okay|bad|awful, note?: text) -> ok
I feel {mood} today[, {note}]
log my mood as {mood}[: {note}]
today was {mood}[ since {note}]
mood {mood}[, note {note}]

take_medicine(drug: drug, dose_mg: int, time?: clock) -> ok
I took {dose_mg} mg of {drug}[ at {time}]
log {dose_mg} milligrams {drug}[ at {time}]
{drug}, {dose_mg} mg[, {time}]
note down a dose of {dose_mg} mg {drug}[ taken at {time}]

book_doctor(doctor: titled, date: date, time?: clock) -> appointment
get me an appointment with {doctor} on {date}[ at {time}]
I have to see {doctor} on {date}[, {time} suits me].
can {doctor} see me on {date}[ at {time}]
{doctor}, {date}[, {time}] if possible

babysit(child: first, start: clock, end: clock) -> ok
someone must look after {child} from {start} to {end}
babysitter for {child}, {start} till {end}
{child} is alone between {start} and {end}.
find a sitter for {child} from {start} until {end}

sing_song(song: title, key?: code) -> ok
sing {song}[ in {key}]
Let's hear you sing {song}[ in the key {key}]
I'd like {song} sung[ in {key}].
perform {song}[, key {key}]

skip_song() -> ok
skip this one
next song
I don't like this song, go on to the next.
play the next track
jump to the following song
not this song again

pause_music() -> ok
pause the music
Silence for a minute please
stop playing for now
hold the song
quiet, I'm on the phone

like_song(song: title) -> ok
I like {song}
add a heart to {song}
thumbs up for {song}
{song} is my favorite, mark it

mute_tv() -> ok
mute the tv
no sound on the television please
silence the telly
The TV is too noisy, make it quiet.

change_channel(channel: int) -> ok
switch to channel {channel}
put {channel} on
what's on {channel}? Go there.
channel {channel}
zap to {channel}

record_show(show: title, channel?: int) -> ok
record {show}[ on channel {channel}]
I'll miss {show} tonight, tape it[, it's on {channel}].
don't let me miss {show}[ on {channel}]
capture {show}[ from channel {channel}]

print_photo(photo: path, copies?: small, size?: small|medium|large) -> ok
print {photo}[ {copies} times][ in {size}]
I want {photo} on paper[, {copies} copies][, {size}].
get me[ {copies}] prints of {photo}[ in {size} size]
put {photo} on paper[, {copies} of them][, {size}]

learn_word(word: word, language: language) -> ok
teach me {word} in {language}
add {word} to my {language} vocabulary
I want to remember the {language} for {word}.
practise the word {word} in {language}

spell(word: word) -> letters
how do you spell {word}
spell {word}
How is {word} written?
letters of {word} please

tell_story(topic: object, minutes?: small) -> story
tell a story about a {topic}[ for {minutes} minutes]
the kids want a tale of a {topic}[, {minutes} minutes long]
Once upon a time there was a {topic}: go on[ for {minutes} minutes].
bedtime story with a {topic}[, {minutes} min]

quiz_me(subject: word, questions?: small) -> ok
quiz me on {subject}[ with {questions} questions]
ask me[ {questions}] questions about {subject}
Let's see what I know about {subject}[, {questions} rounds].
test my {subject}[, {questions} questions please]

horoscope(sign: aries|taurus|gemini|leo|virgo|libra) -> text
what do the stars say for {sign}
I'm a {sign}, how will my week be?
horoscope for {sign}
read the stars of a {sign}

moon_phase(date: date) -> phase
what does the moon look like on {date}
will there be a full moon on {date}
phase of the moon for {date}
how much of the moon is visible on {date}

tide_times(harbor: city, date?: date) -> times
when is high water in {harbor}[ on {date}]
tides at {harbor}[, {date}]
At what time can I sail out of {harbor}[ on {date}]?
when does the sea come in at {harbor}[ on {date}]

snow_depth(resort: city) -> cm
how much snow lies in {resort}
is there enough snow to ski in {resort}
snow in {resort}?
Can we go skiing at {resort}?

send_flowers(to: who, flower: roses|tulips|lilies|orchids, count: small) -> ok
send {count} {flower} to {to}
{to} should get {count} {flower}.
surprise {to} with {count} {flower}
a bunch of {count} {flower} for {to}

send_card(to: who, address: address, text?: text) -> ok
send {to} a card to {address}[: {text}]
{to} lives at {address}, mail a postcard[ that says {text}]
a card for {to}, {address}[, text {text}]
"""

"""Everyday requests to an assistant: alarms, messages, travel, money; in the language of `templates`."""

EVERYDAY = """
set_alarm(time: clock, label?: title) -> ok
set an alarm for {time}[ called {label}]
wake me up at {time}[ with the label {label}]
I have to get up at {time}[, name it {label}]
An alarm at {time}[ named {label}], please.
ring me at {time}[, label {label}]

set_timer(minutes: small, label?: food) -> ok
set a timer for {minutes} minutes[ for the {label}]
start a {minutes} minute timer[ for {label}]
count down {minutes} minutes[, it's for the {label}]
Remind me in {minutes} minutes[ about the {label}].
time {minutes} minutes[ for the {label}]

get_weather(city: city, day?: day, unit?: celsius|fahrenheit) -> weather
What's the weather in {city}[ {day}][ in {unit}]?
How is the weather in {city}[ on {day}][, in {unit}]?
Will it rain in {city}[ {day}][, use {unit}]?
show me the weather in {city}[ for {day}][ in {unit}]
Do I need an umbrella in {city}[ {day}]?
Is it cold in {city}[ {day}][? In {unit}]
check the forecast for {city}[ for {day}][ in degrees {unit}]
How hot is {city}[ {day}][ in {unit}]?

send_email(to: email, subject: title, body?: text) -> ok
send an email to {to} with the subject {subject}[ saying {body}]
email {to} about {subject}[: {body}]
write a mail to {to}, subject {subject}[, text {body}]
mail {to}, the subject is {subject}[ and the body is {body}]
drop {to} a line about {subject}[ that says {body}]

send_message(to: person, text: text) -> ok
send a message to {to}: {text}
tell {to} {text}
text {to} that {text}
write to {to}: {text}
let {to} know: {text}
message {to} saying {text}
send {text} to {to}

call_contact(name: person) -> ok
call {name}
ring {name} up
I want to talk to {name}.
phone {name}
get {name} on the phone
dial {name}'s number

play_song(title: title, artist?: person, volume?: percent) -> ok
play {title}[ by {artist}][ at volume {volume}]
put on {title}[ by {artist}][ at {volume}]
I want to hear {title}[ from {artist}][ at {volume} volume].
start the song {title}[ by {artist}][ with volume {volume}]
Let me listen to {title}[ by {artist}].

set_volume(level: percent) -> ok
set the volume to {level}
turn the sound to {level}
make it {level} loud
volume {level}
change the loudness to {level}

set_light(room: kitchen|bedroom|garage|hall|garden|office, on: bool, brightness?: percent) -> ok
turn {on:on/off} the light in the {room}[ at {brightness}]
switch the {room} light {on:on/off}[ with brightness {brightness}]
the {room} should be {on:lit/dark}[, brightness {brightness}]
lights {on:on/off} in the {room}[ at {brightness}]
make the {room} {on:bright/dark}[ at {brightness}]

set_temperature(room: word, degrees: temp) -> ok
set the {room} to {degrees} degrees
heat the {room} to {degrees} degrees
I want {degrees} degrees in the {room}.
make it {degrees} degrees in the {room}
change the temperature of the {room} to {degrees}

create_event(title: title, date: date, time?: clock, guests?: people) -> event
create an event {title} on {date}[ at {time}][ with {guests}]
put {title} into my calendar on {date}[ at {time}][ and invite {guests}]
schedule {title} for {date}[ at {time}][ with {guests}]
add {title} to the calendar for {date}[, {time}][, guests are {guests}]
We have {title} on {date}[ at {time}][ together with {guests}], note it down.

add_reminder(text: text, when?: day) -> ok
remind me: {text}[, {when}]
add a reminder: {text}[, {when}]
make a note to remind me of {text}[ on {when}]
don't let me forget: {text}[, due {when}]
new reminder {text}[ for {when}]

translate(text: text, language: language) -> text
translate {text} into {language}
How do you say {text} in {language}?
What is {text} in {language}?
put {text} into {language}
turn {text} to {language}
I need the {language} for {text}.

book_table(restaurant: title, people: small, date?: day, time?: clock) -> booking
book a table for {people} at {restaurant}[ on {date}][ at {time}]
reserve a table at {restaurant} for {people} people[ {date}][ at {time}]
We are {people} and want to eat at {restaurant}[ on {date}][ at {time}].
get us a table at {restaurant}, {people} persons[, {date}][, {time}]
dinner at {restaurant} for {people}[, {date}][ at {time}]

book_flight(origin: city, destination: city, date: date, class_?: economy|business|first) -> booking
book a flight from {origin} to {destination} on {date}[ in {class_}]
I want to fly from {origin} to {destination} on {date}[, {class_} class].
get me a {date} flight to {destination} from {origin}[ in {class_} class]
fly me from {origin} to {destination} on {date}[ in {class_}]
reserve a plane ticket {origin} to {destination}, {date}[, {class_}]

book_hotel(city: city, nights: small, guests?: small, breakfast?: bool) -> booking
book a hotel in {city} for {nights} nights[ for {guests} guests][ {breakfast:with/without} breakfast]
I need a room in {city}, {nights} nights[, {guests} persons][, {breakfast:with/without} breakfast].
find me a place to stay in {city} for {nights} nights[ for {guests}][, breakfast {breakfast:included/not needed}]
reserve {nights} nights in {city}[ for {guests} people][ {breakfast:with/without} breakfast]

search_trains(origin: city, destination: city, time?: clock) -> train
find a train from {origin} to {destination}[ at {time}]
When does a train leave {origin} for {destination}[ around {time}]?
How do I get from {origin} to {destination} by train[ after {time}]?
search trains {origin} to {destination}[ {time}]
What trains go from {origin} to {destination}[ at {time}]?

get_directions(start: title, end: title, mode?: walk|bike|car|bus) -> route
How do I get from {start} to {end}[ by {mode}]?
show the way from {start} to {end}[ by {mode}]
give me directions from {start} to {end}[ by {mode}]
What's the route between {start} and {end}[ by {mode}]?
navigate from {start} to {end}[ using the {mode}]

order_food(dish: food, quantity: small, address?: title) -> order
order {quantity} {dish}[ to {address}]
I'd like {quantity} {dish}[ delivered to {address}].
get me {quantity} portions of {dish}[ to {address}]
We are hungry: {quantity} {dish}[ to {address}], please.
buy {quantity} {dish}[ and bring them to {address}]

add_to_cart(item: word, quantity?: small) -> ok
put the {item} into my cart[, {quantity} of them]
add the {item} to the basket[, {quantity} pieces]
I'd like to buy the {item}[, {quantity} times].
place the {item} in my shopping cart[, quantity {quantity}]

add_to_list(list: word, item: food) -> ok
add {item} to the {list} list
put {item} on my {list} list
write {item} on the list {list}
we need {item}, add it to the {list} list
note {item} in the {list} list

transfer_money(to: person, amount: price, note?: title) -> transfer
send {amount} to {to}[ with the note {note}]
transfer {amount} to {to}[ for {note}]
pay {to} {amount}[ for {note}]
I owe {to} {amount}[ for {note}], pay it back.
wire {to} {amount}[, note {note}]

convert_currency(amount: price, source: EUR|USD|GBP|JPY|CHF, target: EUR|USD|GBP|JPY|CHF) -> amount
How much is {amount} from {source} in {target}?
convert {amount} from {source} to {target}
change {amount} {source} into {target}
What are {amount} {source} worth in {target}?
exchange {amount} of {source} for {target}

get_stock_price(symbol: code) -> price
What's the stock price of {symbol}?
How much is a share of {symbol}?
look up the price of {symbol} shares
quote {symbol}
What does {symbol} trade at?

get_time(city: city) -> time
What time is it in {city}?
tell me the time in {city}
How late is it in {city} right now?
What's the local time in {city}?
current time {city}

search_web(query: title, limit?: small) -> results
search the web for {query}[, {limit} results]
google {query}[ and give me {limit} hits]
look up {query} online[, at most {limit} results]
find something about {query} on the internet[, {limit} links]
What does the web say about {query}?
"""

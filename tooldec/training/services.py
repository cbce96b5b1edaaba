"""Requests to files, tickets, servers and devices; in the language of `templates`."""

SERVICES = """
read_file(path: path) -> text
read the file {path}
show me what's in {path}
open {path} and read it
What does {path} contain?
print the content of {path}

write_file(path: path, text: text) -> ok
write {text} to {path}
save {text} in the file {path}
put {text} into {path}
store the text {text} as {path}

delete_file(path: path) -> ok
delete {path}
remove the file {path}
get rid of {path}
throw {path} away
erase {path} from the disk

rename_file(old: path, new: path) -> ok
rename {old} to {new}
change the name of {old} to {new}
call the file {old} {new} from now on
give {old} the new name {new}

copy_file(source: path, target: path, overwrite?: bool) -> ok
copy {source} to {target}[ {overwrite:and overwrite it/but don't overwrite}]
make a copy of {source} at {target}[, {overwrite:overwriting/not overwriting}]
duplicate {source} as {target}[ {overwrite:with/without} overwriting]
put a copy of {source} into {target}

resize_image(path: path, width: int, height: int) -> path
resize {path} to {width} by {height}
make {path} {width} x {height} pixels
scale the image {path} to {width}x{height}
change the size of {path} to {width} times {height}

run_tests(path: path, verbose?: bool) -> report
run the tests in {path}[ {verbose:verbosely/quietly}]
test {path}[, {verbose:show all output/keep it short}]
Do the tests in {path} pass?
execute the tests of {path}

create_ticket(title: title, priority: low|medium|high|urgent, assignee?: person) -> ticket
open a ticket {title} with priority {priority}[ for {assignee}]
create a {priority} priority ticket called {title}[, assign it to {assignee}]
file a {priority} issue {title}[ for {assignee}]
There is a problem, {title}. Make it a {priority} ticket[ for {assignee}].

assign_task(task: code, person: person) -> ok
assign task {task} to {person}
give {task} to {person}
let {person} take care of {task}
{person} should do {task}.
put {person} on task {task}

update_status(order: code, status: open|shipped|delivered|cancelled) -> ok
set order {order} to {status}
mark {order} as {status}
change the status of {order} to {status}
Order {order} is now {status}.
{order} was {status}, update it

track_package(number: code) -> status
Where is my package {number}?
track parcel {number}
When does {number} arrive?
What's the status of shipment {number}?
find package {number}

cancel_booking(id: code, refund?: bool) -> ok
cancel booking {id}[ {refund:with/without} a refund]
I don't need reservation {id} any more[, {refund:refund it/no refund}].
call off {id}[ {refund:and refund me/without a refund}]
drop my reservation {id}

create_user(name: person, email: email, admin?: bool) -> user
create a user {name} with {email}[ {admin:as an admin/without admin rights}]
sign up {name}, mail {email}[, {admin:admin/not an admin}]
add {name} ({email}) as a user[, {admin:with/without} admin rights]
make an account for {name} with the address {email}[, admin: {admin:yes/no}]

get_user(id: int) -> user
show user {id}
Who is user number {id}?
get the user with id {id}
look up user {id}
give me the details of user {id}

list_orders(customer: person, limit?: small, status?: open|paid|shipped) -> orders
list the orders of {customer}[, at most {limit}][, only {status} ones]
What did {customer} order[, last {limit}]?
show me {customer}'s orders[, {limit} of them][ that are {status}]
give me the[ last {limit}][ {status}] orders from {customer}

log_run(distance: float, minutes: int) -> ok
log a run of {distance} km in {minutes} minutes
I ran {distance} kilometers in {minutes} minutes.
note my run: {distance} km, {minutes} min
record {distance} km of running, it took {minutes} minutes

log_meal(food: food, grams: int, meal?: breakfast|lunch|dinner|snack) -> ok
log {grams} grams of {food}[ for {meal}]
I ate {grams} g of {food}[ for {meal}].
record my[ {meal}] food: {grams} grams {food}
note that I had {grams} g {food}[ at {meal}]

water_plant(plant: word, times?: small) -> ok
water the {plant}[ {times} times]
give the {plant} some water[, {times} times]
The {plant} is dry[, water it {times} times].
the {plant} needs water

feed_pet(name: person, food: food, grams?: int) -> ok
feed {name} with {food}[, {grams} grams]
give {name}[ {grams} grams of] {food}
{name} is hungry, give some {food}[, {grams} g].
serve {food} to {name}[, {grams} grams]

lock_door(door: word, code?: int) -> ok
lock the {door}[ with code {code}]
make sure the {door} is locked[, code {code}]
secure the {door}[ with {code}]
close the {door} for the night[, the code is {code}]

start_robot(room: word, mode?: quiet|normal|turbo) -> ok
vacuum the {room}[ in {mode} mode]
let the robot clean the {room}[ in {mode} mode]
start cleaning the {room}[, mode {mode}]
The {room} is dirty, clean it[ in {mode} mode].

take_photo(camera: front|back|drone, flash?: bool) -> photo
take a photo with the {camera} camera[ {flash:with/without} flash]
snap a picture using the {camera} camera[, flash {flash:on/off}]
make a {camera} photo[ {flash:with/without} flash]
use the {camera} camera for a shot[, {flash:with/without} the flash]

define_word(word: word) -> text
What does {word} mean?
define {word}
explain the word {word}
look up {word} in the dictionary
What is the meaning of {word}?

get_recipe(dish: food, vegan?: bool) -> recipe
How do I cook {dish}[, {vegan:vegan/not vegan}]?
give me a recipe for {dish}[, {vegan:vegan/it need not be vegan}]
find a recipe with {dish}[, {vegan:vegan/with meat}]
I want to make {dish}.

rate_movie(title: title, stars: small) -> ok
rate {title} with {stars} stars
give {title} {stars} stars
{title} deserves {stars} stars.
I'd give the film {title} {stars} out of ten.

find_movie(title: title, year?: year) -> movie
find the movie {title}[ from {year}]
Where can I watch {title}[, the one of {year}]?
search for the film {title}[ ({year})]
show me {title}[ from {year}]

create_playlist(name: title, public?: bool) -> playlist
create a playlist {name}[ that is {public:public/private}]
make a new[ {public:public/private}] playlist called {name}
I need a playlist named {name}[, {public:public/private}].
start a playlist with the name {name}

add_songs(playlist: title, songs: words) -> ok
add {songs} to the playlist {playlist}
put the songs {songs} into {playlist}
the playlist {playlist} needs {songs}
extend {playlist} with {songs}

post_update(text: text, tags?: words) -> post
post {text}[ with the tags {tags}]
publish {text}[, tagged {tags}]
share {text} with my followers[, tags: {tags}]
write on my wall {text}[, tag it {tags}]

invite(people: people, event: title) -> ok
invite {people} to {event}
ask {people} to come to {event}
{people} should join {event}.
send invitations for {event} to {people}

sort_numbers(numbers: ints, descending?: bool) -> numbers
sort {numbers}[ in {descending:descending/ascending} order]
put {numbers} in order[, {descending:largest/smallest} first]
order the numbers {numbers}[ {descending:downwards/upwards}]
arrange {numbers} by size

roll_dice(count: small, sides?: small) -> rolls
roll {count} dice[ with {sides} sides]
throw {count} dice[ of {sides} sides]
cast {count}[ {sides}-sided] dice
Let the dice roll, {count} of them[ with {sides} sides].

open_url(url: url) -> ok
open {url}
go to {url}
visit the page {url}
show me the website {url}
load {url} in the browser

shorten_url(url: url) -> url
shorten {url}
make a short link for {url}
give me a shorter address for {url}
turn {url} into a short url

restart_server(name: code, force?: bool) -> ok
restart {name}[ {force:by force/gently}]
reboot the server {name}[, {force:force it/don't force it}]
{name} hangs, start it again[ {force:with/without} force].
bring server {name} down and up again

deploy(service: word, version: code, environment?: staging|production|test) -> ok
deploy {service} {version}[ to {environment}]
roll out version {version} of {service}[ on {environment}]
ship {service} in version {version}[ to {environment}]
release {service} {version}[ to {environment}]

query_database(table: word, limit: int) -> rows
show {limit} rows of the table {table}
select the first {limit} rows from {table}
give me {limit} entries of {table}
query {table} for {limit} records

get_news(topic: thing, count?: small, language?: language) -> news
What's new about {topic}[, {count} articles][, in {language}]?
show me[ {count}] news about {topic}[ in {language}]
give me the headlines on {topic}[, {count} of them][, in {language}]
any news about {topic}[? {count} are enough]

days_between(start: date, end: date) -> days
How many days are there between {start} and {end}?
count the days from {start} to {end}
How long is it from {start} until {end}?
days between {start} and {end}?

estimate_taxi(start: title, end: title, passengers?: small) -> price
What does a taxi from {start} to {end} cost[ for {passengers} people]?
estimate a cab ride from {start} to {end}[, {passengers} passengers]
How expensive is a ride from {start} to {end}[ with {passengers} people]?
taxi fare {start} to {end}[, {passengers} persons]

charge_car(level: percent, until?: clock) -> ok
charge the car to {level}[ by {until}]
fill the car's battery up to {level}[ until {until}]
I need the car at {level}[ at {until}].
load my car to {level}[, ready at {until}]

paint_wall(room: word, color: color, coats?: small) -> ok
paint the {room} {color}[ with {coats} coats]
the {room} should be {color}[, {coats} coats of paint]
make the {room} {color}[, {coats} layers]
give the {room} a {color} paint[, {coats} times]

encode_text(text: text, method: base64|hex|rot13) -> text
encode {text} with {method}
turn {text} into {method}
What is {text} in {method}?
apply {method} to {text}

count_words(text: text) -> count
count the words in {text}
How many words are in {text}?
How many words does {text} have?
tell me how long {text} is in words

reverse_text(text: word) -> text
reverse {text}
write {text} backwards
What is {text} spelled backwards?
turn the word {text} around

generate_password(length: small, symbols?: bool) -> password
generate a password of {length} characters[ {symbols:with/without} symbols]
make up a {length} character password[, {symbols:use/no} symbols]
I need a password with {length} letters[ {symbols:and/without} symbols].
give me a new password, length {length}[, {symbols:with/without} special signs]

rent_bike(station: title, hours: small, helmet?: bool) -> rental
rent a bike at {station} for {hours} hours[ {helmet:with/without} a helmet]
I need a bicycle from {station}, {hours} hours[, {helmet:with/without} helmet].
get me a bike for {hours} hours at {station}
take a bike out at {station} for {hours} h[, {helmet:helmet too/no helmet}]

make_coffee(kind: espresso|latte|cappuccino|americano, sugar?: small, milk?: bool) -> ok
make me a {kind}[ with {sugar} sugars][ {milk:with/without} milk]
one {kind}[, {sugar} spoons of sugar][, {milk:with/no} milk]
brew a {kind}[ with {sugar} pieces of sugar][ and {milk:milk/no milk}]
I could use a {kind}[ with {sugar} sugars].
"""

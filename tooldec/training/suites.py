"""Suites of a few tools each, as one pastes them: neighbors share their subject; in the language of `templates`."""

SUITES = """
add_event(title: proper, date: date, time?: clock) -> ok
put {title} in the calendar for {date}[ at {time}]
{title} is on {date}[ at {time}], note it
there will be {title} on {date}[, {time}]
enter {title}, {date}[ {time}]
new entry on {date}[ at {time}]: {title}
I'm going to {title} on {date}[ at {time}]

remove_event(title: proper) -> ok
{title} is off
cancel {title}
delete the event {title}
take {title} out of my diary
I won't go to {title}, strike it from the calendar
{title} doesn't take place

reschedule_event(title: proper, new_date: date) -> ok
move {title} to {new_date}
{title} will be on {new_date} instead
shift {title} to {new_date}
push {title} to {new_date}
put {title} off until {new_date}
{title} now takes place on {new_date}

show_events(date: date) -> events
what do I have on {date}
what's planned for {date}
show my calendar for {date}
am I free on {date}?
appointments on {date}
my schedule on {date}?

invite_guest(event: proper, guest: who) -> ok
{guest} should come to {event}
ask {guest} to {event}
invite {guest} to {event}
tell {guest} about {event}, I want them there
add {guest} to the guests of {event}

waterPlant(plant: object, liters?: float) -> ok
the {plant} is thirsty[, {liters} liters]
the {plant} needs water[, {liters} l]
pour[ {liters} liters of] water on the {plant}
the leaves of the {plant} hang, it's too dry[: {liters} liters]
water the {plant}[ with {liters} l]

repotPlant(plant: object, pot: small|medium|large|huge) -> ok
the {plant} needs a {pot} pot
move the {plant} into a {pot} pot
put the {plant} in something {pot}
a {pot} pot for the {plant}
replant the {plant}, {pot} pot

trimPlant(plant: object, cm?: small) -> ok
cut the {plant} back[ by {cm} cm]
the {plant} has grown too long[, take off {cm} cm]
shorten the {plant}[ {cm} cm]
clip the {plant}[, {cm} centimeters]
take the shears to the {plant}

fertilizePlant(plant: object, grams: int) -> ok
feed the {plant} with {grams} grams
the {plant} gets {grams} g of fertilizer
give {grams} grams of food to the {plant}
{grams} g of fertilizer for the {plant}

checkPlant(plant: object) -> state
how is the {plant} doing
is the {plant} healthy
what does the {plant} look like
look at the {plant} for me
does the {plant} have enough light?

text_person(person: who, message: text) -> ok
text {person}: {message}
send a message to {person}: {message}
let {person} know {message}
write {person} that {message}
{person} must be told: {message}
tell {person} {message}

call_person(person: who) -> ok
ring {person}
get {person} on the phone
I need to speak to {person}
call {person} up
give {person} a ring
phone {person}

call_number(number: phone) -> ok
dial {number}
ring up {number}
connect me with {number}
call {number}
the number is {number}, call it

mute_group(group: proper, hours: small) -> ok
no messages from {group} for {hours} hours
I need {hours} hours of peace from {group}
silence {group}, {hours} hours
don't bother me with {group} for {hours} hours
{group} is annoying, mute it for {hours} hours

block_person(person: user) -> ok
block {person}
{person} must not write to me any more
I've had enough of {person}
never let {person} reach me again
keep {person} away from me

payPerson(to: who, amount: price, note?: proper) -> ok
send {amount} to {to}[ for {note}]
give {to} {amount}[, note {note}]
pay {to} {amount}[ with the note {note}]
{to} should get {amount}[ for {note}]
transfer {amount} to {to}[, reference {note}]
I owe {to} {amount}

checkBalance(account: word) -> amount
how much money is in {account}
what's left in {account}
what do I have on {account}
show the balance of {account}
is there anything left on {account}?

lockCard(digits: int) -> ok
my card ending in {digits} is gone
lock the card {digits}
somebody stole the card with {digits} at its end
freeze the card that ends in {digits}
card {digits} must be blocked at once

rateOf(source: currency, target: currency) -> rate
what's the rate from {source} to {target}
how many {target} is one {source}
{source} to {target}?
how does {source} stand against {target}
exchange rate {source} {target}

put_in_cart(product: object, quantity: small) -> ok
I'd like {quantity} {product}s
{quantity} of the {product}s in my cart please
add {quantity} {product}s to the basket
I'll take {quantity} {product}s
put {quantity} {product}s into the cart

use_voucher(code: code) -> ok
use the voucher {code}
I have a discount code: {code}
my coupon is {code}
apply {code} to my order
take {code} off the price

track_delivery(number: int) -> status
where is order {number}
has {number} been sent
when will {number} be here
where has my parcel {number} got to
what happened to order {number}
how far is {number}

send_back(number: int, reason: reason) -> ok
return {number} because {reason}
I'm sending order {number} back, {reason}
{number} goes back: {reason}
take {number} back, the reason is {reason}

convertPicture(path: picture, format: png|jpg|gif|webp) -> path
turn {path} into a {format}
I need {path} as {format}
make {path} a {format}
save {path} as {format}
change {path} to {format}

rotatePicture(path: picture, degrees: angle) -> path
turn {path} by {degrees} degrees
rotate {path} {degrees} degrees
{path} is upside down, {degrees} degrees
spin {path} by {degrees}

scalePicture(path: picture, width: int, height: int) -> path
make {path} {width} by {height}
resize {path} to {width} x {height}
{path} should be {width} wide and {height} high
bring {path} to {width} by {height} pixels

zipFolder(folder: folder) -> path
zip {folder}
pack {folder} up
make an archive of {folder}
compress {folder}
put {folder} in one zip
"""

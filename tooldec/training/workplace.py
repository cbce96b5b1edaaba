"""Requests at work, in shops, offices, labs and workshops, in many manners; in the language of `templates`."""

WORKPLACE = """
approve_leave(employee: who, start: date, end: date) -> ok
approve {employee}'s holiday from {start} to {end}
{employee} may stay away between {start} and {end}.
let {employee} have time off, {start} until {end}
vacation of {employee} {start} - {end}: granted

hire(candidate: person, role: role, salary?: big) -> ok
hire {candidate} as {role}[ for {salary}]
{candidate} gets the job as {role}[, salary {salary}].
offer {candidate} the position of {role}[ at {salary} a year]
take {candidate} on as our new {role}[, {salary}]

fire_worker(worker: who) -> ok
fire {worker}
let {worker} go
{worker} doesn't work here any more
end {worker}'s contract

pay_bonus(worker: who, amount: big) -> ok
pay {worker} a bonus of {amount}
{worker} has earned an extra {amount}.
reward {worker} with {amount}
{amount} on top for {worker}

clock_in(worker: who, time?: clock) -> ok
{worker} begins work[ at {time}]
clock {worker} in[ at {time}]
{worker} has arrived[ at {time}]
mark {worker} as present[ since {time}]

order_supplies(article: object, quantity: int, supplier?: company) -> order
order {quantity} {article}s[ from {supplier}]
we're running low on {article}s, get {quantity}[ at {supplier}]
{quantity} more {article}s please[, {supplier} has them]
stock up on {quantity} {article}s[ with {supplier}]
purchase {quantity} of the {article}s[ of {supplier}]

check_stock(article: object, warehouse?: city) -> count
how many {article}s are left[ in {warehouse}]
do we still have {article}s[ in {warehouse}]
is the {article} in stock[ at {warehouse}]
stock of {article}s[ in {warehouse}]?
Are there {article}s on the shelf[ in {warehouse}]?

change_price(article: object, price: price) -> ok
the {article} costs {price} now
sell the {article} for {price}
set the price of the {article} to {price}
from tomorrow on we take {price} for a {article}
mark the {article} down to {price}

ship_order(order: code, carrier: dhl|ups|post|courier, express?: bool) -> tracking
ship {order} with {carrier}[ {express:express/at normal speed}]
{order} can leave the house by {carrier}[, {express:it's urgent/no hurry}]
hand {order} over to {carrier}[ {express:as express/as standard}]
send order {order} off via {carrier}

return_order(order: code, reason: reason) -> ok
I'm sending {order} back, {reason}
return {order} because {reason}
take back {order}: {reason}
{order} goes back to you since {reason}
I don't want to keep order {order}, {reason}

add_item(product: object, quantity?: small) -> ok
I'll have[ {quantity}] {product}
put[ {quantity}] {product} in my basket
add[ {quantity}] {product} to the cart
[{quantity} ]{product}, I'll take it
into the bag with[ {quantity}] {product}

clear_cart() -> ok
empty my basket
throw everything out of the cart
I don't want any of it, clear the cart
start over with an empty cart

redeem_code(code: code) -> ok
redeem {code}
I've got a gift card {code}
my voucher says {code}
use code {code} at checkout
there is a promo code, {code}

leave_review(product: object, stars: small, text?: text) -> ok
{stars} stars for the {product}[: {text}]
rate the {product} {stars} out of ten[ and write {text}]
review the {product} with {stars} stars[, {text}]
I'd give the {product} {stars}[, because {text}]

compare_prices(product: object, shops: companies) -> prices
where is the {product} cheapest, {shops}
compare what a {product} costs at {shops}
who sells the {product} for less: {shops}
prices of the {product} at {shops}

transfer_money(recipient: who, amount: price, purpose?: title) -> ok
send {amount} to {recipient}[ for {purpose}]
I owe {recipient} {amount}[, write {purpose}].
wire {recipient} {amount}[ with the reference {purpose}]
{recipient} gets {amount} from my account[, purpose {purpose}]
pay {recipient} {amount}[ for {purpose}]
hand {amount} over to {recipient}[ ({purpose})]

account_balance(account: savings|checking|travel|joint) -> amount
how much is in my {account} account
what's left on {account}
balance of {account}
am I rich? Look at {account}.
show what I have in {account}

block_card(last_four: int, reason?: lost|stolen|broken) -> ok
block the card ending in {last_four}[, it was {reason}]
somebody took my card, last digits {last_four}[: {reason}]
freeze {last_four}[ because it's {reason}]

exchange_money(amount: price, from_currency: currency, to_currency: currency) -> amount
change {amount} from {from_currency} to {to_currency}
how many {to_currency} do I get for {amount} {from_currency}
{amount} {from_currency} in {to_currency}?
what's {amount} worth in {to_currency} when I have {from_currency}

loan_rate(amount: big, years: small) -> rate
what would a loan of {amount} over {years} years cost
I want to borrow {amount} for {years} years.
monthly rate for {amount} and {years} years?
finance {amount} across {years} years

buy_stock(symbol: ticker, shares: int, limit?: price) -> ok
buy {shares} {symbol}[ at {limit} or less]
get {shares} shares of {symbol}[, limit {limit}]
invest in {symbol}: {shares} pieces[, not over {limit}]
I want {shares} more {symbol}[ for {limit} at most]

sell_stock(symbol: ticker, shares: int) -> ok
sell {shares} {symbol}
get rid of {shares} shares of {symbol}
dump {shares} {symbol}
I'm out of {symbol}, all {shares} of them

file_tax(year: year, income: big) -> ok
my income in {year} was {income}, file it
taxes for {year} on {income}
declare {income} for {year}
hand in the tax papers of {year}, I made {income}

assign_seat(passenger: person, seat: code) -> ok
{passenger} sits in {seat}
put {passenger} in seat {seat}
seat {seat} is for {passenger}
assign {seat} to {passenger}

check_in(booking: code, bags?: small) -> ok
check in {booking}[ with {bags} bags]
I'd like to check in, my booking is {booking}[ and I have {bags} bags]
{booking}[, {bags} pieces of luggage]
here for my flight, {booking}[, {bags} bags]

flight_status(flight: flight) -> status
is {flight} late
when does {flight} land
has {flight} taken off yet
status of flight {flight}
I'm waiting for {flight}, any delay?

change_gate(flight: flight, gate: code) -> ok
{flight} now leaves from {gate}
move {flight} to gate {gate}
gate {gate} for {flight}
the new gate of {flight} is {gate}

reserve_room(hotel: title, nights: small, breakfast?: bool) -> booking
a room at {hotel} for {nights} nights[ {breakfast:with/without} breakfast]
we'd like to stay {nights} nights at {hotel}[, {breakfast:breakfast included/no breakfast}]
sleep at {hotel}, {nights} nights[, {breakfast:and breakfast/but no breakfast}]
can I get {nights} nights in {hotel}

weather_alert(region: place, level: yellow|orange|red) -> ok
warn {region} of storms, level {level}
{level} alert for {region}
set the storm warning in {region} to {level}
people in {region} need a {level} warning

dispatch(unit: fire|police|ambulance, address: address) -> ok
send the {unit} to {address}
{unit} needed at {address}!
an emergency at {address}, we need {unit}
get {unit} over to {address} quickly

admit_patient(patient: person, ward: ward) -> ok
admit {patient} to {ward}
{patient} will be staying in {ward}
find a bed for {patient} in {ward}
bring {patient} up to {ward}

prescribe(patient: titled, drug: drug, dose_mg: int) -> ok
prescribe {dose_mg} mg of {drug} for {patient}
{patient} should take {dose_mg} mg {drug}
give {patient} {drug}, {dose_mg} mg
write a prescription: {drug} {dose_mg} mg, for {patient}

measure_pressure(patient: titled) -> value
take {patient}'s blood pressure
what is the blood pressure of {patient}
measure how high the pressure of {patient} is
blood pressure, {patient}

book_lab(lab: title, date: date, hours: small) -> ok
the lab {lab} is ours on {date} for {hours} hours
book {lab} on {date}, {hours} h
we need {lab} for {hours} hours on {date}
can we get {lab} on {date} for {hours} hours

mix_solution(solute: drug, grams: float, liters: float) -> ok
dissolve {grams} g of {solute} in {liters} liters
mix {grams} grams {solute} into {liters} l
I need a solution: {solute}, {grams} g on {liters} l
put {grams} g {solute} in {liters} liters of water

heat_sample(sample: code, celsius: temp, minutes: int) -> ok
heat {sample} to {celsius} degrees for {minutes} minutes
bring sample {sample} up to {celsius} C, {minutes} min
{sample} must be at {celsius} degrees for {minutes} minutes
warm {sample}, {celsius} degrees, {minutes} minutes

cut_board(length_cm: int, width_cm: int, count?: small) -> ok
cut[ {count}] boards of {length_cm} by {width_cm} cm
I need[ {count}] planks, {length_cm} cm long and {width_cm} cm wide
saw wood to {length_cm} x {width_cm}[, {count} pieces]
board {length_cm} by {width_cm}[, {count} of them]

drill_hole(diameter_mm: float, depth_mm: float) -> ok
drill a hole {diameter_mm} mm wide and {depth_mm} mm deep
I need a {diameter_mm} mm hole, {depth_mm} mm into the wall
bore {depth_mm} mm deep with {diameter_mm} mm
hole: {diameter_mm} by {depth_mm}

start_machine(machine: object, speed?: int) -> ok
start the {machine}[ at {speed} rpm]
get the {machine} going[ with speed {speed}]
the {machine} stands still, set it in motion[ at {speed}]
switch on the {machine}[, speed {speed}]

stop_machine(machine: object) -> ok
stop the {machine}
bring the {machine} to a halt
the {machine} must not run any longer
shut the {machine} down
emergency stop for the {machine}!

inspect_site(site: place, inspector: who) -> report
{inspector} should inspect {site}
have {inspector} look at {site}
send {inspector} to examine {site}
let {inspector} check {site}

draft_contract(client: company, months: small, fee: price) -> contract
draw up a contract with {client} for {months} months at {fee}
{client} signs for {months} months, fee {fee}
a contract: {client}, {months} months, {fee}
write the papers for {client}, {months} months, {fee} each

open_case(client: who, topic: reason) -> case
open a case for {client}: {topic}
{client} complains that {topic}
new case, {client}, {topic}
file a complaint of {client} because {topic}

close_case(number: code) -> ok
case {number} is done
close {number}
we've solved {number}
put an end to case {number}

grade_paper(student: person, points: int, comment?: text) -> ok
{student} gets {points} points[: {comment}]
give {student}'s paper {points} points[ and write {comment}]
{points} for {student}[, comment {comment}]
mark {student} with {points}[, {comment}]

register_course(student: person, course: subject) -> ok
put {student} down for {course}
{student} wants to take {course}
register {student} in {course}
a place in {course} for {student}
{student} would like to learn {course}

excuse_pupil(pupil: first, day: date, reason?: reason) -> ok
{pupil} can't come to school on {day}[, {reason}]
excuse {pupil} for {day}[ because {reason}]
{pupil} stays home on {day}[: {reason}]
my child {pupil} is ill on {day}[, {reason}]

borrow_book(title: title, weeks?: small) -> ok
I'd like to take {title} home[ for {weeks} weeks]
lend me {title}[ for {weeks} weeks]
check out {title}[, {weeks} weeks]
May I read {title}[ for {weeks} weeks]?

reserve_court(court: int, time: clock, players?: small) -> ok
court {court} at {time}[ for {players}]
we want to play on court {court} at {time}[, {players} of us]
reserve number {court} from {time}[, {players} players]
book court {court}, {time}[, {players} people]

record_score(home: int, away: int) -> ok
it ended {home} to {away}
final score {home}:{away}
the home team made {home}, the guests {away}
{home}-{away}, note it

cast_spell(spell: title, target: object, power?: small) -> ok
cast {spell} on the {target}[ with power {power}]
use {spell} against the {target}[, strength {power}]
hit the {target} with {spell}[ at {power}]
the {target} shall feel {spell}[, power {power}]

attack(enemy: object, weapon: object) -> damage
attack the {enemy} with the {weapon}
swing the {weapon} at the {enemy}
take the {weapon} and fight the {enemy}
strike down the {enemy} using the {weapon}

move_piece(piece: king|queen|rook|bishop|knight|pawn, square: square) -> ok
{piece} to {square}
move my {piece} to {square}
put the {piece} on {square}
I play {piece} {square}

steer(degrees: int, speed?: int) -> ok
turn to {degrees} degrees[ at speed {speed}]
course {degrees}[, {speed} knots]
steer {degrees}[, go {speed}]
new heading {degrees}[ with speed {speed}]

dock_ship(ship: title, pier: small) -> ok
dock {ship} at pier {pier}
{ship} comes in at pier {pier}
pier {pier} is for {ship}
bring {ship} alongside pier {pier}

scan_planet(planet: invented, range_km?: big) -> data
scan {planet}[ from {range_km} km]
what's down there on {planet}[, range {range_km}]
look at the planet {planet}[ out to {range_km} km]
sensors on {planet}[, {range_km} km]
"""

"""Requests in offices, shops and banks, in many manners; in the language of `templates`."""

WORKPLACE = """
donate(cause: company, amount: price, anonymous?: bool) -> ok
donate {amount} to {cause}[ {anonymous:anonymously/openly}]
give {amount} to {cause}[, {anonymous:my name stays secret/they may know my name}]
I'd like to support {cause} with {amount}[, {anonymous:anonymous/not anonymous}].
{cause} gets {amount} from me

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
"""

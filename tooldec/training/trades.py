"""Requests in hospitals, labs, workshops, schools and games, in many manners; in the language of `templates`."""

TRADES = """
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

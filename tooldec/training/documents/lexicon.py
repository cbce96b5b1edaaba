"""Words of one meaning, written for this project: a tool's name has one of them and a question may have another."""

from __future__ import annotations

import re
from functools import cache
from itertools import chain

from tooldec.training.documents.words import MORE_VERBS, SYNONYMS

VERBS = """
prune|cut back|trim|clip|shorten
call|ring|phone|dial|give a call to
water|irrigate|give water to|sprinkle
delete|remove|erase|get rid of|throw away|wipe
create|make|add|set up|new
cancel|call off|drop|abort
send|dispatch|ship|mail|pass on
buy|purchase|get|order|acquire
show|display|list|let me see|print
find|search for|look for|locate|look up
start|begin|launch|kick off|fire up|boot
stop|halt|end|shut down|switch off
restart|reboot|start again|relaunch
pause|hold|suspend|freeze
resume|continue|go on with|carry on with
close|shut|seal
open|unlock|unseal
lock|secure|bolt
book|reserve|secure a place in
rent|hire|lease
repair|fix|mend|patch up
clean|wash|scrub|wipe down|tidy
vacuum|hoover
paint|color|coat
measure|gauge|check the size of|take the measure of
weigh|find the weight of|put on the scales
count|tally|tell how many
compare|weigh up|contrast
merge|combine|join|unite|bring together
split|divide|break up|separate
sort|order|arrange|put in order
filter|sift|narrow down
rename|call differently|give a new name to
move|shift|relocate|bring over
copy|duplicate|clone|make a copy of
rotate|turn|spin
flip|mirror|turn over
crop|cut out|trim
resize|scale|change the size of
compress|zip|pack|zip up|make smaller
extract|unpack|unzip|take out
convert|turn into something else|transform
translate|put into another language|render
summarize|sum up|give the gist of|condense
explain|clarify|tell me about|describe
define|give the meaning of
rate|score|grade|give stars to
review|go over|assess|evaluate
approve|accept|give the okay to|sign off
reject|refuse|turn down|decline
assign|give|hand|entrust
invite|ask over|have over
greet|say hello to|welcome
notify|tell|inform|let know
warn|alert|caution
remind|don't let forget
message|text|write to|drop a line to
block|ban|keep out|bar
mute|silence|hush
follow|keep up with|subscribe to
share|pass around|let others see
publish|post|put online|release
upload|put up|send up
download|fetch|pull down|grab
save|store|keep|put away
load|read in|bring in
export|write out|dump
import|take in|read in
backup|save a copy of|secure
restore|bring back|recover|put back
update|refresh|bring up to date|renew
upgrade|improve|bring to a newer version
install|put on|set up
uninstall|take off
enable|turn on|switch on|activate
disable|turn off|switch off|deactivate
increase|raise|turn up|lift
decrease|lower|reduce|turn down|bring down
set|adjust|put|bring
pay|settle|hand over the money for
refund|pay back|give the money back for
charge|bill|send a bill for
transfer|wire|move money to
donate|give away|contribute
sell|get rid of|put up for sale
trade|swap|exchange
lend|loan|let someone have
borrow|take out|get on loan
return|bring back|give back|send back
renew|extend|prolong
postpone|delay|put off|push back
schedule|plan|set a date for|put on the calendar
track|follow|keep an eye on|find out where is
monitor|watch|observe|keep an eye on
inspect|examine|look over|check
test|try out|check
scan|search through|read
verify|confirm|make sure of|double-check
calculate|work out|compute|figure out
estimate|guess|roughly work out
predict|forecast|foresee
cook|prepare|make
bake|put in the oven
feed|give food to|nourish
plant|sow|put in the ground
harvest|bring in|pick|reap
mow|cut|trim
dig|excavate
build|construct|put up|assemble
demolish|tear down|knock down
draw|sketch|doodle
write|compose|put on paper
read|go through|have a look at
record|tape|capture
play|put on|let me hear|start
skip|go past|leave out|jump over
sing|perform
mix|blend|stir together
heat|warm up|make hot
cool|chill|make cold
fill|top up|fill up
empty|clear|drain
wrap|pack|put in paper
print|put on paper|run off
deliver|bring|take round
collect|pick up|gather
visit|go to see|drop in on
wake|get up|rouse
feed|give something to eat to
train|drill|teach
enroll|sign up|register|put down for
hire|take on|employ
fire|dismiss|let go
promote|move up|raise in rank
heal|cure|make well
attack|strike|hit
defend|protect|guard
dock|tie up|bring in
launch|send up|set off
steer|navigate|guide
park|leave|put
tow|drag away|pull away
escort|accompany|walk with
adopt|take in|give a home to
bathe|wash|give a bath to
brush|groom|comb
""".strip()

NOUNS = """
photo|picture|snapshot|image
image|picture|photo
email|mail|message
message|note|text
meeting|appointment|get-together
event|happening|occasion
calendar|diary|schedule|agenda
note|memo|jotting
task|to-do|job|chore
ticket|issue|request
order|purchase
parcel|package|box
cart|basket|shopping bag
voucher|coupon|gift card
invoice|bill
price|cost
weather|forecast|sky
temperature|heat|degrees
light|lamp
blind|shade|curtain
door|entrance
garden|yard|lawn
plant|flower
pet|animal
car|vehicle|auto
bicycle|bike
taxi|cab
flight|plane
train|rail
hotel|inn|place to stay
room|chamber
restaurant|place to eat|diner
dish|meal|food
recipe|instructions for cooking
drink|beverage
music|sound|tune
song|track|tune
movie|film|picture
book|novel|volume
file|document
folder|directory
report|summary
account|profile
user|member|account
password|login|secret word
contact|person
phone|telephone
number|figure
customer|client|buyer
employee|worker|colleague
student|pupil|learner
teacher|instructor
doctor|physician
medicine|drug|pill
patient|sick person
hospital|clinic
school|college
course|class
exam|test
grade|mark|score
job|position|post
salary|pay|wage
money|cash|funds
loan|credit
stock|share
city|town
country|nation|land
address|home|location
route|way|path
map|chart
capital|seat of government
population|number of people|inhabitants
author|writer
painter|artist
birthday|day of birth
spouse|partner|husband or wife
height|how tall
server|machine|host
service|process
log|record
database|data store
table|sheet
website|page|site
link|url|address
code|program
bug|error|fault
version|release
backup|safety copy
picture|drawing
alarm|wake-up call
timer|countdown
shop|store
game|match
player|gamer
team|squad
goal|aim|target
prize|award
friend|buddy|mate
child|kid
guest|visitor
neighbor|person next door
garbage|trash|rubbish
tool|instrument
machine|device|apparatus
robot|bot
""".strip()


@cache
def groups(kind: str) -> dict[str, tuple[str, ...]]:
    """The first word of each line → the other words: "prune" → ("cut back", "trim", …)."""
    lines = (line.split("|") for line in (VERBS if kind == "verbs" else NOUNS).splitlines())
    return {first: tuple(others) for first, *others in lines}


@cache
def imperatives() -> frozenset[str]:
    """Words that a request may begin with."""
    verbs = (*groups("verbs"), *chain(*groups("verbs").values()), *chain(*SYNONYMS), *MORE_VERBS)
    return frozenset(re.split("[ _]", verb)[0] for verb in verbs)

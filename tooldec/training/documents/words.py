"""Word lists, written for this project, from which the training documents are made.

A tenth of the verbs and nouns is held out of training, by a checksum of the word: `known(VERBS, "train")` and
`known(VERBS, "unseen")` are disjoint, so that questions about words that the model never saw can be measured.
"""

from __future__ import annotations

from zlib import crc32

SYNONYMS: tuple[tuple[str, ...], ...] = tuple(
    tuple(line.split())
    for line in """
get fetch retrieve obtain
find search locate look_up
show display present view
list enumerate
create make add
delete remove erase
update change modify edit
send dispatch transmit
book reserve
cancel abort revoke
start begin launch
stop halt end
open unlock
close shut
check verify validate
calculate compute work_out
convert transform turn
buy purchase order
sell trade
play stream
pause suspend
count tally
save store keep
copy duplicate clone
move shift relocate
rename relabel
set adjust configure
turn_on enable activate
turn_off disable deactivate
schedule plan arrange
assign allocate give
share publish post
upload submit
download pull
translate render
summarize condense
describe explain
rate score grade
compare contrast
sort rank
filter select
merge combine join
split divide
approve accept confirm
reject decline refuse
pay settle
refund reimburse
notify alert warn
invite ask
message text
call phone ring
track follow monitor
measure gauge
estimate predict forecast
repair fix mend
clean wash scrub
cook prepare
hire recruit
rent lease
print typeset
scan inspect examine
lock secure
encrypt encode
decrypt decode
register enroll sign_up
log record note
restart reboot reset
install deploy
backup archive
restore recover
import load
export dump
block ban
mute silence
draw sketch paint
build construct assemble
water irrigate
feed nourish
charge bill
transfer wire
tag label mark
delay postpone defer
review audit
""".strip().splitlines()
)
"""Verbs of one meaning: a question may use another one than the name of the tool."""

MORE_VERBS = tuple(
    """
accelerate adopt advertise align amend amplify analyze animate annotate appoint arm assess attach auction average
awaken balance bake bind blend blur bookmark boost bottle brew broadcast brush calibrate carry carve catalog catch
celebrate chart chase chill chop claim classify climb collect color compile compose compress connect consult cool
count cover crop crush cultivate cut dampen dance debug decorate defend deliver deploy deposit design detach detect
diagnose dim dive donate dock drain drill drive drop dry dust earn echo eject elect embed empty endorse engrave
enlarge escort evacuate evaluate exchange expand explore extend extract fade fasten fax ferment fertilize fetch file
fill finance finish fish flag flatten flip float flush fold forward frame freeze fry fund garnish gather generate
glue grant graph greet grill grind grow guard guess guide hang harvest hatch haul heal heat hide highlight hold host
hunt ignite illustrate immunize inflate inform ingest insert insulate insure iron isolate issue judge juggle knit
land laminate launder lend level lift light link liquidate listen lower lubricate mail map marinate mask match melt
migrate milk mine mint mix mow multiply name navigate negotiate nominate normalize observe offer oil operate
optimize overhaul own pack paint park paste patch patrol peel perform pick pilot pin pitch plant plate plough plot
plug polish pour praise press price probe process program promote prune pump punch purge push queue quote raise rake
reach read reap rebuild recall recite recycle redeem reduce refill reforest refresh refuel reheat release remind
renew replace reply report request rescue resize resolve rest retry return reverse revise reward ride rinse roast
roll rotate route row run sail salt sample sand scatter scrape screen sculpt seal season seat serve sew shape shave
shear shelve shield ship shred shuffle sift sign simulate sing skim slice slow smooth soak solder sow speak spin
spray spread sprout stack stain stamp steam steer stitch stir strengthen stretch subscribe summon supply survey swap
sweep sync tail tailor tame tape taste teach tear test thaw thin throttle throw tie tighten tilt time toast toss
tour tow trace train treat trigger trim trust tune twist type unpack unplug upgrade vaccinate value visit vote wake
walk warm watch wax weave weigh weld whisper widen wind wipe wrap write yield zip zoom
""".split()
)

NOUNS = tuple(
    """
account acid actor address advert agenda airport alarm album alert alley allowance almond ambulance anchor angle
animal answer ant antenna apartment apple appliance appointment apron aquarium arch archive area army arrow article
asset atlas atom attic auction author avatar axle baby backpack badge bag bakery balance ball balloon banana band
bandage bank banner barn barrel basket bat bath battery battle beach beacon bean bear bed bee beetle bell belt bench
berry bet bicycle bike bill bin bird birthday biscuit blanket blender block blog board boat body boiler bolt bond bone
bonus book booking border boss bottle bouquet bowl box bracelet branch brand bread brick bridge broom brush bucket
budget bug building bulb bunker bus bush button cabin cabinet cable cactus cage cake calendar camel camera camp canal
candle canoe canvas captain car caravan card cargo carpet carrot cart case castle cat catalog category cattle ceiling
cell cellar ceremony certificate chain chair chapter charger chart chat cheese chef cherry chest chicken child chimney
choir church cinema circle circuit city class classroom client cliff climate clinic clock cloud clown club coach coal
coast coat code coffee coin collar color column comet comment company compass complaint component computer concert
conference contact container contest contract conversation cookie corner cottage cotton counter country coupon course
court cousin cow crane crate crater crayon creditor crew cricket crop crowd crown cruise cup currency curriculum
curtain curve cushion customer cycle dam dashboard database dataset date deadline deal debt deck deer degree delivery
demand dentist department deposit desert desk dessert device diagram diamond diary dictionary diet dinner diploma dish
distance district doctor document dog doll dolphin domain donation donkey door dough draft dragon drain drawer dream
dress drill drink driver drone drum duck duel duty eagle earring earth earthquake echo editor egg election elephant
elevator email ember employee engine entry envelope episode equation error estate event exam exchange exercise
exhibit expense expert factory fair falcon family fan farm fax feather fee feedback fence fern ferry festival field
file film filter fine finger fire firm fish flag flame flash flask fleet flight flock floor flour flower flute folder
food forecast forest form formula fort fountain fox fraction frame freight fridge friend frog fruit fuel fund furnace
galaxy gallery game garage garden garlic garment gas gate gauge gear gem gene ghost giant gift ginger glacier glass
globe glove goal goat gold goose grain grant grape graph grass grave grid grill group guard guest guide guild guitar
gum habit hail hall hammer hamster handle harbor harp hat hawk headline heater hedge height helicopter helmet herb
herd hero hike hill hinge hint hive holiday homework honey hood hook horn horse hose hospital hostel hotel house
hub hut ice icon idea igloo image income index ingredient ink insect instrument insurance interview invoice iron
island item jacket jam jar jeep jet jewel job joke journal journey judge juice jungle jury kennel kettle key
keyboard kingdom kit kitchen kite knee knife knight knot label laboratory ladder ladle lake lamp land language
lantern laptop laser lawn lawyer layer leaf league lease lecture ledger lemon lens lesson letter level lever
library license lid light lighthouse lily limit line lion list loan lobby locker locket log loop lotion lottery
lounge lunch machine magazine magnet mail mailbox mall manager mango map marathon marble market marriage mask mast
match material mattress mayor maze meadow meal medal medicine meeting melody melon member memo menu merchant
message meter method metro milestone milk mill mine minister minute mirror mission model module monarch money
monitor monkey monument moon morning mosque mosquito moth motor mountain mouse movie mud mug museum mushroom music
nail nation nebula necklace needle neighbor nest net network newsletter newspaper night noise noodle note notebook
notice novel nozzle nurse nut oak oasis ocean offer office oil olive onion opera orange orbit orchard order organ
outlet oven owl owner oyster package paddle page paint palace palm pan panda panel paper parade parcel park parrot
party passenger passport password path patient pattern payment peach peak pear pearl pebble pen pencil penguin
pepper permit person pet petal petition phone photo piano picnic picture pie pig pigeon pillow pilot pin pipe
pirate pizza plane planet plant plate platform player playlist pledge plot plug plum pocket poem poet point policy
poll pond pony pool port portfolio portrait position post poster pot potato powder power prescription president
price printer prison prize problem product profile profit program project promise proposal province pump pumpkin
pupil puppet purse puzzle pyramid quarry queen query quest question queue quilt quiz quota rabbit race radar radio
raft rail rain ranch rating raven ray razor receipt recipe record recruit reef refund region reminder rent reply
report request rescue reservation resort restaurant result reunion review ribbon rice ride rifle ring river road
robot rock rocket roof room root rope rose route router rug ruler runner saddle salad salary sale salmon salt
sandwich satellite sauce saw scale scanner scarf scene schedule scholarship school science scooter score screen
script scroll sculpture sea seal season seat secret section seed sensor sentence server service session setting
sewer shark sheep sheet shelf shell shelter shield shift ship shipment shirt shoe shop shore shovel show shower
shrimp shrine shuttle signal silk singer sink siren site skateboard sketch skill skirt sky slide slot snack snail
snake snow soap sofa song soup source spade speaker species speech spider spoon spot spring squad squirrel stable
stadium staff stage stair stamp star station statue steak step stock stone stool storm story stove stranger straw
stream street student studio study style subject submarine subscriber suburb subway sugar suit suitcase summit sun
supplier surface survey swamp swan sweater sword symbol symptom syrup system table tablet tail talent tank tap
target tariff task tax taxi tea teacher team telescope temple tenant tennis tent terminal territory test theater
thermostat thread throne ticket tide tiger tile timer tire title toast token tomato tool tooth torch tour
tournament towel tower town toy track tractor trade traffic trail trailer train transaction translation trap tray
treasure treaty tree trench trial triangle tribe trip trophy truck trumpet tube tulip tunnel turbine turtle tutor
umbrella uncle uniform union unit university user vaccine vacuum valley valve van vase vault vegetable vehicle
vendor venue verse vessel veteran video village vine violin virus visa visitor volcano voice vote voucher voyage
wage wagon waiter wall wallet walnut wardrobe warehouse warning warranty watch waterfall wave weapon weather
website wedding week well whale wharf wheat wheel whistle wife wind window wine wing wire wizard wolf wood wool
word worker workout workshop worm wrench yacht yard yarn year yogurt zebra zone
""".split()
)

ADJECTIVES = tuple(
    """
active annual auto average basic big blue bright busy cheap clean closed cold cool current daily dark default dirty
double dry early empty external fast final first free fresh full global gold great green half happy heavy hidden
high hot hourly internal large last late latest lazy light live local long loud lost low main major manual mini
missing mobile monthly narrow nearby new next noisy old open organic overdue paid partial pending personal popular
private public quick quiet random rare raw recent red remote rented round rural safe secret shared sharp short
silent silver simple slow small smart soft solar spare special square stale static steep sunny sweet tall temporary
thick tiny top total unpaid unread upcoming urban urgent used vacant valid virtual warm weekly wet white wide wild
yearly yellow young
""".split()
)

FIRST_NAMES = tuple(
    """
Aaron Ada Adam Aisha Akira Alan Alba Alex Alice Amara Amir Amy Ana Andre Anna Anton Arjun Astrid Ava Ben Bea Boris
Bruno Carla Carlos Carmen Cleo Chen Chloe Clara Dana Daniel David Diego Dina Dora Edgar Elena Eli Ella Emil Emma Enzo
Erik Esra Eva Fatima Felix Finn Fiona Frank Freya George Gina Grace Greta Hana Hans Harry Hassan Heidi Helen Henry
Hugo Ian Ibrahim Ida Igor Ines Ingrid Iris Isaac Ivan Ivy Jack Jamal Jane Jin Jonas Jorge José Joy Juan Jules Julia
Kai Karen Karl Kate Kenji Kira Lars Laura Layla Lena Leo Liam Lily Lina Linus Lola Lucas Lucy Luis Luna Maja Malik
Marco Maria Mark Marta Mateo Max Maya Mehmet Mia Mila Milo Mina Moritz Nadia Nate Nina Noah Nora Oleg Olga Oliver
Omar Oscar Otto Pablo Paul Pavel Pedro Petra Pia Piotr Priya Quinn Rafael Raj Ravi Renée Rita Robin Rosa Ruth Sam
Samir Sara Sasha Sean Selma Simon Sofia Sonia Stefan Sven Tara Tariq Theo Tina Tim Tom Ugo Uma Ursula Vera Victor
Viola Wanda Wei Will Xavier Yara Yuki Yusuf Zara Zoe Zoë Åsa Søren Łukasz Chloé Jürgen Nuñez
""".split()
)

LAST_NAMES = tuple(
    """
Abbott Adler Ahmed Alvarez Andersen Baker Banerjee Barlow Becker Bianchi Blake Bose Brandt Brown Castro Chan Chavez
Clark Cohen Cruz Dahl Davies Delgado Dubois Eriksen Evans Farouk Fischer Flores Fox Garcia Ghosh Gomez Grant Gray
Gupta Haas Hansen Hayes Hill Hoffmann Ito Ivanov Jensen Johnson Jones Kaya Keller Khan Kim King Klein Kowalski
Kumar Lang Larsen Lee Lopez Lund Mahmoud Martin Mendez Meyer Miller Moore Mori Morris Nagy Nakamura Nguyen Novak
O'Brien O'Neil Okafor Olsen Ortiz Osman Park Patel Perez Petrov Popov Price Quist Ramirez Reed Reyes Rossi Russo
Santos Sato Schmidt Silva Singh Smith Sousa Stone Suzuki Tanaka Taylor Thomas Torres Tran Usman Vargas Vega Vogel
Wagner Walker Wang Weber White Wilson Wong Wood Wright Yamada Yilmaz Young Zhang Zimmer
""".split()
)

CITIES = tuple(
    """
Accra Amsterdam Ankara Athens Atlanta Auckland Austin Baghdad Baku Bangkok Barcelona Basel Beijing Belgrade Bergen
Berlin Bern Bilbao Bogotá Bologna Boston Bremen Bristol Brussels Bucharest Budapest Cairo Calgary Cardiff Casablanca
Chicago Cologne Colombo Copenhagen Cork Dakar Dallas Delhi Denver Detroit Doha Dresden Dubai Dublin Durban Edinburgh
Florence Frankfurt Geneva Genoa Glasgow Granada Graz Hamburg Hanoi Havana Helsinki Houston Istanbul Jakarta Kampala
Karachi Kathmandu Kigali Kraków Kyiv Kyoto Lagos Leeds Leipzig Lille Lima Lisbon Liverpool London Luanda Lyon Madrid
Malaga Manila Marrakesh Marseille Melbourne Miami Milan Montreal Moscow Mumbai Munich Nairobi Nantes Naples Nice Oslo
Osaka Ottawa Oxford Palermo Paris Perth Philadelphia Phoenix Porto Prague Quito Rabat Reykjavik Riga Rome Rotterdam
Salzburg Santiago Seattle Seoul Seville Shanghai Singapore Sofia Stockholm Stuttgart Sydney Tallinn Tampa Tbilisi
Tehran Tokyo Toronto Toulouse Trieste Tunis Turin Utrecht Valencia Vancouver Venice Vienna Vilnius Warsaw York
Zagreb Zürich São_Paulo New_York Los_Angeles San_Diego Hong_Kong Cape_Town Mexico_City Buenos_Aires Kuala_Lumpur
Tel_Aviv The_Hague San_Francisco Las_Vegas Salt_Lake_City New_Orleans Santa_Fe
""".replace("_", "\u00a0").split(" ")
)
CITIES = tuple(city.replace("\u00a0", " ") for line in CITIES for city in line.split("\n") if city)

COUNTRIES = tuple(
    """
Albania Algeria Angola Argentina Armenia Australia Austria Bangladesh Belgium Bolivia Botswana Brazil Bulgaria
Cambodia Canada Chad Chile China Colombia Croatia Cuba Cyprus Denmark Ecuador Egypt Estonia Ethiopia Fiji Finland
France Gabon Georgia Germany Ghana Greece Guatemala Hungary Iceland India Indonesia Iran Iraq Ireland Israel Italy
Jamaica Japan Jordan Kenya Kuwait Laos Latvia Lebanon Libya Lithuania Madagascar Malaysia Mali Malta Mexico Moldova
Mongolia Morocco Nepal Netherlands Nigeria Norway Oman Pakistan Panama Paraguay Peru Poland Portugal Qatar Romania
Rwanda Senegal Serbia Slovakia Slovenia Spain Sudan Sweden Switzerland Syria Tanzania Thailand Tunisia Turkey
Uganda Ukraine Uruguay Venezuela Vietnam Yemen Zambia Zimbabwe
""".split()
)

FOODS = tuple(
    """
apples bagels bananas beans beer bread broccoli butter cakes carrots cereal cheese cherries chocolate coffee
cookies corn cucumbers dates eggs fish flour garlic grapes ham honey jam juice lemons lentils lettuce mangoes milk
muffins mushrooms noodles nuts oats olives onions oranges pancakes pasta peaches pears peas pepper pizza plums
potatoes rice salad salmon salt soup spinach sugar sushi tacos tea tofu tomatoes tuna waffles water yogurt
""".split()
)

THINGS = tuple(
    """
apples badges bags balls balloons bananas batteries beads bikes bolts books bottles boxes bricks buckets buses buttons
cakes candles cards carrots chairs chickens clips coins comics cookies cows cups desks dolls donuts eggs envelopes
erasers fish flags flowers forks games goats hats horses jars jackets kites keys lamps leaves lemons letters lights
magnets marbles masks medals mugs nails notebooks oranges pages papers peaches pears pencils pens pies pigs pillows
pins plants plates points posters potatoes ribbons rings robots rocks roses sacks seats sheep shells shirts shoes
socks spoons stamps stars stickers stones straws students sweets tables tents tickets tiles tires tokens tomatoes
toys trays trees trucks tulips vases wheels windows
""".split()
)


def held_out(word: str) -> bool:
    """Whether this word is kept for measuring: one in ten."""
    return crc32(word.encode()) % 10 == 0


def known(words: tuple[str, ...], split: str) -> tuple[str, ...]:
    """The words of a split: "train", or "unseen" for those held out."""
    return tuple(word for word in words if held_out(word) == (split == "unseen"))

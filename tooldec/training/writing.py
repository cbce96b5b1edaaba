"""Requests about texts, tables, posts and mails, in many manners; in the language of `templates`."""

WRITING = """
trim_video(path: video, start: int, end: int) -> path
keep only second {start} to {end} of {path}
cut {path} from {start} to {end}
take the part of {path} between {start} and {end}
shorten {path} to {start} - {end}

mute_video(path: video) -> path
remove the sound of {path}
take the audio out of {path}
{path} without sound
make {path} silent

transcribe(path: audio, language?: language) -> text
write down what is said in {path}[, it's {language}]
{path} as text[ in {language}]
type out {path}[, language {language}]
I can't listen to {path}, give me the words[ in {language}]

read_aloud(text: text, voice?: male|female|robot) -> audio
say {text}[ with a {voice} voice]
read {text} out loud[, {voice}]
speak: {text}
let me hear {text}[ from a {voice} voice]

summarize_text(path: path, words?: int) -> text
what is {path} about[, in {words} words]
shorten {path}[ to {words} words]
{path} is too long for me, sum it up[ in {words} words]
the gist of {path}[, {words} words]

fix_spelling(text: quoted) -> text
correct {text}
is {text} spelled right
check the spelling of {text}
fix the mistakes in {text}

to_upper(text: quoted) -> text
{text} in capital letters
write {text} in big letters
capitalize {text}
make {text} all caps

count_letters(text: quoted, letter?: letter) -> count
how long is {text}[, counting {letter}]
how many letters has {text}[, only {letter}]
count the characters of {text}[ that are {letter}]
length of {text}[ in {letter}s]?

replace_word(text: quoted, old: word, new: word) -> text
put {new} for {old} in {text}
replace {old} by {new} in {text}
in {text}, {old} should be {new}
swap {old} for {new} within {text}

split_text(text: quoted, separator: comma|space|dash) -> parts
split {text} at each {separator}
break {text} up by {separator}
cut {text} apart at the {separator}
the pieces of {text}, separator {separator}

join_texts(parts: words, separator?: dash|comma|space) -> text
join {parts}[ with a {separator}]
glue {parts} together[, {separator} in between]
make one text of {parts}[ with {separator}s]
put {parts} in one string[, {separator}]

unique_items(items: words) -> items
remove duplicates from {items}
which different ones are in {items}
each of {items} only once
drop the doubles in {items}

sort_words(items: words, reverse?: bool) -> items
sort {items}[ {reverse:backwards/from a to z}]
put {items} in alphabetical order[, {reverse:reversed/not reversed}]
{items}, sorted[ {reverse:descending/ascending}]
order {items} by letter

filter_numbers(numbers: ints, above: int) -> numbers
which of {numbers} are over {above}
keep what is bigger than {above} in {numbers}
from {numbers} only those above {above}
filter {numbers}, more than {above}

plot_numbers(values: floats, title?: title) -> chart
draw {values} as a chart[ called {title}]
plot {values}[ with the title {title}]
a graph of {values}[, title {title}]
show {values} in a diagram[ named {title}]

pick_random(options: words) -> option
choose one of {options}
{options}? You decide.
draw lots between {options}
pick something from {options}

random_number(low: int, high: int) -> number
a number between {low} and {high}
think of a number from {low} to {high}
anything from {low} up to {high}, at random
roll something between {low} and {high}

show_rows(table: table, limit?: int, where?: text) -> rows
show me {table}[, {limit} rows][ where {where}]
the first[ {limit}] lines of {table}
what does {table} hold[? {limit} rows]
look at[ {limit} rows of] {table}

drop_rows(table: table, older_than: date) -> count
delete what is older than {older_than} from {table}
clean {table} up to {older_than}
everything in {table} before {older_than} can go
remove rows of {table} from before {older_than}

rename_column(table: table, old: table, new: table2) -> ok
the column {old} of {table} should be {new}
rename {old} to {new} in {table}
in {table}, call {old} {new}
change column {old} to {new} in {table}

import_table(path: path, table: table) -> ok
load {path} into {table}
fill {table} with {path}
{path} goes into the table {table}
read {path} to {table}

train_model(dataset: path, epochs: int, rate?: float) -> ok
train on {dataset} for {epochs} epochs[ with rate {rate}]
learn from {dataset}, {epochs} epochs[, rate {rate}]
fit the model to {dataset} {epochs} times over[, learning rate {rate}]
{epochs} epochs on {dataset}[ at {rate}]

add_member(group: title, user: user) -> ok
put {user} into {group}
{user} should belong to {group}
let {user} join {group}
add {user} to the group {group}

kick_member(group: title, user: user) -> ok
throw {user} out of {group}
{user} has to leave {group}
remove {user} from {group}
we don't want {user} in {group} any more

ban_user(user: user, days?: int) -> ok
ban {user}[ for {days} days]
{user} keeps insulting people, block[ {days} days]
lock {user} out[ for {days} days]
no more posts from {user}[ for {days} days]

follow_user(user: user) -> ok
follow {user}
I'd like to see what {user} posts
subscribe to {user}
keep me up to date on {user}

change_password(user: user, length?: small) -> ok
{user} needs a new password[ of {length} characters]
{user} can't log in, change the password[, length {length}]
give {user} a fresh password[, {length} signs]
reset the login of {user}[, {length} characters]

grant_role(user: user, role: admin|editor|viewer|guest) -> ok
make {user} {role}
{user} should be an {role}
{role} rights for {user}
let {user} work as {role}

invite_user(email: email, team?: title) -> ok
invite {email}[ to {team}]
get {email} on board[ in {team}]
ask {email} to join[ {team}]
send {email} an invitation[ for {team}]

mail_file(path: path, to: email) -> ok
send {path} to {to}
{to} needs {path}
mail {path} to {to}
forward {path} to {to}

mute_thread(thread: title, hours?: small) -> ok
I'm tired of {thread}, mute it[ for {hours} hours]
no notices from {thread}[ for {hours} hours]
silence {thread}[, {hours} hours]
leave me alone with {thread}[ for {hours} hours]

pin_message(number: int, channel?: title) -> ok
pin message {number}[ in {channel}]
message {number} should stay on top[ of {channel}]
keep {number} visible[ in {channel}]
stick {number} to the top[, channel {channel}]

dial_number(number: phone) -> ok
ring {number}
call the number {number}
get {number} on the line
I want to speak to {number}
{number}, please connect me

leave_voicemail(to: who, message: text) -> ok
leave {to} a voice message: {message}
speak on {to}'s mailbox: {message}
{to} isn't there, leave word that {message}
record for {to}: {message}

set_status(text: text, until?: clock) -> ok
my status is {text}[ until {until}]
tell everyone: {text}[, till {until}]
show {text} beside my name[ until {until}]
set me to {text}[ until {until}]

schedule_post(text: text, date: date, time?: clock) -> ok
post {text} on {date}[ at {time}]
on {date}[ at {time}] write {text}
publish {text} on {date}[, {time}]
{text} should go online on {date}[ at {time}]

search_web(query: topic, results?: small) -> results
look up {query}[, {results} hits]
what does the web say about {query}
google {query}[, {results} results]
find[ {results}] pages about {query}
search for {query}[ and show {results}]

search_mail(query: topic, sender?: who) -> mails
find mails about {query}[ from {sender}]
Did[ {sender}] someone write about {query}?
look for {query} in my inbox[, from {sender}]
any message on {query}[ by {sender}]

archive_mail(number: int) -> ok
put mail {number} away
mail {number} can be archived
move number {number} to the archive
I'm done with mail {number}

spam_mail(sender: email) -> ok
{sender} sends spam
mark {sender} as spam
I don't want mail from {sender} any more
{sender} goes to the junk folder

write_memo(title: title, text?: text) -> ok
note: {title}[ - {text}]
write down {title}[: {text}]
jot {title} down[ with the text {text}]
a memo {title}[ saying {text}]

tick_task(task: title) -> ok
{task} is done
tick off {task}
I've finished {task}
check {task} off my list
mark {task} as completed

postpone_task(task: title, date: date) -> ok
{task} can wait until {date}
move {task} to {date}
do {task} on {date} instead
put {task} off till {date}
shift {task} to {date}

drop_task(task: title) -> ok
forget about {task}
{task} isn't needed any more
cross {task} out
delete the task {task}

tasks_on(date: date) -> tasks
what do I have to do on {date}
my tasks for {date}
anything planned on {date}
what's up on {date}
"""

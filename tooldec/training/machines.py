"""Requests to computers: code, servers, files and pictures, in many manners; in the language of `templates`."""

MACHINES = """
make_branch(name: branch, base?: branch) -> ok
make a branch {name}[ off {base}]
new branch {name}[ from {base}]
I want to work on {name}[, starting at {base}]
branch out to {name}[ based on {base}]

commit(message: text, amend?: bool) -> ok
commit: {message}
commit with the message {message}[ {amend:and amend/as a new commit}]
save my work as {message}
record this change, {message}

open_pull(title: title, branch: branch, draft?: bool) -> ok
open a pull request {title} from {branch}[ {draft:as a draft/ready for review}]
{branch} should be merged, call it {title}
propose {title}, it's on {branch}
PR {title} for {branch}

revert_to(version: version, service?: service) -> ok
go back to {version}[ of {service}]
{version}[ of {service}] worked, bring it back
undo everything since {version}[ in {service}]
put {version} back in place[ for {service}]

scale_service(service: service, copies: small) -> ok
run {copies} copies of {service}
{service} needs {copies} instances
we expect many visitors, {service} with {copies} workers
make it {copies} for {service}
bring {service} to {copies} pods

service_logs(service: service, lines?: int) -> text
what does {service} say[ in its last {lines} lines]
logs of {service}[, {lines} lines]
show[ {lines} lines of] what {service} wrote
Why did {service} crash? Look at its output[, {lines} lines].
print the end of the log of {service}[, {lines} rows]

ping_host(host: host, count?: small) -> ms
is {host} reachable[? Try {count} times]
ping {host}[ {count} times]
does {host} answer[, {count} tries]
check the line to {host}[ with {count} packets]

open_port(port: int, host?: host) -> ok
open port {port}[ on {host}]
let traffic in on {port}[ at {host}]
port {port}[ of {host}] should accept connections
I can't connect to {port}[ on {host}], open it

add_disk(machine: code, gigabytes: int) -> ok
{machine} needs {gigabytes} GB more
attach {gigabytes} gigabytes to {machine}
give {machine} a disk of {gigabytes} GB
{machine} is full, add {gigabytes} GB

create_backup(target: host, label?: word) -> ok
back up {target}[ as {label}]
save a copy of {target}[ called {label}]
I want to be safe: backup of {target}[, label {label}]
snapshot {target}[ under the name {label}]

restore_backup(label: code, target: host) -> ok
put backup {label} back on {target}
restore {target} from {label}
{target} is broken, use {label}
roll {target} back with {label}

free_space(folder: folder) -> gb
how full is {folder}
what takes space in {folder}
room left in {folder}?
how big is {folder}

list_folder(folder: folder, hidden?: bool) -> files
what's in {folder}[ {hidden:with/without} hidden files]
show me {folder}[, {hidden:hidden ones too/only visible ones}]
which files are there in {folder}
look into {folder}

move_file(source: path, folder: folder) -> ok
put {source} into {folder}
{source} belongs in {folder}
move {source} over to {folder}
sort {source} into {folder}

unzip(archive: path, folder?: folder) -> ok
unpack {archive}[ into {folder}]
extract {archive}[ to {folder}]
what's packed in {archive}, get it out[ to {folder}]
open up the archive {archive}[ in {folder}]

convert_file(path: path, target: pdf|docx|csv|png|mp3|html) -> path
turn {path} into {target}
I need {path} as {target}
make a {target} out of {path}
{path} to {target} please
save {path} in {target} format
Can I have {path} as a {target}?

crop_picture(path: picture, width: int, height: int) -> path
cut {path} to {width} by {height}
crop {path}, {width} x {height}
{path} should only be {width} wide and {height} high
trim {path} down to {width} by {height} pixels

rotate_picture(path: picture, degrees: angle) -> path
turn {path} by {degrees} degrees
{path} is crooked, rotate it {degrees} degrees
spin {path} {degrees} degrees
rotate {path}, {degrees}

sharpen_picture(path: picture, amount?: float) -> path
{path} is blurry, sharpen it[ by {amount}]
make {path} crisper[, {amount}]
sharpen {path}[ with {amount}]
more detail in {path}[: {amount}]

brighten_picture(path: picture, percent: percent) -> path
{path} is too dark, {percent} brighter
brighten {path} by {percent}
more light in {path}, {percent}
lighten {path} up, {percent}

label_picture(path: picture, labels: words) -> ok
label {path} with {labels}
in {path} one sees {labels}
{path}: {labels}
tag the picture {path} as {labels}

find_faces(path: picture) -> faces
who is in {path}
find the people in {path}
are there faces in {path}
detect persons on {path}

write_caption(path: picture, language?: language) -> text
describe {path}[ in {language}]
what can be seen in {path}[? Answer in {language}]
a caption for {path}[ in {language}]
say in words what {path} shows[, {language}]
"""

import { stem } from './stem.ts';

/** Words that questions and descriptions use for the same thing, a group in a line. */
const groups = `
create add new make insert append write register generate build compose
delete remove erase drop destroy discard clear purge
update edit modify change alter revise patch set adjust
get fetch retrieve read open obtain collect show view display load see look
list enumerate browse
search find lookup query locate discover explore
send post publish submit deliver dispatch
move rename relocate transfer
copy duplicate clone replicate
save write store persist export
download pull
upload push attach
run execute invoke launch start trigger
stop cancel abort terminate kill halt
convert transform turn
open launch
merge combine join concatenate
compare diff difference
calculate compute evaluate
analyze analyse inspect examine
describe explain summarize overview
file document paper
text content body
information detail fact data
record row entry item
node entity vertex
log history
error exception failure
enable activate
disable deactivate
count number total
latest recent newest last
buy purchase order
customer client contact
channel room
task todo job
city town
country nation
route direction path
trending popular hot
directory folder
picture image photo screenshot
message chat dm
email mail
url link webpage website page web site
issue ticket bug
commit revision
repository repo
user person member people account
calendar schedule event meeting appointment
weather forecast temperature
location place address geographic coordinate
price cost quote value
stock share equity ticker
news headline article
paper publication article
video clip movie
database db sql table
connect link relate
remember memory store knowledge
`;

/** Created by the first search. */
let table: ReadonlyMap<string, ReadonlySet<string>> | undefined;

function createTable(): ReadonlyMap<string, ReadonlySet<string>> {
  const created = new Map<string, Set<string>>();
  for (const group of groups.trim().split('\n')) {
    const terms = new Set(group.split(' ').map(stem));
    for (const term of terms) {
      const known = created.get(term) ?? new Set();
      for (const other of terms) if (other !== term) known.add(other);
      created.set(term, known);
    }
  }
  return created;
}

const none: ReadonlySet<string> = new Set();

/** The stems of the synonyms of a stem. */
export function synonymsOf(term: string): ReadonlySet<string> {
  table ??= createTable();
  return table.get(term) ?? none;
}

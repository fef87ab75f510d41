import { stem } from './stem.ts';

/** Words that questions and descriptions use for the same thing, a group in a line. */
const synonyms = `
create add new make insert append register generate build compose
write append insert add compose generate
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
allow permit
average mean
maximum max highest largest
minimum min lowest smallest
book reserve booking reservation
reply answer respond
notify alert remind
fix repair resolve solve
sort arrange
product item goods
setting configuration config preference option
tree hierarchy
command shell terminal console
password secret credential
authenticate login
begin start
holiday vacation
invoice bill
subtract minus
currency dollar euro money
near nearby close closest nearest
remember memory store knowledge
`;

/** Words of one topic, a topic in a line: a question and the tool for it often have different ones. */
const topics = `
finance money stock share equity invest portfolio crypto cryptocurrency bitcoin ethereum blockchain nft coin token etf fund bond dividend earning market exchange currency dollar euro forex asset wealth
bank account payment pay transaction loan credit mortgage debt deposit balance
budget expense spending saving cost
tax accounting invoice bill receipt
travel trip journey vacation holiday tourism tourist tour itinerary destination sightseeing attraction visit
hotel accommodation lodging stay resort inn hostel motel room
flight airline airport airfare plane
car vehicle automobile driver truck motor
train bus subway metro transit transport rail taxi ride
house home apartment property estate rent lease tenant landlord realtor condo bedroom
restaurant dining lunch food meal eat cuisine menu cafe reservation
recipe cook ingredient dish bake kitchen meal
diet nutrition calorie weight fitness exercise workout healthy
health medical medicine doctor hospital patient disease symptom clinical treatment drug nurse
job career employment hire hiring recruit position vacancy resume cv candidate talent interview salary
learn study course education lesson tutorial school student university class teach training exam quiz
language translate grammar vocabulary english pronunciation
book novel author library reading literature publisher
movie film cinema tv show series episode actor director watch streaming
music song track album artist playlist lyrics band concert audio sound
podcast episode audio radio
game gaming play puzzle
sport team match league football soccer basketball baseball tennis score tournament
news headline article journalist press event politics
weather rain snow storm temperature climate humidity wind sunny umbrella
law legal lawyer attorney court contract regulation compliance patent trademark
shop store product buy purchase price deal discount coupon cart sale retailer brand
gift present birthday anniversary celebration
clothes fashion outfit apparel wear dress shirt shoes style
beauty makeup skincare cosmetics hair
image picture photo drawing art logo design graphic illustration visual
chart graph plot diagram visualization flowchart mindmap
text write essay paragraph sentence rewrite rephrase paraphrase polish grammar proofread edit
summary summarize abstract digest tldr
paper research academic scholar journal citation literature science scientific arxiv
website site web webpage url link page domain browser html seo internet online
search engine google query keyword lookup web internet
code coding program software developer engineer script function algorithm repository github debug
server cloud infrastructure deploy hosting aws kubernetes container cluster
database sql table query record column
data dataset statistics analytics metric analysis census
file document pdf folder attachment spreadsheet
email mail inbox letter newsletter
message chat conversation sms text talk
social post tweet instagram facebook twitter linkedin tiktok follower hashtag
marketing advertising ad campaign promotion seo brand sales lead
customer client crm support ticket sales lead
company business startup enterprise corporate firm organization
meeting calendar schedule appointment event reminder agenda
task todo project productivity habit goal plan
note memory remember reminder memo recall store
map location place address direction route navigate distance nearby coordinates
astrology horoscope zodiac tarot fortune
pet dog cat animal veterinary
plant garden flower
earthquake disaster emergency flood
charity nonprofit donation volunteer
security vulnerability password breach malware threat login credential hack attack
math mathematics calculate equation formula arithmetic compute sum average
time clock timezone date
unit measure length weight ounce pound gram kilogram mile kilometer meter liter inch convert conversion
voice speech speak pronunciation
video youtube clip film footage
qr barcode
`;

type Table = ReadonlyMap<string, ReadonlySet<string>>;

/** Created by the first search. */
let tables: { readonly synonyms: Table; readonly topics: Table } | undefined;

function createTable(groups: string): Table {
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

/** The stems of the synonyms of a stem, and those of the other words of its topics. */
export function relatedTerms(term: string): { synonyms: ReadonlySet<string>; topics: ReadonlySet<string> } {
  tables ??= { synonyms: createTable(synonyms), topics: createTable(topics) };
  return { synonyms: tables.synonyms.get(term) ?? none, topics: tables.topics.get(term) ?? none };
}

/** One way to inflect an irregular verb; where there are several spellings the usual one is first. */
export interface Irregular {
  readonly past: readonly string[];
  readonly participle: readonly string[];
  /** When the verb is inflected so, where it is one of several ways. */
  readonly sense?: string;
}

/** Base, past and participle; a verb that is inflected in two ways has two lines, each with its sense. */
const table = `
abide     abided/abode        abided/abode
aby       abought             abought
abye      abought             abought
alight    alighted/alit       alighted/alit
arise     arose               arisen
awake     awoke/awaked        awoken/awaked
babysit   babysat             babysat
backbite  backbit             backbitten/backbit
backlight backlit/backlighted backlit/backlighted
backslide backslid            backslid/backslidden
bear      bore                borne/born
beat      beat                beaten/beat
become    became              become
bedight   bedight/bedighted   bedight/bedighted
befall    befell              befallen
beget     begot/begat         begotten/begot
begin     began               begun
begird    begirded/begirt     begirded/begirt
behold    beheld              beheld
bend      bent                bent
bereave   bereaved/bereft     bereaved/bereft
beseech   beseeched/besought  beseeched/besought
beset     beset               beset
bespeak   bespoke             bespoken
bestrew   bestrewed           bestrewn/bestrewed
bestride  bestrode/bestrid    bestridden
bet       bet/betted          bet/betted
betake    betook              betaken
bethink   bethought           bethought
bid       bid                 bid                 make an offer
bid       bade/bid            bidden/bid          command, or say a greeting
bide      bided/bode          bided
bind      bound               bound
bite      bit                 bitten/bit
bleed     bled                bled
bless     blessed/blest       blessed/blest
blow      blew                blown
bottlefeed bottlefed           bottlefed
break     broke               broken
breastfeed breastfed          breastfed
breed     bred                bred
bring     brought             brought
broadcast broadcast/broadcasted broadcast/broadcasted
build     built               built
bullshit  bullshitted/bullshit bullshitted/bullshit
burn      burned/burnt        burned/burnt
burst     burst               burst
bust      busted/bust         busted/bust
buy       bought              bought
cast      cast                cast
catch     caught              caught
cheerlead cheerled            cheerled
chickenfight chickenfought       chickenfought
chide     chided/chid         chided/chidden/chid
choose    chose               chosen
clad      clad/cladded        clad/cladded
cleave    cleaved/cleft/clove cleaved/cleft/cloven
cling     clung               clung
clothe    clothed/clad        clothed/clad
colorcast colorcast/colorcasted colorcast/colorcasted
come      came                come
copyread  copyread            copyread
cost      cost                cost                have a price
cost      costed              costed              work out a price
countersink countersunk/countersank countersunk
counterstrike counterstruck       counterstruck
cowrite   cowrote             cowritten
creep     crept/creeped       crept/creeped
crow      crowed/crew         crowed
cut       cut                 cut
deal      dealt               dealt
dig       dug                 dug
dispread  dispread            dispread
dive      dived/dove          dived
do        did                 done
dogfight  dogfought           dogfought
draw      drew                drawn
dream     dreamed/dreamt      dreamed/dreamt
drink     drank               drunk
drive     drove               driven
dwell     dwelt/dwelled       dwelt/dwelled
eat       ate                 eaten
fall      fell                fallen
feed      fed                 fed
feel      felt                felt
fight     fought              fought
find      found               found
finedraw  finedrew            finedrawn
fingerspell fingerspelled/fingerspelt fingerspelled/fingerspelt
fistfight fistfought          fistfought
fit       fit/fitted          fit/fitted
flee      fled                fled
fling     flung               flung
floodlight floodlit/floodlighted floodlit/floodlighted
fly       flew                flown               move through the air
fly       flied               flied               hit a fly ball, in baseball
forbear   forbore             forborne
forbid    forbade/forbad      forbidden
forecast  forecast/forecasted forecast/forecasted
foreknow  foreknew            foreknown
forget    forgot              forgotten/forgot
forgive   forgave             forgiven
forgo     forwent             forgone
forsake   forsook             forsaken
forswear  forswore            forsworn
freefall  freefell            freefallen
freeze    froze               frozen
gainsay   gainsaid            gainsaid
gaslight  gaslighted/gaslit   gaslighted/gaslit
gatekeep  gatekept            gatekept
geld      gelded/gelt         gelded/gelt
get       got                 gotten/got
ghostwrite ghostwrote         ghostwritten
gild      gilded/gilt         gilded/gilt
gird      girded/girt         girded/girt
give      gave                given
go        went                gone
grave     graved              graven/graved
greenlight greenlit/greenlighted greenlit/greenlighted
grind     ground              ground
grow      grew                grown
hamstring hamstrung           hamstrung
handbuild handbuilt           handbuilt
hang      hung                hung                suspend, or be suspended
hang      hanged              hanged              put to death
have      had                 had
hear      heard               heard
heave     heaved/hove         heaved/hove
hew       hewed               hewn/hewed
hide      hid                 hidden/hid
hit       hit                 hit
hold      held                held
housebreak housebroke          housebroken
housekeep housekept           housekept
housesit  housesat            housesat
hurt      hurt                hurt
input     input/inputted      input/inputted
inset     inset               inset
intercut  intercut            intercut
jacklight jacklighted/jacklit jacklighted/jacklit
jailbreak jailbroke           jailbroken
joyride   joyrode             joyridden
keep      kept                kept
kneel     knelt/kneeled       knelt/kneeled
knit      knitted/knit        knitted/knit
know      knew                known
lade      laded               laden/laded
lay       laid                laid
lead      led                 led                 guide, or be first
lead      leaded              leaded              cover or fit with lead
lean      leaned/leant        leaned/leant
leap      leaped/leapt        leaped/leapt
learn     learned/learnt      learned/learnt
leave     left                left                go away, or let stay
leave     leaved              leaved              put forth leaves
lend      lent                lent
let       let                 let
lie       lay                 lain                be flat, or be somewhere
lie       lied                lied                say what is not true
light     lit/lighted         lit/lighted
lipread   lipread             lipread
lose      lost                lost
make      made                made
manspread manspread           manspread
mean      meant               meant
meet      met                 met
misfit    misfitted           misfitted
mishit    mishit              mishit
mistake   mistook             mistaken
mow       mowed               mowed/mown
multicast multicast           multicast
narrowcast narrowcast/narrowcasted narrowcast/narrowcasted
naysay    naysaid             naysaid
newscast  newscast/newscasted newscast/newscasted
nose-dive nose-dived/nose-dove nose-dived
nosedive  nosedived/nosedove  nosedived
offset    offset              offset
output    output/outputted    output/outputted
outshine  outshone/outshined  outshone/outshined
overbear  overbore            overborne
overcast  overcast            overcast
overfit   overfit/overfitted  overfit/overfitted
overgrow  overgrew            overgrown
overhang  overhung            overhung
overlie   overlay             overlain
overspread overspread         overspread
partake   partook             partaken
pay       paid                paid                give money
pay       payed               payed               let out a rope, or coat with tar
petsit    petsat              petsat
plead     pleaded/pled        pleaded/pled
podcast   podcast/podcasted   podcast/podcasted
prizefight prizefought         prizefought
prove     proved              proven/proved
put       put                 put
quit      quit/quitted        quit/quitted
read      read                read
reave     reaved/reft         reaved/reft
reawake   reawoke/reawaked    reawoken/reawaked
reeve     reeved/rove         reeved/rove
refit     refitted/refit      refitted/refit
relay     relayed             relayed             pass on
relay     relaid              relaid              lay again
rend      rent                rent
reshoot   reshot              reshot
resit     resat               resat
retread   retreaded           retreaded           put a new tread on
retread   retrod              retrodden/retrod    tread again
rewake    rewoke/rewaked      rewoken/rewaked
rid       rid/ridded          rid/ridded
ride      rode                ridden
ring      rang                rung                sound, or call
ring      ringed              ringed              encircle, or mark with a ring
rise      rose                risen
rive      rived               riven/rived
run       ran                 run
saw       sawed               sawed/sawn
say       said                said
see       saw                 seen
seek      sought              sought
sell      sold                sold
send      sent                sent
set       set                 set
sew       sewed               sewn/sewed
shake     shook               shaken
sharpshoot sharpshot           sharpshot
shave     shaved              shaved/shaven
shear     sheared             shorn/sheared
shed      shed                shed
shew      shewed              shewn/shewed
shine     shone/shined        shone/shined        give light
shine     shined              shined              polish
shit      shit/shat           shit/shat
shoe      shod/shoed          shod/shoed
shoot     shot                shot
shortcut  shortcut/shortcutted shortcut/shortcutted
show      showed              shown/showed
shrink    shrank/shrunk       shrunk/shrunken
shrive    shrove/shrived      shriven/shrived
shut      shut                shut
sightread sightread           sightread
sightsee  sightsaw            sightseen
sightsing sightsang           sightsung
simulcast simulcast/simulcasted simulcast/simulcasted
sing      sang                sung
sink      sank/sunk           sunk
sit       sat                 sat
skydive   skydived/skydove    skydived
slay      slew/slayed         slain/slayed
sleep     slept               slept
slide     slid                slid
sling     slung               slung
slink     slunk/slinked       slunk/slinked
slit      slit                slit
smell     smelled/smelt       smelled/smelt
smite     smote               smitten
sneak     sneaked/snuck       sneaked/snuck
soothsay  soothsaid           soothsaid
sow       sowed               sown/sowed
speak     spoke               spoken
speed     sped/speeded        sped/speeded
spell     spelled/spelt       spelled/spelt
spellbind spellbound          spellbound
spend     spent               spent
spill     spilled/spilt       spilled/spilt
spin      spun                spun
spit      spat/spit           spat/spit           throw out of the mouth
spit      spitted             spitted             put on a spit
split     split               split
spoil     spoiled/spoilt      spoiled/spoilt
spoonfeed spoonfed            spoonfed
sportscast sportscast/sportscasted sportscast/sportscasted
spotlight spotlighted/spotlit spotlighted/spotlit
spread    spread              spread
spring    sprang/sprung       sprung
stand     stood               stood
stave     staved/stove        staved/stove
steal     stole               stolen
stick     stuck               stuck
sting     stung               stung
stink     stank/stunk         stunk
stocktake stocktook           stocktaken
strew     strewed             strewn/strewed
stride    strode              stridden
strike    struck              struck/stricken
string    strung              strung
strive    strove/strived      striven/strived
swear     swore               sworn
sweat     sweated/sweat       sweated/sweat
sweep     swept               swept
swell     swelled             swollen/swelled
swim      swam                swum
swing     swung               swung
take      took                taken
teach     taught              taught
tear      tore                torn                rip
tear      teared              teared              fill with tears
telecast  telecast/telecasted telecast/telecasted
tell      told                told
think     thought             thought
thrive    thrived/throve      thrived/thriven
throw     threw               thrown
thrust    thrust              thrust
tread     trod/treaded        trodden/trod
troubleshoot troubleshot      troubleshot
underlay  underlaid           underlaid
undershoot undershot          undershot
unfit     unfitted            unfitted
uppercut  uppercut            uppercut
upsell    upsold              upsold
wake      woke/waked          woken/waked
wear      wore                worn
weave     wove                woven               make cloth
weave     weaved              weaved              move from side to side
webcast   webcast/webcasted   webcast/webcasted
wed       wed/wedded          wed/wedded
weep      wept                wept
wet       wet/wetted          wet/wetted
whipsaw   whipsawed           whipsawed/whipsawn
whistleblow whistleblew         whistleblown
win       won                 won
wind      wound               wound               turn, or wrap
wind      winded              winded              make breathless
withdraw  withdrew            withdrawn
withhold  withheld            withheld
withstand withstood           withstood
work      worked/wrought      worked/wrought
wring     wrung               wrung
write     wrote               written
`;

function read(): Map<string, Irregular[]> {
  const verbs = new Map<string, Irregular[]>();
  for (const line of table.trim().split('\n')) {
    const [base = '', past = '', participle = '', ...sense] = line.split(/\s+/);
    const way = {
      past: past.split('/'),
      participle: participle.split('/'),
      ...(sense.length > 0 && { sense: sense.join(' ') }),
    };
    verbs.set(base, [...(verbs.get(base) ?? []), way]);
  }
  return verbs;
}

/** The irregular verbs in everyday use, as we know them; `be` stands apart. */
export const everydayIrregulars: ReadonlyMap<string, readonly Irregular[]> = read();

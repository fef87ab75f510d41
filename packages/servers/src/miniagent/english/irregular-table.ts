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
alight    alighted/alit       alighted/alit
arise     arose               arisen
awake     awoke/awaked        awoken/awaked
babysit   babysat             babysat
bear      bore                borne/born
beat      beat                beaten/beat
become    became              become
befall    befell              befallen
beget     begot/begat         begotten/begot
begin     began               begun
behold    beheld              beheld
bend      bent                bent
bereave   bereaved/bereft     bereaved/bereft
beseech   beseeched/besought  beseeched/besought
beset     beset               beset
bespeak   bespoke             bespoken
bestride  bestrode            bestridden
bet       bet/betted          bet/betted
bethink   bethought           bethought
bid       bid                 bid                 make an offer
bid       bade/bid            bidden/bid          command, or say a greeting
bide      bided/bode          bided
bind      bound               bound
bite      bit                 bitten/bit
bleed     bled                bled
blow      blew                blown
break     broke               broken
breastfeed breastfed          breastfed
breed     bred                bred
bring     brought             brought
broadcast broadcast/broadcasted broadcast/broadcasted
bullshit  bullshitted/bullshit bullshitted/bullshit
build     built               built
burn      burned/burnt        burned/burnt
burst     burst               burst
bust      busted/bust         busted/bust
buy       bought              bought
cast      cast                cast
catch     caught              caught
chide     chided/chid         chided/chidden/chid
choose    chose               chosen
cleave    cleaved/cleft/clove cleaved/cleft/cloven
cling     clung               clung
clothe    clothed/clad        clothed/clad
come      came                come
cost      cost                cost                have a price
cost      costed              costed              work out a price
creep     crept/creeped       crept/creeped
crow      crowed/crew         crowed
cut       cut                 cut
deal      dealt               dealt
dig       dug                 dug
dive      dived/dove          dived
do        did                 done
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
fit       fit/fitted          fit/fitted
flee      fled                fled
fling     flung               flung
fly       flew                flown
forbear   forbore             forborne
forbid    forbade/forbad      forbidden
forecast  forecast/forecasted forecast/forecasted
foreknow  foreknew            foreknown
forget    forgot              forgotten/forgot
forgive   forgave             forgiven
forgo     forwent             forgone
forsake   forsook             forsaken
forswear  forswore            forsworn
freeze    froze               frozen
gainsay   gainsaid            gainsaid
gatekeep  gatekept            gatekept
get       got                 gotten/got
ghostwrite ghostwrote         ghostwritten
gild      gilded/gilt         gilded/gilt
gird      girded/girt         girded/girt
give      gave                given
go        went                gone
grind     ground              ground
grow      grew                grown
hamstring hamstrung           hamstrung
hang      hung                hung                suspend, or be suspended
hang      hanged              hanged              put to death
have      had                 had
hear      heard               heard
heave     heaved/hove         heaved/hove
hew       hewed               hewn/hewed
hide      hid                 hidden/hid
hit       hit                 hit
hold      held                held
housesit  housesat            housesat
hurt      hurt                hurt
input     input/inputted      input/inputted
inset     inset               inset
intercut  intercut            intercut
keep      kept                kept
kneel     knelt/kneeled       knelt/kneeled
knit      knitted/knit        knitted/knit
know      knew                known
lade      laded               laden/laded
lay       laid                laid
lead      led                 led
lean      leaned/leant        leaned/leant
leap      leaped/leapt        leaped/leapt
learn     learned/learnt      learned/learnt
leave     left                left
lend      lent                lent
let       let                 let
lie       lay                 lain                be flat, or be somewhere
lie       lied                lied                say what is not true
light     lit/lighted         lit/lighted
lose      lost                lost
make      made                made
mean      meant               meant
meet      met                 met
mishit    mishit              mishit
mistake   mistook             mistaken
mow       mowed               mowed/mown
offset    offset              offset
outshine  outshone/outshined  outshone/outshined
output    output/outputted    output/outputted
overcast  overcast            overcast
overgrow  overgrew            overgrown
overhang  overhung            overhung
overlie   overlay             overlain
overspread overspread         overspread
partake   partook             partaken
pay       paid                paid
plead     pleaded/pled        pleaded/pled
podcast   podcast/podcasted   podcast/podcasted
prove     proved              proven/proved
put       put                 put
quit      quit/quitted        quit/quitted
read      read                read
reawake   reawoke/reawaked    reawoken/reawaked
refit     refitted/refit      refitted/refit
relay     relayed             relayed             pass on
relay     relaid              relaid              lay again
rend      rent                rent
reshoot   reshot              reshot
resit     resat               resat
rewake    rewoke/rewaked      rewoken/rewaked
rid       rid/ridded          rid/ridded
ride      rode                ridden
ring      rang                rung                sound, or call
ring      ringed              ringed              encircle, or mark with a ring
rise      rose                risen
rive      rived               riven
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
shave     shaved              shaved/shaven
shear     sheared             shorn/sheared
shed      shed                shed
shine     shone/shined        shone/shined        give light
shine     shined              shined              polish
shit      shit/shat           shit/shat
shoe      shod/shoed          shod/shoed
shoot     shot                shot
show      showed              shown/showed
shrink    shrank/shrunk       shrunk/shrunken
shrive    shrove/shrived      shriven/shrived
shut      shut                shut
sightsee  sightsaw            sightseen
simulcast simulcast           simulcast
sing      sang                sung
sink      sank/sunk           sunk
sit       sat                 sat
slay      slew/slayed         slain/slayed
sleep     slept               slept
slide     slid                slid
sling     slung               slung
slink     slunk/slinked       slunk/slinked
slit      slit                slit
smell     smelled/smelt       smelled/smelt
smite     smote               smitten
sneak     sneaked/snuck       sneaked/snuck
sow       sowed               sown/sowed
speak     spoke               spoken
speed     sped/speeded        sped/speeded
spell     spelled/spelt       spelled/spelt
spellbind spellbound          spellbound
spend     spent               spent
spill     spilled/spilt       spilled/spilt
spin      spun                spun
spit      spat/spit           spat/spit
split     split               split
spoil     spoiled/spoilt      spoiled/spoilt
spotlight spotlighted/spotlit spotlighted/spotlit
spread    spread              spread
spring    sprang/sprung       sprung
stand     stood               stood
stave     staved/stove        staved/stove
steal     stole               stolen
stick     stuck               stuck
sting     stung               stung
stink     stank/stunk         stunk
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
tear      tore                torn
tell      told                told
think     thought             thought
thrive    thrived/throve      thrived/thriven
throw     threw               thrown
thrust    thrust              thrust
tread     trod/treaded        trodden/trod
troubleshoot troubleshot      troubleshot
underlay  underlaid           underlaid
undershoot undershot          undershot
upsell    upsold              upsold
wake      woke/waked          woken/waked
wear      wore                worn
weave     wove                woven               make cloth
weave     weaved              weaved              move from side to side
webcast   webcast             webcast
wed       wed/wedded          wed/wedded
weep      wept                wept
wet       wet/wetted          wet/wetted
win       won                 won
wind      wound               wound
withdraw  withdrew            withdrawn
withhold  withheld            withheld
withstand withstood           withstood
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

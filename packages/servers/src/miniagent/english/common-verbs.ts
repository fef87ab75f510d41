const words = `
abandon abate abbreviate abdicate abduct abet abhor abide abolish abort abound abridge abrogate abseil absent absolve
absorb abstain abstract abuse abut accede accelerate accent accentuate accept access acclaim acclimate acclimatize
accommodate accompany accomplish accord accost account accredit accrue accumulate accuse accustom ace ache achieve
acidify acknowledge acquaint acquiesce acquire acquit act action activate actualize actuate adapt add address adhere
adjoin adjourn adjudicate adjust administer admire admit admonish adopt adore adorn adulterate advance advertise
advise advocate aerate affect affiliate affirm affix afflict afford affront age aggravate aggregate agitate agonize
agree aid ail aim air airdrop alarm alert alienate alight align allay allege alleviate allocate allot allow allude
ally alphabetize alter alternate amass amaze amble ambush ameliorate amend amount amplify amputate amuse anaesthetize
analyze anchor anesthetize anger angle animate annex annihilate annotate announce annoy annul anoint answer antagonize
anticipate ape apologize appal appall appeal appear appease append appertain applaud apply appoint apportion appraise
appreciate apprehend apprentice apprise approach appropriate approve approximate arbitrate arc arch argue arise arm
arm-wrestle arouse arraign arrange array arrest arrive articulate ascend ascertain ascribe ask asphyxiate aspirate
aspire assail assassinate assault assemble assent assert assess assign assimilate assist associate assuage assume
assure astonish astound atone atrophy attach attack attain attempt attend attenuate attest attract attribute attune
auction audit audition augment authenticate author authorize autograph automate avail avenge aver average avert avoid
avow await awake awaken award awe axe baa babble babysit back backdate backfire backlog backpack backpedal backtrack
badger baffle bag bail bait bake balance balk balloon ballot ban band bandage bandy bang banish bank bankrupt banquet
banter baptize bar barbecue bare barf bargain barge bark barrack barrel barricade barter base bash bask bastardize
baste bat bathe batter battle bawl bay bayonet be beacon bead beam bear beat beatify beautify beckon become bed
bedazzle bedevil beep befall befit befriend befuddle beg beget begin begrudge beguile behave behead behold bejewel
belabor belabour belch beleaguer belie believe belittle bellow belly belong belt bemoan bench bend benefit bequeath
berate bereave berth beseech beset besiege besmirch best bestow bet betray better bewail beware bewilder bewitch bias
bicker bicycle bid bide bifurcate bike bilk bill billow bind binge biodegrade birth bisect bitch bite bivouac blab
blabber blacken blacklist blackmail blame blanch blanket blare blaspheme blast blaze bleach bleat bleed bleep blemish
blend bless blind blindfold blindside blink blister bloat block blockade blog bloom blossom blot blow blow-dry
bludgeon bluff blunder blunt blur blurt blush bluster board boast bob bode bog boggle boil bolster bolt bomb bombard
bond bone boo booby-trap boogie book bookmark boom boomerang boost boot bootleg border bore borrow boss botch bother
bottle bottleneck bottom bounce bound bow bowdlerize bowl box boycott brace bracket brag braid brain brainstorm
brainwash brake branch brand brandish brave brawl breach break breakfast breastfeed breathe breed breeze brew bribe
bridge bridle brief brighten brim bring bristle broach broadcast broaden broil brood brook brown browse bruise brush
brutalize bubble buck bucket buckle bud budge budget buff buffer buffet bug build bulge bulk bulldoze bullshit bully
bum bumble bump bunch bundle bungle bunk burble burden burgeon burgle burn burnish burp burrow burst bury bus
bushwhack bust bustle busy butcher butt butter butterfly button buttress buy buzz bypass cable cackle caddie cage
cajole calcify calculate calibrate call calm camouflage camp campaign can cancel canoe canonize canter canvass cap
caper capitalize capitulate captain caption captivate capture caramelize carbonate carbonize card care careen career
caress caricature carol carpet carry cart carve cascade case cash cashier cast castigate castrate catalog catalogue
catapult catch categorize cater cause cauterize caution cave cavort caw cease cede celebrate cement censor censure
center centralize centre certificate certify chafe chain chair challenge champion chance change channel chant
chaperone characterize charge charm chart charter chase chasten chastise chat chatter chauffeur cheapen cheat check
checkmate cheer cherish chew chide chill chime chip chirp chisel chitchat chivvy chlorinate choke chomp choose chop
choreograph chortle chorus christen chrome chronicle chuck chuckle chug chunk churn cinch circle circulate circumcise
circumnavigate circumscribe circumvent cite civilize claim clamber clamor clamour clamp clang clank clap clarify clash
clasp classify clatter claw clean cleanse clear cleave clench click climax climb clinch cling clink clip cloak clobber
clock clog cloister clone close clot clothe cloud clown club cluck clump cluster clutch clutter coach coagulate
coalesce coast coat coax cobble cock cocoon coddle code codify coerce coexist cogitate cohabit cohere coif coil coin
coincide cold-call collaborate collapse collar collate collect collide collude colonize color colour comb combat
combine combust come comfort command commandeer commemorate commence commend comment commentate commercialize
commiserate commission commit communicate commute compact compare compartmentalize compel compensate compete compile
complain complement complete complicate compliment comply compose compost compound comprehend compress comprise
compromise compute computerize con concatenate conceal concede conceive concentrate conceptualize concern conciliate
conclude concoct concrete concur concuss condemn condense condescend condition condone conduct confer confess confide
configure confine confirm confiscate conflict conform confound confront confuse congeal congratulate congregate
conjecture conjoin conjugate conjure conk connect connive connote conquer conscript consecrate consent conserve
consider consign consist console consolidate consort conspire constipate constitute constrain constrict construct
construe consult consume consummate contact contain containerize contaminate contemplate contend content contest
continue contort contract contradict contrast contravene contribute contrive control convene converge converse convert
convey convict convince convoke convolute convulse coo cook cool cooperate coordinate cop cope copy copy-paste
copyright cord cordon core cork corner corral correct correlate correspond corroborate corrode corrugate corrupt
cosign cosset cost costume cough counsel count counter counteract counterattack counterbalance counterclaim
counterfeit countersign couple course court cover covet cower crab crack crackle cradle craft cram cramp crane crank
crash crate crave crawl craze creak cream crease create credit creep cremate crest crew crib criminalize crimp cringe
crinkle cripple crisp crisscross criticize critique croak crochet crook croon crop cross cross-check cross-examine
crouch crow crowd crowdfund crowdsource crown crucify cruise crumb crumble crumple crunch crusade crush cry
crystallize cube cuddle cudgel cue cuff cull culminate cultivate cup curate curb curdle cure curl curry curse curtail
curtsey curtsy curve cushion cuss customize cut cycle dab dabble dally dam damage damn damp dampen dance dangle dare
darken darn dart dash date daub daunt dawdle dawn daydream daze dazzle deactivate deaden deafen deal debar debase
debate debauch debilitate debit debone debrief debug debunk debut decaffeinate decamp decant decapitate decay deceive
decelerate decentralize decide decimate decipher deck declare decline decode decommission decompose decompress
decongest decorate decouple decrease decree decry dedicate deduce deduct deem deepen deface defame default defeat
defecate defect defend defer defile define deflate deflect deflower deforest deform defraud defray defrost defuse defy
degenerate deglaze degrade dehumanize dehumidify dehydrate deify deign delay delegate delete deliberate delight
delimit delineate deliver delouse delude deluge delve demagnetize demand demarcate dematerialize demean demilitarize
demobilize democratize demolish demonetize demonize demonstrate demoralize demote demur demystify denigrate denote
denounce dent denude deny deodorize depart depend depict deplete deplore deploy depopulate deport depose deposit
deprave deprecate depreciate depress depressurize deprive deputize derail derange deregulate deride derive desalinate
descale descend describe desecrate desegregate deselect desensitize deserialize desert deserve desiccate design
designate desire desist desolate despair despatch despise destabilize destine destress destroy detach detail detain
detangle detect deter deteriorate determine detest detonate detour detox detoxify detract devalue devastate develop
deviate devise devolve devote devour deworm diagnose diagram dial dice dicker dictate die diet differ differentiate
diffuse dig digest digitize dignify digress dilate dilute dim diminish dimple dine dip direct dirty disable
disadvantage disagree disallow disappear disappoint disapprove disarm disassemble disassociate disavow disband
disbelieve disburse discard discern discharge discipline disclaim disclose discolor discolour discomfit discompose
disconcert disconnect discontinue discount discourage discover discredit discriminate discuss disdain disembark
disembowel disenchant disenfranchise disengage disentangle disfigure disgorge disgrace disguise disgust dish
dishearten dishevel dishonor dishonour disincline disinfect disinherit disintegrate disinter disinvite disjoin dislike
dislocate dislodge dismantle dismay dismember dismiss dismount disobey disorder disorganize disorient disown disparage
dispatch dispel dispense disperse dispirit displace display displease dispose disprove dispute disqualify disregard
disrespect disrobe disrupt dissatisfy dissect dissemble disseminate dissent dissipate dissociate dissolve dissuade
distance distend distil distill distinguish distort distract distress distribute distrust disturb disunite ditch
dither dive diverge diversify divert divest divide divine divorce divulge divvy do dock doctor document dodge doff
dole domesticate dominate don donate doodle doom dope dose dot dote double double-check double-cross doubt douse
dovetail down downgrade download downplay downsize downvote dowse doze draft drag drain dramatize drape draw drawl
dread dream dredge drench dress dribble drift drill drink drip drive drizzle drone drool droop drop dropkick drown
drowse drug drum dry dry-clean dub duck duel dulcify dull dumbfound dump dunk dupe duplicate dust dwarf dwell dwindle
dye dynamite earmark earn ease eat eavesdrop ebb echo eclipse economize edge edify edit educate efface effect egg
eject eke elaborate elapse elate elbow elect electrify electrocute electrolyze elevate elicit eliminate elongate elope
elucidate elude emaciate email emanate emancipate emasculate embalm embank embargo embark embarrass embed embellish
embezzle embitter emblazon embody embolden emboss embrace embroider embroil emerge emigrate emit emote empanel
empathize emphasize employ empower empty emulate emulsify enable enact enamel encage encamp encapsulate encase enchant
encircle enclose encode encompass encounter encourage encroach encrust encrypt encumber end endanger endear endeavor
endeavour endorse endow endure energize enfeeble enfold enforce enfranchise engage engender engineer engrave engross
engulf enhance enjoin enjoy enlarge enlighten enlist enliven ennoble enquire enrage enrapture enrich enrol enroll
ensconce enshrine enslave ensnare ensue ensure entail entangle enter entertain enthral enthrall enthrone enthuse
entice entitle entomb entrap entreat entrench entrust entwine enumerate enunciate enure envelop environ envisage
envision envy epitomize equal equalize equate equip equivocate eradicate erase erect erode err erupt escalate escape
eschew escort espouse establish esteem estimate estrange etch eulogize evacuate evade evaluate evangelize evaporate
even evict evidence evince eviscerate evoke evolve exacerbate exact exaggerate exalt examine exasperate excavate
exceed excel except exchange excise excite exclaim exclude excommunicate excoriate excrete excruciate excuse execute
exemplify exempt exercise exert exfoliate exhale exhaust exhibit exhilarate exhort exhume exile exist exit exonerate
exorcize expand expatriate expect expectorate expedite expel expend experience experiment expiate expire explain
explicate explode exploit explore export expose expound express expropriate expunge extemporize extend exterminate
externalize extinguish extol extort extract extradite extrapolate extricate extrude exude exult eye eyeball fabricate
face facilitate fact-check factor fade fail faint fake fall falsify falter familiarize fan fancy fantasize fare farm
fascinate fashion fast fast-forward fasten father fathom fatigue fatten fault favor favour fawn fax faze fear feast
feather featherbed feature federate feed feel feign fell fence fend ferment ferret ferry fertilize fester fetch fetter
feud fictionalize fiddle fidget field fight figure filch file fill fillet film filter finagle finalize finance find
fine fine-tune finger finish fire firebomb firm fish fit fix fixate fizz fizzle flabbergast flag flagellate flail
flake flame flank flap flare flash flatline flatten flatter flaunt flavor flavour flay fleck flee fleece flex flick
flicker flinch fling flip flirt flit float flock flog flood floor flop flounce flounder flour flourish flout flow
flower flub fluctuate fluff flummox flunk fluoridate flurry flush fluster flutter flux fly foam focus fog foil foist
fold follow foment fondle fool foot forage foray forbear forbid force forearm forebode forecast foreclose forego
foreground foresee foreshadow foreshorten forestall foretell forewarn forfeit forge forget forgive forgo fork form
formalize format formulate fornicate forsake forswear fortify forward fossilize foster foul found founder fox foxtrot
fracture fragment frame franchise frank fraternize fray freak free freelance freewheel freeze freight frequent freshen
fret frighten fringe frisk fritter frizzle frogmarch frolic front frost froth frown fructify frustrate fry fudge fuel
fulfil fulfill fulminate fumble fume fumigate function fund funnel furl furlough furnish furrow further fuse fuss gab
gag gain gallivant gallop galumph galvanize gamble gang gape garble garden gargle garner garnish garrison gas gash
gasify gasp gate gatecrash gatekeep gather gauge gawk gaze gear gel geld generalize generate gentrify genuflect
germinate gerrymander gesticulate gesture get ghost ghostwrite gibber gibe gift giftwrap giggle gild gird girdle give
glaciate gladden glamorize glance glare glaze gleam glean glide glimmer glimpse glint glisten glitter gloat globalize
glorify glory gloss glow glower glue glut gnarl gnash gnaw go goad gobble golf goof google gore gorge gossip gouge
govern grab grace grade graduate graft grant granulate graph grapple grasp grass grate gratify gravitate gray graze
grease greet grey gridlock grieve grill grimace grin grind grip gripe grit groan groom groove grope gross ground group
grouse grout grovel grow growl grub grudge grumble grunt guarantee guard guess guffaw guide guillotine gulp gum gun
gurgle gush gut guy guzzle gyrate habituate hack haggle hail hallow hallucinate halt halve ham hammer hamper hamstring
hand handcraft handcuff handicap handle handpick hang hang-glide hanker happen harangue harass harbor harbour harden
hark harken harm harmonize harness harp harrow harrumph harry harvest hasten hatch hate haul haunt have hawk hazard
haze head headhunt headline heal heap hear hearken hearten heat heave heckle hedge hee-haw heed heel heft heighten
heist help hem herald herd herniate hesitate hew hibernate hiccup hide highlight hightail hijack hike hinder hinge
hint hire hiss hit hitch hitchhike hive hoard hobble hobnob hock hoe hog hogtie hoist hold hole holler hollow home
homogenize hone honeymoon honk honor honour hoodwink hook hoot hoover hop hope hornswoggle horrify hose hospitalize
host hotfoot hound house housesit hover howl huddle huff hug hulk hum humanize humble humbug humiliate humor humour
hump hunch hunger hunt hurdle hurl hurry hurt hurtle hush hustle hybridize hydrate hydrolyze hyperventilate hyphenate
hypnotize hypothesize ice ice-skate idealize identify idle idolize ignite ignore illuminate illustrate image imagine
imbed imbibe imbue imitate immerse immigrate immobilize immortalize immunize impact impair impale impanel impart
impeach impede impel imperil impersonate impinge implant implement implicate implode implore imply import impose
impound impoverish impregnate impress imprint imprison improve improvise impugn impute inactivate inaugurate
incapacitate incarcerate incarnate incense incentivize inch incinerate incite incline include incorporate increase
incriminate incubate inculcate incur indemnify indent index indicate indict individualize indoctrinate induce induct
indulge industrialize inebriate infantilize infect infer infest infiltrate inflame inflate inflect inflict influence
inform infringe infuriate infuse ingest ingratiate inhabit inhale inherit inhibit initial initialize initiate inject
injure ink inlay innovate inoculate input inquire inscribe inseminate insert insinuate insist insource inspect inspire
instal install instantiate instigate instil instill institute institutionalize instruct instrument insulate insult
insure integrate intend intensify inter interact intercede intercept interchange interconnect intercut interest
interfere interject interlace interleave interlink interlock intermarry intermingle intern internalize
internationalize interpolate interpose interpret interrogate interrupt intersect intersperse intertwine intervene
interview intimate intimidate intone intoxicate intrigue introduce intrude inundate inure invade invalidate inveigh
invent invert invest investigate invigorate invite invoice invoke involve ionize iron irradiate irrigate irritate
isolate issue italicize itch itemize iterate jab jabber jack jacket jackknife jail jam jangle japan jar jaywalk jazz
jeer jell jeopardize jerk jest jet jettison jewel jibe jiggle jilt jingle jinx jitter job jockey jog join joint joke
jolt jostle jot journey joust joy jubilate judge juggle jumble jump jump-start jumpstart junk justify jut juxtapose
keel keep key kick kickstart kid kidnap kill kindle kink kiss knead kneecap kneel knife knight knit knock knot know
knuckle kowtow label labor labour lace lacerate lack lacquer lactate ladle lag lambast lambaste lament laminate
lampoon lance land landscape languish lap lapse lard lash last latch lather laud laugh launch launder lavish lay layer
laze leach lead leaf leak lean leap leapfrog learn lease leave leaven lecture leer legalize legislate legitimate
legitimize lend lengthen lessen let letter level leverage levitate levy liaise libel liberalize liberate licence
license lick lie lift light lighten lignify like liken lilt limber lime limit limp line linger link lionize lip-sync
liquefy liquidate liquidize lisp list listen litigate litter live liven livestream load loaf loan loathe lob lobby
localize locate lock lodge loft log loiter loll lollop long look loom loop loose loosen loot lop lope lose lounge love
lowball lower lubricate lug lull lumber lump lunch lunge lurch lure lurk luxuriate lynch macerate machine madden
magnetize magnify mail maim maintain major make malfunction malign malinger malt maltreat man manage mandate maneuver
mangle manhandle manicure manifest manipulate manoeuvre manufacture map mar maraud march marginalize marinate mark
market maroon marry marshal marvel mash mask masquerade mass mass-produce massacre massage master mastermind masticate
masturbate mat match mate materialize matriculate matter mature maul maximize mean meander measure mechanize medal
meddle mediate medicate meditate meet meld mellow melt memorize menace mend mention mentor merge merit mesh mesmerize
mess message metabolize metal metamorphose metastasize mete meter micromanage microwave migrate militarize militate
milk mill mime mimic mince mind mine mineralize mingle miniaturize minimize minister minor mint mire mirror misadvise
misapply misappropriate misbehave miscalculate miscarry miscommunicate misconstrue misdirect misfile misfire misguide
mishandle misidentify misinform misinterpret misjudge mislabel mislead mismanage misname misplace misplay misprint
mispronounce misquote misremember misreport misrepresent miss misspell mist mistake mistreat mistrust misunderstand
misuse mitigate mix moan mob mobilize mock model moderate modernize modify modulate moisten mold molest mollify
mollycoddle molt monetize monitor monopolize moo mooch moon moonlight moor mop mope moralize morph mortgage mortify
mosey mothball mother motion motivate motor motorize mottle mould moult mount mourn mouse mouth move mow muck muddle
muddy muffle mug mulch mulct mull multiply multitask mumble mummify munch murder murmur muse mushroom muster mutate
mute mutilate mutter muzzle mystify nab nag nail name nap narrate narrow nationalize naturalize nauseate navigate near
neaten necessitate need needle negate neglect negotiate neigh neighbor neighbour nest nestle net nettle network neuter
neutralize nibble nick nickname niggle nip nitpick nix nod nominate nonplus normalize nose nosedive nosh notarize
notch note notice notify nourish nudge nuke nullify numb number nurse nurture nuzzle obey obfuscate object objectify
obligate oblige obliterate obscure observe obsess obstruct obtain obviate occasion occlude occupy occur offend offer
officiate offload offset ogle oil omit ooze open operate opine oppose oppress opt optimize orate orbit orchestrate
ordain order organize orient orientate originate ornament oscillate ossify ostracize oust out outbid outclass
outdistance outdo outfit outflank outfox outgrow outlast outlaw outlay outline outlive outmaneuver outmatch outnumber
outpace outperform outplay output outrage outrank outrun outscore outsell outshine outsmart outsource outspend outstay
outstrip outweigh outwit overact overawe overbook overburden overcharge overclock overcome overcompensate
overcomplicate overcook overcrowd overdevelop overdo overdose overdraw overdress overeat overemphasize overestimate
overexpose overextend overfish overfit overflow overgraze overhaul overhear overheat overhype overindulge overlap
overlay overload overlook overpay overplay overpopulate overpower overprice overproduce overprotect overrate overreach
overreact override overrule overrun oversee overshadow overshare overshoot oversimplify oversleep overstate overstay
overstep overstretch oversubscribe overtake overtax overthrow overtrain overturn overuse overvalue overwhelm
overwinter overwork overwrite owe own oxidize pace pacify pack package pad paddle padlock page pain paint pair pal
palliate palm palpate palpitate pamper pan pancake pander panel panhandle panic pant paper parachute parade paragraph
parallel paralyze parameterize paraphrase parboil parcel parch pardon pare park parlay parley parody parrot parry
parse part partake participate partition partner party pass paste pasteurize pat patch patent patrol patronize patter
pattern pause pave paw pawn pay peak peal peck pedal peddle pedestrianize peek peel peep peer peg pelt pen penalize
pencil penetrate pepper perceive perch percolate perfect perforate perform perfume perish perjure perk permeate permit
perpetrate perpetuate perplex persecute persevere persist personalize personify perspire persuade pertain perturb
peruse pervade pervert pester pet petition petrify phase philosophize phone photobomb photocopy photograph photoshop
phrase pick picket pickle picnic picture piece pierce pigeonhole piggyback pile pilfer pillage pillory pilot pin pinch
pine pink pinpoint pioneer pipe pique pirate piss pit pitch pity pivot placate place plague plait plan plane plant
plaster plate plateau play playact plead please pleat pledge plod plop plot plough plow pluck plug plumb plume plummet
plump plunder plunge plunk ply poach pocket pockmark podcast point poise poison poke polarize police polish politicize
poll pollinate pollute ponder pontificate pool poop pootle pop popularize populate pore port portend portray pose
posit position possess post postpone postulate posture pot potter pouch pounce pound pour pout powder power practice
practise praise prance prank prattle pray preach precede precipitate preclude precondition predate predefine
predetermine predicate predict predispose predominate preempt preen prefabricate preface prefer prefix preheat
prejudice preload premeditate premiere preoccupy prepare prepay prepossess preregister presage prescribe present
preserve preside press pressure pressurize presume presuppose pretend prevail prevaricate prevent preview prey price
prick prickle pride prime print prioritize privatize prize probe proceed process proclaim procrastinate procreate
procure prod produce profane profess proffer profile profit program programme progress prohibit project proliferate
prolong promenade promise promote prompt promulgate pronounce proof proofread prop propagate propel prophesy
proportion propose proscribe prosecute proselytize prospect prosper protect protest protrude prove provide provision
provoke prowl prune pry psychoanalyze publicize publish pucker puddle puff pull pulp pulsate pulse pulverize pummel
pump pun punch punctuate puncture punish punt purchase purge purify purloin purport purpose purr purse pursue push put
putt putter puzzle quack quadruple quaff quail quake qualify quantify quantize quarantine quarrel quarry quarter quash
quaver quell quench query quest question queue quibble quicken quiet quieten quilt quip quit quiver quiz quote race
rack radiate radicalize radio raffle raft rage raid rail railroad rain raise rake rally ram ramble ramp rampage
randomize range rank rankle ransack ransom rant rap rape rat ratchet rate ratify ration rationalize rattle ravage rave
ravel ravish raze razz re-enter reabsorb reach reacquaint react reactivate read readjust readmit ready reaffirm
realign realize reap reappear rear rearm rearrange reason reassemble reassert reassess reassign reassure reawaken
rebalance rebate rebel reboot rebound rebrand rebuff rebuild rebuke rebut recalculate recalibrate recall recant recap
recapitulate recapture recast recede receive recess recharge reciprocate recite reckon reclaim reclassify recline
recognize recoil recollect recombine recommend recommit recompense recompile reconcile recondition reconfigure
reconnect reconnoiter reconnoitre reconsider reconstruct reconvene record recount recoup recover recreate recruit
rectify recuperate recur recuse recycle redact redden redecorate rededicate redeem redefine redeploy redesign
redevelop redirect rediscover redistribute redo redouble redraft redress reduce reek reel reelect reenact reenter
reestablish reevaluate reexamine refactor refer referee refill refinance refine refit reflect refocus reform reformat
reformulate refract refrain refresh refrigerate refuel refund refurbish refuse refute regain regale regard regenerate
regiment register regress regret regroup regularize regulate regurgitate rehabilitate rehash rehearse reheat reify
reign reimburse rein reincarnate reinforce reinstall reinstate reinterpret reintroduce reinvent reinvest reissue
reiterate reject rejoice rejoin rejuvenate rekindle relabel relapse relate relax relay release relegate relent relieve
relinquish relish relive reload relocate rely remain remake remand remap remark remarry remaster remedy remember
remind reminisce remit remodel remonstrate remount remove remunerate rename rend render rendezvous renege renegotiate
renew renounce renovate rent reopen reorder reorganize reorient repackage repaint repair repatriate repay repeal
repeat repel repent rephrase replace replant replay replenish replicate reply repopulate report repose reposition
repossess represent repress reprieve reprimand reprint reproach reproduce reprogram republish repudiate repulse
request require requisition reread rerecord reroute rerun rescale reschedule rescind rescue research resell resemble
resent reserve reset resettle reshape reshuffle reside resign resist resize resolve resonate resort resound respect
respire respond rest restart restate restock restore restrain restrict restructure restyle resubmit result resume
resurface resurrect resuscitate retail retain retake retaliate retard retch retell retest rethink reticulate retie
retire retool retort retouch retrace retract retrain retreat retrieve retrofit retry return reunite reupload reuse rev
revalidate revamp reveal revel revenge reverberate revere reverse reverse-engineer revert review revile revise revisit
revitalize revive revoke revolt revolutionize revolve reward rewind rewire reword rework rewrap rewrite rezone rhyme
ricochet rid riddle ride ridicule rifle rig right rile rim ring rinse riot rip ripen ripple rise risk rival rivet roam
roar roast rob rock rocket roll roller-skate rollerblade romance romanticize romp roof room roost root rope rot rotate
rough roughen roughhouse round rouse rout route rove row rub rubber-stamp ruck ruffle ruin rule rumble ruminate
rummage rumor rumour rumple run rupture rush rust rustle sabotage sack sacrifice sadden saddle safeguard sag sail
salivate salt salute salvage sample sanctify sanction sand sandbag sandblast sandwich sanitize sap sashay satiate
satirize satisfy saturate sauce saunter saute sauté savage save savor savour saw say scald scale scalp scamper scan
scandalize scar scare scarper scatter scavenge scent schedule scheme schlep schmooze school scintillate scoff scold
scoop scoot scope scorch score scorn scour scourge scout scowl scrabble scramble scrap scrape scratch scrawl scream
screech screen screw scribble scrimp script scroll scrounge scrub scrunch scruple scrutinize scuff scuffle sculpt
sculpture scurry scuttle seal sear search season seat secede seclude second second-guess secrete section secularize
secure sedate seduce see seed seek seem seep seesaw seethe segment segregate seize select sell send sense sensitize
sentence separate sequence sequester serenade serialize serve service set settle sever sew sex shack shackle shade
shadow shake sham shame shampoo shape share sharpen shatter shave shear sheathe shed sheer sheet shell shellac shelter
shelve shepherd shield shift shimmer shimmy shine ship shipwreck shirk shiver shock shoehorn shoot shop shoplift shore
short short-circuit shorten shortlist shoulder shout shove shovel show showcase shower shred shriek shrink shrivel
shroud shrug shuck shudder shuffle shun shunt shut shuttle shy sicken side sidestep sidetrack sidle sieve sift sigh
sight sightread sightsee sign signal signify silence silver simmer simper simplify simulate sin sing singe single sink
sip siphon sit situate size sizzle skate sketch skew skewer ski skid skim skimp skin skinny-dip skip skirmish skirt
skitter skive skulk skype skyrocket slack slacken slake slam slander slant slap slash slate slather slaughter slave
slaver slay sled sledge sleep sleepwalk slenderize sleuth slice slick slide slight slim slime sling slink slip slit
slither sliver slobber slog slop slope slosh slot slouch slow slug sluice slum slumber slump slur slurp slush smack
smart smarten smash smear smell smelt smile smirk smite smoke smolder smooch smooth smother smoulder smudge smuggle
snack snaffle snag snake snap snare snarl snatch sneak sneer sneeze snicker sniff sniffle snigger snip snipe snitch
snivel snoop snooze snore snorkel snort snow snowball snowboard snub snuff snuffle snuggle soak soap soar sob sober
socialize sock soften soil sojourn solder solicit solidify solo solve soothe sophisticate sort sound soundproof sour
source souse sow space spam span spank spar spare spark sparkle spasm spatter spawn spay speak spear spearfish
spearhead specialize specify speckle speculate speed spell spellcheck spend spew spice spiff spike spill spin spiral
spit spite splash splatter splay splice splinter split splurge splutter spoil sponge sponsor spoof spool spoon
spoon-feed sport spot spotlight spout sprain sprawl spray spread spring sprinkle sprint spritz sprout spruce spur
spurn spurt sputter spy squabble squall squander square squash squat squawk squeak squeal squeegee squeeze squelch
squint squirm squirrel squirt squish stab stabilize stack staff stage stagger stagnate stain stake stalemate stalk
stall stammer stamp stampede stand standardize staple star starch stare stargaze start startle starve stash state
station stay steady steal steam steamroll steamroller steel steep steer stem stencil step stereotype sterilize stew
stick stiffen stifle stigmatize still stimulate sting stink stipple stipulate stir stir-fry stitch stock stockpile
stoke stomach stomp stone stonewall stoop stop store storm stow straddle strafe straggle straighten strain
straitjacket strand strangle strap strategize stratify stray streak stream streamline strengthen stress stretch strew
stride strike string strip strive stroke stroll structure struggle strum strut stub study stuff stumble stump stun
stunt stupefy stutter style stymie sub subcontract subdivide subdue subject subjugate sublet sublimate sublime
submerge submit subordinate subpoena subscribe subside subsidize subsist substantiate substitute subsume subtitle
subtract subvert succeed succumb suck suckle sue suffer suffice suffocate suffuse sugar sugarcoat suggest suit sulk
sully sum summarize summon sun sunbathe sunburn supercharge superimpose superintend supersede supervise supplant
supplement supplicate supply support suppose suppress surcharge surf surface surge surmise surmount surpass surprise
surrender surround survey survive suspect suspend sustain suture swab swagger swallow swamp swap swarm swat swathe
sway swear sweat sweep sweet-talk sweeten swell swelter swerve swig swill swim swindle swing swipe swirl swish switch
swivel swoon swoop swoosh symbolize sympathize sync synchronize syncopate syndicate synthesize table tabulate tack
tackle tag tail tailgate tailor taint take talk tally tame tamper tan tangle tango tank tantalize tap tape taper
target tarmac tarnish tarry task tassel taste tattle tattoo taunt tauten tax taxi teach team tear tease tee teem
teeter teethe telecommute telegraph telephone teleport telescope televise tell temper tempt tend tender tense
tergiversate term terminate terrace terrify terrorize test test-drive testify tether text thank thatch thaw theorize
thicken thieve thin think thirst thrash thread threaten thresh thrill thrive throb throng throttle throw thrust thud
thumb thump thunder thwart tick ticket tickle tidy tie tighten tile tilt time timestamp tinge tingle tinker tinkle
tinsel tint tip tiptoe tire titillate title titrate titter toast toddle toe toggle toil toilet-train tokenize tolerate
toll tone tongue tool tootle top topple torch torment torpedo torture toss total totter touch toughen tour tousle tout
tow towel tower toy trace track trade trademark traffic trail train trammel tramp trample tranquilize transact
transcend transcode transcribe transect transfer transfigure transfix transform transfuse transgress transit
transition translate transliterate transmigrate transmit transmogrify transmute transpire transplant transport
transpose transship trap trash traumatize travel traverse trawl tread treasure treat treble tree trek tremble trench
trespass triangulate trick trick-or-treat trickle trifle trigger trill trim trip triple triumph trivialize troll troop
trot trouble troubleshoot trounce trowel truck trudge trump trumpet truncate trundle truss trust try tube tuck tug
tumble tune tunnel turn tussle tut tutor twang tweak tweet twiddle twig twin twine twinge twinkle twirl twist twitch
type typecast typify tyrannize ulcerate unbalance unban unblock unbuckle unburden unbutton uncap unchain uncheck
unclasp unclench unclog uncoil uncork uncover uncurl undelete undercharge undercook undercut underestimate underfund
undergo underlie underline undermine underpay underperform underpin underplay underrate underscore undersell undersign
understand understate undertake underuse undervalue underwhelm undo undock undress undulate unearth unfasten unfold
unfollow unfriend unfurl unhand unhinge unhitch unhook unify uninstall unionize unite unlatch unleash unlink unload
unlock unloose unmask unmute unnerve unpack unpick unpin unplug unravel unroll unscramble unscrew unseal unseat
unsettle unshackle unsheathe unsubscribe untag untangle untie untwist unveil unwind unwrap unzip upcycle update upend
upgrade uphold upholster uplift upload uproot upset upskill upstage upvote urbanize urge urinate use usher usurp
utilize utter vacate vacation vaccinate vacillate vacuum validate value vamp vandalize vanish vanquish vape vaporize
vary vault vectorize veer vegetate veil vend venerate vent ventilate venture verbalize verge verify verse vest vet
veto vex vibrate victimize video videotape vie view vilify vindicate violate virtualize visa visit visualize vitiate
vlog vocalize voice void volley volunteer vomit vote vouch vouchsafe vow voyage vulgarize wad wade waffle waft wag
wage wager waggle wail wait waive wake waken walk wallop wallow wallpaper waltz wander wane wangle want war warble
ward warm warn warp warrant wash wassail waste watch water waterlog waterproof wave waver wax waylay weaken wean
weaponize wear weary weasel weather weave webcast wed wedge weed weep weigh weight welcome weld well welter wend
westernize wet whack wheedle wheel wheeze whet whiff whimper whine whinge whinny whip whir whirl whirr whisk whisper
whistle whitelist whiten whitewash whittle whiz whizz whoop whoosh whup widen widow wield wiggle will wilt win wince
winch wind window-shop wine wing wink winnow winter wipe wire wiretap wisecrack wish withdraw wither withhold
withstand witness wobble wolf womanize wonder woo woof word work workshop worry worsen worship wound wow wrangle wrap
wreak wreathe wreck wrench wrest wrestle wriggle wring wrinkle write writhe wrong x-ray xerox yak yammer yank yap yaw
yawn yearn yell yelp yield yodel yoke yowl zap zero zigzag zing zip zone zonk zoom
`;

/** English verbs that are in common use, in their base form, irregular ones among them. */
export const commonVerbs: readonly string[] = words.trim().split(/\s+/);

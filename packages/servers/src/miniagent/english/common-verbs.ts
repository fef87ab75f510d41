const words = `
abandon abate abbreviate abdicate abduct abet abhor abide abolish abort abound abridge abrogate abscess abseil absent
absolve absorb abstain abstract abuse abut accede accelerate accent accentuate accept access accessorize acclaim
acclimate acclimatize accommodate accompany accomplish accord accost account accredit accrue accumulate accuse
accustom ace ache achieve acidify acknowledge acquaint acquiesce acquire acquit act action activate actualize actuate
adapt add address adhere adjoin adjourn adjudicate adjust administer admire admit admonish adopt adore adorn
adulterate advance advertise advise advocate aerate affect affiliate affirm affix afflict afford affront age aggravate
aggregate agitate agonize agree aid ail aim air air-dry airdrop alarm alert alias alienate alight align allay allege
alleviate allocate allot allow allowlist allude ally alphabetize alter alternate amass amaze amble ambush ameliorate
amend amount amplify amputate amuse anaesthetize analyze anchor anesthetize anger angle animate annex annihilate
annotate announce annoy annul anoint anonymize answer antagonize anticipate ape apologize appal appall appeal appear
appease append appertain applaud apply appoint apportion appraise appreciate apprehend apprentice apprise approach
appropriate approve approximate arbitrate arc arch argue arise arm arm-wrestle arouse arraign arrange array arrest
arrive articulate ascend ascertain ascribe ask asphyxiate aspirate aspire assail assassinate assault assemble assent
assert assess assign assimilate assist associate assuage assume assure astonish astound atone atrophy attach attack
attain attempt attend attenuate attest attract attribute attune auction audit audition augment authenticate author
authorize autocatalyze autocomplete autocorrect autofill autograph automate autoplay autorotate autosave avail avenge
aver average avert avoid avow await awake awaken award awe axe baa babble babysit back back-pedal backcomb backdate
backdoor backfill backfire backhaul backheel backlight backload backlog backorder backpack backpedal backport backstab
backtrack backwash badger baffle bag bail bait bake balance balk balloon ballot ballpark ban band bandage bandy bang
banish bank bankrupt banquet banter baptize bar barbecue bare barf bargain barge barhop bark barrack barrel barricade
barter base bash bask bastardize baste bat bath bathe batter battle bawl bay bayonet be beacon bead beam bear beat
beatify beautify beckon become bed bedazzle bedevil beep befall befit befriend befuddle beg beget begin begird
begrudge beguile behave behead behold bejewel belabor belabour belch beleaguer belie believe belittle bellow belly
belong belt bemoan bench benchmark bend benefit bequeath berate bereave berth beseech beset besiege besmirch best
bestow bet betake betray better bewail beware bewilder bewitch bias bicker bicycle bid bide bifurcate bike bilk bill
billow bind binge binge-drink binge-eat binge-watch biodegrade bioengineer biopsy bird-dog bird-watch birth bisect
bitch bite bivouac blab blabber blacken blacklist blackmail blag blame blanch blanket blare blaspheme blast blaze
bleach bleat bleed bleep blemish blend bless blind blindfold blindside blink blip blister bloat block blockade blog
bloom blossom blot blow blow-dry bludgeon bluff blunder blunt blur blurt blush bluster board boast bob bode body-check
bog boggle boil bolster bolt bomb bombard bond bone boo booby-trap boogie book bookmark boom boomerang boost boot
bootleg border bore borrow boss botch bother bottle bottle-feed bottleneck bottom bounce bound bow bowdlerize bowl box
boycott brace bracket brag braid brain brainstorm brainwash brake branch brand brandish brave brawl breach break
breakfast breast-feed breastfeed breathe breed breeze brew bribe brick bridge bridle brief brighten brim bring bristle
broach broadcast broaden broil brood brook brown browse bruise brush brutalize bubble buck bucket buckle bud budge
budget buff buffer buffet bug build bulge bulk bulk-buy bulldoze bullshit bullwhip bully bum bumble bump bunch bundle
bungle bunk burble burden bureaucratize burgeon burgle burn burnish burp burrow burst bury bus bushwhack bust bustle
busy butcher butt butter butterfly button buttress buy buzz bypass cable cackle caddie cage cajole calcify calculate
calibrate call calm camouflage camp campaign can cancel canoe canonize canter canvass cap caper capitalize capitulate
captain caption captivate capture caramelize carbonate carbonize card care careen career caress caricature carol
carpet carpetbag carpool carry cart carve cascade case cash cashier cast castigate castrate cat-sit catalog catalogue
catapult catch categorize cater catfish cause cauterize caution cave cavort caw cease cede celebrate cement censor
censure center centralize centre certificate certify chafe chain chainsaw chair challenge champion chance change
channel chant chaperone characterize charbroil charge charm chart charter chase chasten chastise chat chatter
chauffeur cheapen cheat check checkmate checkpoint cheer cherish chew chide chill chime chip chirp chisel chitchat
chivvy chlorinate choke chomp choose chop choreograph chortle chorus christen chrome chronicle chuck chuckle chug chum
chunder chunk churn cinch circle circulate circumcise circumnavigate circumscribe circumvent cite civilize clad claim
clamber clamor clamour clamp clang clank clap clarify clash clasp classify clatter claw clean cleanse clear cleave
clench click climax climb clinch cling clink clip cloak clobber clock clog cloister clone clonk close clot clothe
cloud clown club cluck clump cluster clutch clutter co-edit co-exist co-found co-host co-lead co-locate co-manage
co-operate co-ordinate co-own co-produce co-sleep co-write coach coagulate coalesce coanchor coappear coast coat
coauthor coax cobble cochair cock cocoon cocreate coddle code codename codesign codevelop codify codirect codiscover
coedit coerce coevolve coexist cofinance cofound cogitate cohabit cohead cohere cohost coif coil coin coincide
cold-brew cold-call cold-start collaborate collapse collar collate collect collide collude colocate colonize color
colour comanage comb combat combine combust come comfort comfort-eat comingle command commandeer commemorate commence
commend comment commentate commercialize commiserate commission commit commoditize communicate commute compact compare
compartmentalize compel compensate compete compile complain complement complete complicate compliment comply compose
composite compost compound comprehend compress comprise compromise compute computerize con concatenate conceal concede
conceive concentrate conceptualize concern conciliate conclude concoct concrete concur concuss condemn condense
condescend condition condone conduct confer confess confide configure confine confirm confiscate conflict conform
confound confront confuse congeal congratulate congregate conjecture conjoin conjugate conjure conk connect connive
connote conquer conscript consecrate consent conserve consider consign consist console consolidate consort conspire
constipate constitute constrain constrict construct construe consult consume consummate contact contain containerize
contaminate contemplate contend content contest contextualize continue contort contract contradict contrast contravene
contribute contrive control convene converge converse convert convey convict convince convoke convolute convulse coo
cook cool coop cooperate coopt coordinate cop coparent cope coproduce copublish copy copy-edit copy-paste copycat
copyright cord cordon core cork corner corotate corral correct correlate correspond corroborate corrode corrugate
corrupt cosign cosplay cosset cost costar costume cough counsel count counter counteract counterargue counterattack
counterbalance counterbid countercharge counterclaim counterdemonstrate counterfeit countermove counteroffer
counterpunch countersign countersue counterweigh couple courier course court cover covet cower cowrite crab crack
crackle cradle craft cram cramp crane crank crash crash-land crate crater crave crawl craze creak cream crease create
credential credit creep cremate crest crew crib criminalize crimp cringe crinkle cripple crisp crisscross criticize
critique croak crochet crook croon crop cross cross-breed cross-check cross-examine cross-post cross-reference
cross-sell cross-train crosscheck crossmatch crosspost crouch crow crowd crowdfund crowdsource crown crucify cruise
crumb crumble crumple crunch crusade crush cry crystallize cube cuddle cudgel cue cuff cull culminate cultivate cup
curate curb curdle cure curl curry curse curtail curtsey curtsy curve cushion cuss customize cut cyberbully cyberstalk
cycle dab dabble dally dam damage damn damp dampen dance dangle dare darken darn dart dash data-mine date daub daunt
dawdle dawn day-trade daydream daze dazzle deacidify deactivate dead-end deaden deadhead deadlift deadlock deadpan
deafen deal debag debar debase debate debauch debilitate debit debone debrief debug debunk deburr debut decaffeinate
decal decamp decant decapitate decay deceive decelerate decenter decentralize decentre decide decimate decipher deck
declare decline declutter decode decommission decompensate decompile decompose decompress decondition deconflict
decongest decorate decoupage decouple decrease decree decrement decry dedicate deduce deduct deduplicate deed deem
deemphasize deep-clean deep-dive deep-freeze deepen deepfake deescalate deface defame default defeat defecate defect
defend defer defile define deflate deflect deflower defocus deforest deform defrag defraud defray defriend defrost
defuel defund defuse defy degenerate deglamorize deglaze degrade dehumanize dehumidify dehydrate deify deign
deindustrialize deinstitutionalize delaminate delay delegate delegitimize delete deleverage deliberate delight delimit
delineate deliver delouse delude deluge delve demagnetize demand demarcate dematerialize demean demerge demilitarize
demobilize democratize demolish demonetize demonize demonstrate demoralize demote demotivate demount demur demystify
denigrate denote denounce dent denuclearize denude deny denylist deodorize deorbit depart departmentalize depend
depict deplatform deplete deplore deploy depoliticize depollute depolymerize depopulate deport depose deposit deprave
deprecate depreciate depress depressurize deprioritize deprive deprogram deputize derail derange deregister deregulate
deride derisk derive desalinate descale descend descramble describe desecrate desegregate deselect desensitize
deserialize desert deserve desiccate design designate desire desist deskill desolate despair despatch despise
destabilize destigmatize destine destress destroy detach detail detain detangle detect deter deteriorate determine
detest detonate detour detox detoxify detract detune devalue devastate develop deviate devise devolve devote devour
dewater dewax deworm diagnose diagram dial diaper dice dicker dictate die diet differ differentiate diffuse dig digest
digitize dignify digress dilate dilute dim diminish dimple dine dip direct dirty dis disable disadvantage disaffiliate
disaffirm disaggregate disagree disallow disappear disappoint disapprove disarm disassemble disassociate disavow
disband disbelieve disburse disc discard discern discharge discipline disclaim disclose discolor discolour discomfit
discompose disconcert disconfirm disconnect discontinue discount discourage discover discredit discriminate discuss
disdain disembark disembowel disempower disenchant disenfranchise disengage disentangle disenthrall disentitle
disfigure disgorge disgrace disguise disgust dish dishearten dishevel dishonor dishonour disincentivize disincline
disinfect disinform disinherit disinhibit disintegrate disinter disinvent disinvite disjoin dislike dislocate dislodge
dismantle dismay dismember dismiss dismount disobey disorder disorganize disorient disown disparage dispatch dispel
dispense disperse dispirit displace display displease dispose disprove dispute disqualify disregard disremember
disrespect disrobe disrupt dissatisfy dissect dissemble disseminate dissent dissipate dissociate dissolve dissuade
distance distend distil distill distinguish distort distract distress distribute distrust disturb disunite ditch
dither dive diverge diversify divert divest divide divine divorce divulge divvy do dock doctor document dodge doff
dog-sit dog-walk dogfood dogleg dogpile dole dollop domesticate dominate don donate doodle doom doomscroll doorstep
dope dose dot dote double double-book double-check double-click double-cross double-dip double-fault double-lock
double-tap doubt douse dovetail dowel down downgrade downlink download downplay downsample downscale downshift
downsize downvote downzone dowse doze draft drag drain dramatize drape draw drawl dread dream dredge drench dress
dribble drift drill drink drip drive drizzle drone drool droop drop dropkick dropship drown drowse drug drum dry
dry-clean dry-roast dub duck duel dulcify dull dumbfound dump dumpster-dive dunk dupe duplicate dust dwarf dwell
dwindle dye dynamite earmark earn ease eat eavesdrop ebb echo eclipse economize edge edify edit educate efface effect
egg eject eke elaborate elapse elate elbow elect electrify electrocute electrolyze elevate elicit eliminate elongate
elope elucidate elude emaciate email emanate emancipate emasculate embalm embank embargo embark embarrass embed
embellish embezzle embitter emblazon embody embolden emboss embrace embroider embroil emerge emigrate emit emote
emotionalize empanel empathize emphasize employ empower empty emulate emulsify enable enact enamel encage encamp
encapsulate encase enchant encircle enclose encode encompass encounter encourage encroach encrust encrypt encumber
encyst end endanger endear endeavor endeavour endorse endow endure energize enfeeble enfold enforce enfranchise engage
engender engineer engrave engross engulf enhance enjoin enjoy enlarge enlighten enlist enliven ennoble enquire enrage
enrapture enrich enrol enroll ensconce enshrine enslave ensnare ensue ensure entail entangle enter entertain enthral
enthrall enthrone enthuse entice entitle entomb entrap entreat entrench entrust entwine enumerate enunciate enure
envelop environ envisage envision envy epitomize equal equalize equate equip equivocate eradicate erase erect erode
err erupt escalate escape eschew escort espouse establish esteem estimate estop estrange etch eulogize euthanize
evacuate evade evaluate evangelize evaporate even evict evidence evince eviscerate evoke evolve exacerbate exact
exaggerate exalt examine exasperate excavate exceed excel except exchange excise excite exclaim exclude excommunicate
excoriate excrete excruciate excuse execute exemplify exempt exercise exert exfoliate exhale exhaust exhibit
exhilarate exhort exhume exile exist exit exonerate exorcize expand expatriate expect expectorate expedite expel
expend experience experiment expiate expire explain explicate explode exploit explore export expose expound express
expropriate expunge extemporize extend exterminate externalize extinguish extol extort extract extradite extrapolate
extricate extrude exude exult eye eyeball fabricate face facepalm facet facilitate fact-check factor fade faff fail
faint fake fall falsify falter familiarize fan fancy fantasize fare farm fascinate fashion fast fast-forward fast-talk
fast-track fasten fat-shame father fathom fatigue fatten fault favor favour fawn fax faze fear feast feather
featherbed feature federate feed feel feign fell fence fend ferment ferret ferry fertilize fess fester fetch fetter
feud fictionalize fiddle fidget field field-strip fight figure figure-skate filch file fill fillet film filter finagle
finalize finance find fine fine-tune finesse finger finish fire firebomb firm fish fit fix fixate fizz fizzle
flabbergast flag flagellate flail flake flame flameproof flank flap flare flash flatline flatten flatter flaunt flavor
flavour flay fleck flee fleece flex flick flicker flimflam flinch fling flip flirt flit float flock flog flood floor
flop flounce flounder flour flourish flout flow flower flub fluctuate fluff flummox flunk fluoridate flurry flush
fluster flutter flux fly fly-tip foam focus fog foil foist fold follow foment fondle fool foot forage foray forbear
forbid force force-quit forearm forebode forecast forecheck foreclose forego foreground forerun foresee foreshadow
foreshorten forestall foretell forewarn forfeit forge forget forgive forgo fork form formalize format formulate
fornicate forsake forswear fortify forward fossilize foster foul found founder fox foxtrot fracture fragment frame
franchise frank fraternize fray freak free free-climb free-dive free-fall freebase freefall freelance freestyle
freewheel freeze freight frequent freshen fret friend frig frighten fringe frisk fritter frizzle frogmarch frolic
front front-load frontload frost froth frown fructify frustrate fry fudge fuel fulfil fulfill fulminate fumble fume
fumigate function fund funnel furl furlough furnish furrow further fuse fuss futz fuzz gab gag gain gallivant gallop
galumph galvanize gamble gamify gang gape garble garden gargle garner garnish garrison gas gash gasify gaslight gasp
gate gatecrash gatekeep gather gauge gawk gaze gear gel geld generalize generate gentrify genuflect geotag germinate
gerrymander gesticulate gesture get ghost ghostwrite gibber gibe gift giftwrap gig giggle gild gird girdle give
glaciate gladden glamorize glance glare glaze gleam glean glide glimmer glimpse glint glisten glister glitter gloat
globalize globetrot glorify glory gloss glow glower glue glut gnarl gnash gnaw go goad gobble golf goof google
goose-step gore gorge gossip gouge govern grab grace grade graduate graft grandfather grant granulate graph grapple
grasp grass grate gratify gravitate gray graze grease green-light greenlight greenwash greet grey gridlock grieve
grill grimace grin grind grip gripe grit groan groom groove grope gross ground group grouse grout grovel grow growl
grub grudge grumble grunt guarantee guaranty guard guess guest guffaw guide guillotine guilt-trip gulp gum gun gurgle
gush gussy gust gut guy guzzle gyrate habituate hack haemorrhage haggle hail hallmark hallow hallucinate halo halt
halve ham hammer hamper hamstring hand hand-carve hand-deliver hand-knit hand-make hand-paint hand-roll hand-sew
hand-stitch hand-weave hand-write handcraft handcuff handicap handle handpick handwave hang hang-glide hanker happen
harangue harass harbor harbour hard-boil hard-code hard-wire hardcode harden hardwire hark harken harm harmonize
harness harp harrow harrumph harry harvest hashtag hasten hatch hate haul haunt have hawk hazard haze head headhunt
headline heal heap hear hearken hearten heat heat-seal heat-treat heave heckle hedge hee-haw heed heehaw heel heft
heighten heist help hem henpeck herald herd herniate hesitate hew hibernate hiccup hide high-five high-hat highlight
hightail hijack hike hinder hinge hint hire hiss hit hitch hitch-hike hitchhike hive hoard hobble hobnob hock hoe hog
hogtie hoist hold hole holler hollow home homogenize hone honeymoon honk honor honour hoodwink hook hoot hoover hop
hope hornswoggle horrify hose hospitalize host hot-desk hotfix hotfoot hotlink hound house house-hunt house-sit
housesit hover howl huddle huff hug hulk hum humanize humble humblebrag humbug humiliate humor humour hump hunch
hunger hunt hurdle hurl hurry hurt hurtle hush hustle hybridize hydrate hydrolyze hyperfocus hyperlink hyperventilate
hyphenate hypnotize hypothesize ice ice-fish ice-skate idealize identify idle idolize ignite ignore illuminate
illustrate image imagine imbed imbibe imbue imitate immerse immigrate immobilize immortalize immunize impact impair
impale impanel impart impeach impede impel imperil impersonate impinge implant implement implicate implode implore
imply import impose impound impoverish impregnate impress imprint imprison improve improvise impugn impute inactivate
inaugurate incapacitate incarcerate incarnate incense incentivize inch incinerate incite incline include incorporate
increase increment incriminate incubate inculcate incur indemnify indent index indicate indict individualize
indoctrinate induce induct indulge industrialize inebriate infantilize infect infer infest infill infiltrate inflame
inflate inflect inflict influence inform infringe infuriate infuse ingest ingratiate inhabit inhale inherit inhibit
initial initialize initiate inject injure ink inlay inline innovate inoculate input inquire inscribe inseminate insert
insinuate insist insource inspect inspire instal install instantiate instate instigate instil instill institute
institutionalize instruct instrument insulate insult insure integrate intellectualize intend intensify inter interact
intercede intercept interchange interconnect interconvert intercorrelate intercrop intercross intercut interest
interface interfere interfile interfuse interject interlace interlay interlayer interleave interline interlink
interlock intermarry intermesh intermingle intern internalize internationalize interoperate interplant interplead
interpolate interpose interpret interrogate interrupt intersect intersperse intertwine intervene interview intimate
intimidate intone intoxicate intrigue introduce intrude inundate inure invade invalidate inveigh invent invert invest
investigate invigorate invite invoice invoke involve ionize iron irradiate irrigate irritate isolate issue italicize
itch itemize iterate jab jabber jack jacket jackknife jail jailbreak jam jam-pack jangle japan jape jar jaywalk jazz
jeer jell jemmy jeopardize jerk jest jet jettison jewel jibe jiggle jigsaw jilt jingle jink jinx jitter job job-hunt
job-share jockey jog join joint joke jolt jostle jot journey joust joy joy-ride jubilate judge juggle juice jumble
jump jump-start jumpstart junk jury-rig justify jut juxtapose keel keelhaul keep ken key keyboard keylog keypunch kick
kickbox kickstart kid kidnap kill kindle kink kiss kiteboard kitesurf knacker knead knee kneecap kneel knife knight
knit knock knot know knuckle knurl kowtow label labor labour lace lacerate lack lacquer lactate ladle lag lambast
lambaste lament laminate lampoon lance land landscape languish lap lapse lard laser-cut lash last latch lather laud
laugh launch launder lavish lay layer laze leach lead leaf leaflet leak lean leap leapfrog learn lease leave leaven
lech lecture leer leg legalize legislate legitimate legitimize lend lengthen lessen let letter level leverage levitate
levy liaise libel liberalize liberate licence license lick lie lifeguard lift light lighten lignify like liken lilt
limber lime limit limp line linger link lionize lip lip-sync liquefy liquidate liquidize lisp list listen litigate
litter live live-stream live-tweet liven livestream load loaf loan loathe lob lobby lobotomize localize locate lock
lodge loft log loiter loll lollop long longboard look loom loop loose loosen loot lop lope lose lounge louse love
low-ball lowball lower lowercase lubricate luck lug lull lullaby lumber lump lunch lunge lurch lure lurk luxuriate
lynch mace macerate machine machine-gun madden magic magnetize magnify mail maim mainstream maintain major make
malfunction malign malinger malt maltreat man manage mandate maneuver mangle manhandle manicure manifest manipulate
manoeuvre mansplain manspread manufacture map mar maraud march marginalize marinate mark market maroon marry marshal
marvel mash mask masquerade mass mass-market mass-produce massacre massage master mastermind masticate masturbate mat
match mate materialize matriculate matter mature maul maximize mean meander measure mechanize medal meddle mediate
medicate meditate meet meld mellow melt memorize menace mend mention mentor merge merit mesh mesmerize mess message
metabolize metal metamorphose metastasize mete meter microblog microdose microencapsulate microinject micromanage
microwave migrate mike militarize militate milk mill mime mimic mince mind mind-read mine mineralize mingle
miniaturize minimize minister minor mint minute mire mirror mis-sell misadd misadjust misadvise misallocate misapply
misappropriate misassign misattribute misbehave misbrand miscalculate miscarry mischaracterize mischarge miscite
misclaim misclassify misclick miscode miscommunicate miscomprehend miscompute misconfigure misconnect misconstrue
miscopy miscue miscut misdefine misdescribe misdiagnose misdial misdirect misdraw miseducate misemploy misenter
misevaluate misfeed misfield misfile misfire misfit misgender misguess misguide mishandle mishear misidentify
misinform misinterpret misjoin misjudge miskey miskick mislabel mislead mislocate mismanage mismeasure misname
misorder misorient misparse misphrase misplace misplan misplay misposition misprice misprint misprogram mispronounce
mispunctuate misquote misrecord misregister misremember misrender misreport misrepresent misroute misrule miss missend
misshape missort misspell misstep mist mistake misterm misthink misthrow mistitle mistranscribe mistreat mistrust
mistune mistype misunderstand misuse misvalue misword mitigate mitre mix moan mob mobilize mock model moderate
modernize modify modularize modulate moisten mold molest mollify mollycoddle molt monetize monitor monogram monopolize
moo mooch moon moonlight moonwalk moor mop mope moralize morph mortgage mortify mosey mothball mother motion motivate
motor motorize mottle mould moult mount mountain-bike mourn mouse mousetrap mouth move mow muck muddle muddy muffle
mug mulch mulct mull multi-task multicast multiply multitask mumble mummify munch murder murmur muse mushroom muster
mutate mute mutilate mutter muzzle mystify nab nag nail name name-call name-check name-drop nap napalm narrate narrow
narrowcast nationalize naturalize nauseate navigate naysay near neaten necessitate need needle negate neglect
negotiate neigh neighbor neighbour nerf nest nestle net nettle network neuter neutralize newscast nibble nick nickname
niggle nip nit-pick nitpick nix nod nominate nonplus noodle normalize nose nosedive nosh notarize notch note notice
notify nourish nudge nuke nullify numb number nurse nurture nuzzle obey obfuscate object objectify obligate oblige
obliterate obscure observe obsess obstruct obtain obviate occasion occlude occupy occur off-road offend offer
officiate offload offset offshore ogle oil ok okay omit onboard one-up ooze open operate opine oppose oppress opt
optimize option orate orbit orchestrate ordain order organize orient orientate originate ornament oscillate ossify
ostracize oust out outachieve outact outargue outbid outbluff outboast outbox outbuild outbuy outclass outclimb
outcoach outcompete outdance outdebate outdeliver outdistance outdo outdrag outduel outearn outeat outfish outfit
outflank outfly outfox outgain outgas outgross outgrow outgun outhit outhunt outhustle outjump outkick outlast
outlaugh outlaw outlay outlearn outline outlive outman outmaneuver outmatch outmuscle outnumber outpace outpass
outperform outpitch outplan outplay outplot outpoll outpour outpower outpray outprice outproduce outpromise outpull
outpunch output outrace outrage outraise outrank outread outrebound outrow outrun outscore outsell outserve outshine
outskate outsmart outsoar outsource outspell outspend outspread outsprint outstay outstretch outstrip outswing outtalk
outtrade outtravel outtrump outvalue outwait outwalk outweigh outwit outwork outwrestle outyell outyield overact
overanalyze overawe overbake overbet overbill overblow overbook overborrow overbreathe overburden overburn overbuy
overcall overcentralize overcharge overchill overclaim overclassify overclean overclock overcome overcommit
overcommunicate overcompensate overcomplicate overcompress overconsume overcontrol overcook overcool overcorrect
overcount overcrowd overcut overdecorate overdeliver overdesign overdevelop overdo overdose overdraw overdress overdry
overdub overdye overeat overedit overeducate overelaborate overembellish overemote overemphasize overengineer
overestimate overexaggerate overexcite overexercise overexpand overexplain overexpose overextend overfertilize
overfish overfit overflow overfund overgovern overgraze overharvest overhaul overhear overheat overhunt overhype
overidentify overindulge overinflate overinsure overinvest overissue overlap overlay overlearn overlend overload
overlook overman overmanage overmatch overmedicate overmix overpack overpackage overpay overplan overplant overplay
overpopulate overpower overprescribe overprice overprocess overproduce overprogram overpromise overprotect overpump
overrate overreach overreact overread overregulate overreport overrepresent override overripen overroast overrule
overrun oversalt oversaturate oversave oversee overseed overshadow overshare overshoot oversimplify oversize oversleep
oversoak overspin overstaff overstate overstay oversteer overstep overstimulate overstretch oversubscribe oversweeten
overswing overtake overtalk overtask overtax overthrow overtighten overtip overtrade overtrain overtreat overtrim
overtrust overturn overuse overutilize overvalue overwarm overwatch overwater overwear overwhelm overwinter overwork
overwrite owe own oxidize pace pacify pack package pad paddle padlock page pain paint paintball pair pal palliate palm
palpate palpitate pamper pan pan-sear pancake pander panel panhandle panic panic-buy pant paper parachute parade
paraglide paragraph parallel paralyze parameterize paraphrase parasail parboil parcel parch pardon pare parenthesize
park parlay parley parody parquet parrot parry parse part partake participate partition partner party pass paste
pasteurize pat patch patent patrol patronize patter pattern pause pave paw pawn pay peak peal peck pedal peddle
pedestrianize peek peel peep peer peer-review peg pelt pen penalize pencil penetrate people-watch pep pepper perceive
perch percolate perfect perforate perform perfume perish perjure perk permeate permit perpetrate perpetuate perplex
persecute persevere persist personalize personify perspire persuade pertain perturb peruse pervade pervert pester pet
pet-sit petition petrify petsit phase philosophize phone photobomb photocopy photograph photomap photoshop
photosynthesize phrase physic pick pickax picket pickle picnic picture piece pierce pigeonhole piggyback pile
pile-drive pilfer pillage pillory pilot pin pinch pinch-hit pine pink pinpoint pinwheel pioneer pipe pique pirate piss
pistol pit pitch pity pivot pixelate placate place placekick plague plait plan plane plant plaster plate plateau play
play-act play-fight playact plead please pleat pledge plod plop plot plough plow pluck plug plumb plume plummet plump
plunder plunge plunk ply poach pocket pockmark podcast point poise poison poke polarize pole-dance pole-vault police
polish politicize poll pollinate pollute polygraph ponder pontificate pool poop pootle pop popularize populate pore
port portend portray pose posit position possess post postpone postulate posture pot potter pouch pounce pound pour
pout powder power power-nap power-walk practice practise praise prance prank prattle pray pre-approve pre-cook pre-cut
pre-date pre-empt pre-install pre-order pre-pay pre-record pre-register pre-screen pre-select pre-sell pre-set preach
preadapt preadmit preannounce preapprove preassign prebake prebill preboard preboil prebook prebuy precancel precast
precede precertify precheck prechill precipitate preclean preclear preclude precode precompile precompute precondition
preconfigure precool precut predate predefine predesign predetermine predicate predict predispose predominate predrill
preedit preelect preempt preen preestablish prefab prefabricate preface prefer prefetch prefile prefill prefinance
prefix prefocus preformat preformulate prefreeze prefund preheat preinstall prejudice preload premeasure premedicate
premeditate premiere premix premoisten prenegotiate prenotify prenumber preoccupy preorder prep prepack prepackage
prepare prepay prepend preplan prepossess preprint preprocess preprogram prepurchase prequalify preregister prerinse
presage preschedule prescreen prescribe preselect present preserve preshape preship preside preslice presoak presort
prespecify press pressure pressurize presterilize prestress prestructure presume presuppose presweeten pretape pretend
pretest pretrain pretreat pretrim prevail prevaricate prevent preview prewarm prewarn prewash preweigh prewire prewrap
prey price price-fix price-match prick prickle pride prime print prioritize privatize prize probe proceed process
proclaim procrastinate procreate procure prod produce profane profess proffer profile profit program programme
progress prohibit project proliferate prolong promenade promise promote prompt promulgate pronounce proof proof-read
proofread prop propagate propel prophesy proportion propose proscribe prosecute proselytize prospect prosper protect
protest prototype protrude prove provide provision provoke prowl prune pry psych psychoanalyze publicize publish
pucker puddle puff pull pulp pulsate pulse pulverize pummel pump pun punch punctuate puncture punish punt purchase
purge purify purloin purport purpose purr purse pursue push put putt putter puzzle quack quadruple quaff quail quake
qualify quantify quantize quarantine quarrel quarry quarter quash quaver quell quench query quest question queue
quibble quicken quiet quieten quilt quip quit quiver quiz quote rabble-rouse race race-walk rack radiate radicalize
radio raffle raft rage rage-quit raid rail railroad rain raise rake rally ram ramble ramp rampage ramrod randomize
range rank rankle ransack ransom rant rap rape rat ratchet rate ratify ration rationalize rattle ravage rave ravel
ravish raze razz re-educate re-elect re-enact re-engage re-enter re-establish re-evaluate re-form re-home re-lay
re-read re-release re-route re-send re-set re-sign re-use re-write reabsorb reaccelerate reaccept reaccredit reach
reacquaint reacquire react reactivate read readd readdress readjust readmit readopt ready reaffirm reaffix reaggregate
realign realize reanalyze reap reappear reapply reappoint reappropriate reapprove rear reargue rearm rearouse
rearrange rearrest reascend reason reassemble reassert reassess reassign reassociate reassure reattach reattain
reattempt reauthorize reawaken rebadge rebalance rebaptize rebase rebate rebel rebill rebloom reboard reboil rebook
reboot rebore rebottle rebound rebrand rebreed rebuff rebuild rebuke rebut rebutton rebuy recalculate recalibrate
recall recant recap recapitalize recapitulate recapture recast recatalog recategorize recede receive recenter
recertify recess rechannel recharge rechart recharter recheck rechristen reciprocate recirculate recite reckon reclaim
reclassify reclean recline reclose recoat recodify recognize recoil recollect recolonize recolor recomb recombine
recommend recommission recommit recompense recompile recompose recompress recompute reconceive reconceptualize
reconcile recondition reconfigure reconnect reconnoiter reconnoitre reconsider reconsolidate reconstruct recontact
recontaminate recontextualize reconvene recook record recork recount recoup recouple recover recreate recross recruit
recrystallize rectify recuperate recur recuse recycle red-flag red-pencil redact redate redden redecide redecorate
rededicate redeem redefine redeliver redeploy redescribe redesign redevelop redial redirect rediscover redisplay
redissolve redistill redistribute redistrict redivide redo redock redouble redraft redress redrill redry redshirt
redub reduce redye reedit reeducate reeject reek reel reelect reembark reemerge reemit reemphasize reemploy reenact
reencounter reenergize reengage reengineer reenlist reenroll reenter reequip reerect reescalate reestablish reestimate
reevaluate reexamine reexperience reexplain reexplore reexport reexpose ref refactor refasten refeed refer referee
refight refigure refile refill refilm refilter refinance refind refine refire refit refix reflect reflood reflow
refocus refold reform reformat reformulate refract refrain reframe refreeze refresh refrigerate refry refuel refund
refurbish refuse refute regain regale regard regather regenerate regift regiment register reglaze reglue regrade
regress regret regroup regularize regulate regurgitate rehab rehabilitate rehandle reharden rehash rehearse reheat
rehem rehire rehome rehospitalize rehumanize rehydrate reidentify reify reign reimage reimagine reimburse reimmerse
reimplant reimport reimprison rein reincarnate reincorporate reindex reindict reinduce reinduct reinfect reinflate
reinforce reinfuse reinhabit reinitialize reinitiate reinject reinjure reinoculate reinsert reinspect reinspire
reinstall reinstate reinstitute reinter reinterpret reinterview reintroduce reinvade reinvent reinvest reinvestigate
reinvite reinvoke reissue reiterate reject rejigger rejoice rejoin rejudge rejuvenate rekey rekindle reknot relabel
relapse relate relaunch relax relay release relegate relend relent relet relicense relieve relink relinquish relish
relist relive reload relocate relock relubricate rely remail remain remake remand remanufacture remap remark remarket
remarry remaster rematch remeasure remedy remelt remember remerge remigrate remind remineralize reminisce remit remix
remobilize remodel remodify remonstrate remortgage remotivate remount remove remunerate rename renationalize rend
render rendezvous renege renegotiate renew renominate renotify renounce renovate rent renumber reobserve reobtain
reoccupy reoccur reoffend reoffer reopen reoperate reorchestrate reorder reorganize reorient repack repackage
repaginate repaint repair repanel repark reparse repartition repatch repatriate repave repay repeal repeat repel
repent rephrase replace replant replaster replate replay replead repledge replenish replicate replumb reply repolish
repoll repopulate report repose reposition repossess repost repower represent repress repressurize reprice reprieve
reprimand reprime reprint reprivatize reproach reproduce reprogram reprovision republish repudiate repulse repump
requalify request require requisition requote reradiate reraise reread rerecord reregister reregulate rerelease rerent
rerig reroll reroof reroute rerun resaddle resample resaw rescale reschedule rescind rescore rescreen rescript rescue
research reseason resecure reseize reselect resell resemble resensitize resent resentence reserve reset resettle
reshape resharpen reshoe reshow reshuffle reside resign resist resite resituate resize reskill reskin resod resoften
resolder resolve resonate resort resound resow respect respell respin respire resplice resplit respond respot respray
rest restabilize restack restaff restage restamp restart restate resterilize restimulate restitch restock restoke
restore restrain restress restrict restring restructure restudy restuff restyle resubmerge resubmit resubscribe result
resume resupply resurface resurrect resurvey resuscitate resync resynchronize resynthesize retabulate retack retag
retail retain retake retaliate retape retard retarget retaste retax retch retell retest rethink rethread rethrow
reticulate retie retighten retile retime retint retire retitle retool retort retouch retrace retrack retract retrain
retransfer retreat retrieve retrim retrofit retry retune return retweet retype reunite reupholster reupload reuse
reutilize rev revaccinate revalidate revaluate revamp revarnish reveal revegetate revel revenge reverberate revere
reverify reverse reverse-engineer revert review revile revise revisit revisualize revitalize revive revoke revolt
revolutionize revolve revote rewaken reward rewarm rewash rewatch rewax reweigh reweld rewind rewire reword rework
rewrap rewrite rezone rhyme rickroll ricochet rid riddle ride ridicule rifle rig right rightsize rile rim ring
ring-fence ringfence rinse riot rip ripen ripple rise risk rival rivet road-test roadblock roam roar roast rob
robotize rock rocket role-play roll roller-skate rollerblade romance romanticize romp roof room roost root rope rot
rotate rough rough-cut roughen roughhouse round rouse roust rout route rove row rowel rub rubber-stamp ruck ruffle
ruin rule rumble ruminate rummage rumor rumour rumple run rupture rush rust rustle rustproof sabotage sack sacrifice
sadden saddle safeguard sag sail salivate sally salt salute salvage sample sanctify sanction sand sandbag sandblast
sandbox sandwich sanitize sanity-check sap sashay satiate satirize satisfy saturate sauce saunter saute sauté savage
save savor savour saw say scald scale scalp scamper scan scandalize scapegoat scar scare scarper scatter scavenge
scent schedule scheme schlep schmooze school scintillate scoff scold scoop scoot scope scorch score scorn scour
scourge scout scowl scrabble scramble scrap scrape scratch scrawl scream screech screen screen-print screencap
screengrab screenshare screenshot screw scribble scrimp script scroll scrounge scrub scrum scrump scrunch scruple
scrutinize scuba-dive scuff scuffle sculpt sculpture scurry scuttle seal sear search season seat secede seclude second
second-guess secrete section secularize secure sedate seduce see seed seek seem seep seesaw seethe segment segregate
seize select self-assess self-fund self-harm self-host self-identify self-isolate self-medicate self-publish
self-regulate self-report sell send sensationalize sense sensitize sentence separate sequence sequester serenade
serialize serve service set settle sever sew sex shack shackle shade shadow shadow-ban shadowban shake sham shame
shampoo shape shapeshift share sharecrop sharpen shatter shave shear sheathe shed sheer sheet shell shellac shelter
shelve shepherd shield shift shim shimmer shimmy shine ship shipwreck shirk shiver shock shoehorn shoot shop shoplift
shore short short-circuit short-list short-sell shortchange shortcut shorten shortlist shotgun shoulder shout shove
shovel show showboat showcase shower shred shriek shrink shrink-wrap shrivel shroud shrug shuck shudder shuffle shun
shunt shut shuttle shy sicken side sideload sideslip sidestep sidetrack sidle sieve sift sigh sight sightread sightsee
sign signal signify silence silicify silver simmer simper simplify simulate sin sing singe single single-step sink sip
siphon sit situate size sizzle skate sketch skew skewer ski skid skim skim-read skimp skin skinny-dip skip skirmish
skirt skitter skive skulk skype skyrocket slack slacken slake slam slander slant slap slash slate slather slaughter
slave slaver slay sled sledge sleep sleep-train sleep-walk sleepwalk slenderize sleuth slice slick slide slight slim
slime sling slink slip slipstream slit slither sliver slobber slog slop slope slosh slot slouch slow slow-cook
slow-dance slow-roast slow-walk slug sluice slum slumber slump slur slurp slush smack smart smarten smash smear smell
smelt smile smirk smite smoke smolder smooch smooth smother smoulder smudge smuggle snack snaffle snag snake snap
snare snarl snatch sneak sneer sneeze snicker sniff sniffle snigger snip snipe snitch snivel snoop snooze snore
snorkel snort snow snowball snowboard snowplough snowplow snub snuff snuffle snug snuggle soak soap soar sob sober
socialize sock soft-boil soft-launch soften soil sojourn solder solicit solidify solo solve soothe soothsay
sophisticate sort sound soundproof sour source souse sow space spam span spank spar spare spark sparkle spasm spatter
spawn spay speak spear spearfish spearhead specialize specify speckle speculate speed speed-date speed-read spell
spell-check spellcheck spend spew spice spiff spike spill spin spin-doctor spiral spit spitball spite splash splatter
splay splice splinter split splurge splutter spoil sponge sponsor spoof spool spoon spoon-feed sport spot spotlight
spout sprain sprawl spray spray-paint spread sprig spring sprinkle sprint spritz sprout spruce spur spurn spurt
sputter spy squabble squall squander square squash squat squawk squeak squeal squeegee squeeze squelch squiggle squint
squirm squirrel squirt squish stab stabilize stack staff stage stage-dive stage-manage stagger stagnate stain stake
stalemate stalk stall stall-feed stammer stamp stampede stan stand standardize staple star starch stare stargaze start
startle starve stash state station stay steady steal steam steam-clean steamroll steamroller steel steep steer stem
stencil step stereotype sterilize stew steward stick stiff stiffen stifle stigmatize still stimulate sting stink
stipple stipulate stir stir-fry stitch stock stockpile stocktake stoke stomach stomp stone stonewall stoop stop store
storm storyboard stow straddle strafe straggle straighten strain straitjacket strand strangle strap strategize
stratify stray streak stream streamline strengthen stress stress-eat stress-test stretch strew stride strike string
strip strip-mine strive stroke stroll structure struggle strum strut stub study stuff stumble stump stun stunt stupefy
stutter style stymie sub subcategorize subclass subcontract subdivide subdue subject subjugate sublet sublicense
sublimate sublime submerge submit suboptimize subordinate subpoena subsample subscribe subside subsidize subsist
subspecialize substantiate substitute subsume subtitle subtotal subtract subtweet subvert succeed succumb suck suckle
sue suffer suffice suffocate suffuse sugar sugar-coat sugarcoat suggest suit sulk sully sum summarize summon sun
sun-dry sunbathe sunburn supercharge supercool superheat superimpose superintend supersaturate supersede supersize
supervise supplant supplement supplicate supply support suppose suppress surcharge surf surface surge surmise surmount
surpass surprise surrender surround survey survive suspect suspend suss sustain suture swab swagger swallow swamp swap
swarm swat swathe sway swear sweat sweep sweet-talk sweeten swell swelter swerve swig swill swim swindle swing swipe
swirl swish switch swivel swoon swoop swoosh symbolize symlink sympathize sync synchronize syncopate syndicate
synthesize tab table tabulate tack tackle tag tail tailgate tailor taint take talk tally tame tamper tan tangle tango
tank tantalize tap tap-dance tape tape-record taper target tarmac tarnish tarry tart task tassel taste taste-test
tattle tattoo taunt tauten tax taxi teach team team-teach tear tease tee teem teeter teethe telecommute teleconference
telegraph telemeter telephone teleport telescope televise telework tell temp temper tempt tend tender tense
tergiversate term terminate terrace terrify terrorize test test-drive test-market test-run testify tether text texture
thank thatch thaw theorize thicken thieve thin think thirst thrash thread threaten thresh thrill thrive throb throng
throttle throw thrust thud thumb thump thunder thwart tick ticket tickle tidy tie tighten tile tilt time time-travel
timestamp timetable tinge tingle tinker tinkle tinsel tint tip tiptoe tire titillate title titrate titter toast toddle
toe toggle toil toilet-train toke tokenize tolerate toll tone tongue tongue-lash tool tootle top topple torch torment
torpedo torque torrefy torture toss total totter touch tough toughen tour tousle tout tow towel tower toy trace track
trade trademark traffic trail train trammel tramp trample trampoline tranquilize transact transcend transcode
transcribe transect transfer transfigure transfix transform transfuse transgress tranship transilluminate transit
transition translate transliterate transmigrate transmit transmogrify transmute transpile transpire transplant
transport transpose transship trap trash trash-talk traumatize travel traverse trawl tread treasure treat treble tree
trek tremble trench trespass triage trial triangulate trick trick-or-treat trickle trifle trigger trill trim trip
triple triple-check triumph trivialize troll tromp troop trot trouble troubleshoot trounce trowel truck trudge trump
trumpet truncate trundle truss trust try tube tuck tug tumble tune tunnel turbocharge turn tussle tut tutor twang
tweak tweet twerk twiddle twig twin twine twinge twinkle twirl twist twitch type typecast typecheck typify tyrannize
ulcerate unanchor unarchive unbag unbalance unban unbandage unblock unbuckle unbuild unbundle unburden unbury unbutton
uncage uncap unchain uncheck unclamp unclasp unclench unclog unclose uncoil uncork uncover uncreate uncrown uncuff
uncurl uncurse undam undelete underbake underbudget underbuy undercapitalize undercharge underclock undercook
undercount undercut underdeliver undereat underemphasize underestimate underfund undergo underinsure underinvest
underlet underlie underline undermine underpay underperform underpin underplay underpromise underrate underreact
underreport underrepresent underscore undersell undersign understaff understand understate understeer undersubscribe
undersupply undertake undertax underuse underutilize undervalue underwhelm undo undock undraw undress undulate unearth
unfasten unfence unfetter unfix unfold unfollow unfriend unfurl ungag unglue unhand unhinge unhitch unhood unhook
unify uninstall unionize unite unjam unkennel unkink unlatch unlay unleash unlike unlink unload unlock unloose unlove
unmake unmanacle unmarry unmask unmix unmold unmoor unmount unmuffle unmute unnail unnerve unpack unpeg unpick unpile
unpin unplait unplug unpublish unpucker unquote unravel unregister unriddle unrig unrip unrivet unrobe unroll unroof
unroot unrope unruffle unscramble unscrew unseal unseam unseat unsettle unshackle unshare unsheathe unshell unship
unshroud unshutter unsnag unsnap unspeak unspool unstack unstitch unstop unstopper unsubscribe unswaddle untack untag
untangle untether unthink unthread untidy untie untuck untwist unveil unweight unwind unwish unwrap unwrinkle unwrite
unzip upbuild upcycle update upend upgrade uphold upholster uplift uplight uplink upload uppercase uppercut uprate
uproot upsample upscale upset upshift upsize upskill upstage upsurge upsweep upswing upthrust upturn upvote upwell
urbanize urge urinate use usher usurp utilize utter vacate vacation vaccinate vacillate vacuum vacuum-pack vacuum-seal
validate value vamp vandalize vanish vanquish vape vaporize vary vault vector vectorize veer vegetate veil vend
venerate vent ventilate ventriloquize venture verbalize verge verify verse vest vet veto vex vibe vibrate victimize
video video-call video-chat videotape vie view vilify vindicate violate virtualize visa visit visualize vitiate vlog
vocalize voice voice-act void volley volunteer vomit vote vouch vouchsafe vow voyage vulgarize wad wade waffle waft
wag wage wager waggle wail wait wait-list waitlist waive wake wakeboard waken walk wallop wallow wallpaper waltz
wander wane wangle want war warble ward wargame warm warn warp warrant wash wassail waste watch water water-ski
waterlog watermark waterproof waterski wave waver wax waylay weaken wean weaponize wear weary weasel weather
weatherize weave webcast wed wedge weed weep weigh weight welcome weld well welter wend westernize wet whack wheedle
wheel wheeze whet whiff while whimper whine whinge whinny whip whir whirl whirr whisk whisper whistle whistle-stop
whistleblow white-label whiteboard whitelist whiten whitewash whittle whiz whizz whoop whoosh whup widen widow wield
wig wiggle wildcat wile will wilt wimp win wince winch wind windmill window window-shop wine wing wink winnow winter
wipe wire wireframe wiretap wise wisecrack wish withdraw wither withhold withstand witness witter wobble wolf womanize
wonder woo woof word wordsmith work workshop worry worsen worship wound wow wrangle wrap wreak wreathe wreck wrench
wrest wrestle wriggle wring wrinkle write writhe wrong wrong-foot wrongfoot x-ray xerox yak yammer yank yap yaw yawn
yearn yeet yell yelp yield yo-yo yodel yoke yowl yuk yuppify zap zero zero-fill zhuzh zigzag zing zip zip-line zip-tie
zipline zone zonk zoom
`;

/** English verbs that are in common use, in their base form, irregular ones among them. */
export const commonVerbs: readonly string[] = words.trim().split(/\s+/);

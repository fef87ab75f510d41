const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Verbs of several syllables that double their last consonant. */
export const doubledWords = words(`
  abet abhor abut acquit admit airdrop allot anagram annul appal aver babysit backlog backslap backstab backstop
  ballyrag barhop bebop bedhop bedim befit befog beget begin beset besot bespot bestir blackleg blacktop bobsled
  bootleg bootstrap bulldog bullshit bullwhip bullyrag cabal carpetbag catnap chitchat commit compel complot concur
  confab confer control cooccur copycat coquet corral costar counterplot deadpan debag debar debug decontrol defat
  defer defog defrag degas demob demur deprogram deter disbar disbud disinter dispel distil dogleg dogsled doorstep
  dropship eavesdrop egotrip embed emit englut enrol enthral entrap enwrap equip estop excel expel extol featherbed
  flimflam footslog forbid forget format foxtrot fulfil geotag giftwrap globetrot handicap hashtag hedgehop hobnob
  horsewhip housesit humblebrag humbug imbed impel incur infer input inset inspan instal instil inter intercrop
  intercut intermit intromit japan jitterbug keylog kneecap lallygag leapfrog lollygag manumit marcel microblog
  misfit mishit misplan misprogram misstep monogram mousetrap namedrop occur offset omit outbid outcrop outdrag
  outfit outgas outgun outman outplan outplot output outrun outsit outspan outstrip outswim outwit overbid
  overcommit overcontrol overcrop overdub overfit overlap overman overplan overprogram overrun overstep overtip
  overtop overtrim patrol permit petsit pettifog photomap photoshop preadmit prefab prefer preformat preplan
  preprogram preset preship pretermit pretrim prewrap program propel quickstep ramrod rappel readmit reallot rebel
  rebid rebut recap recommit recur recut redub reemit reequip refer refit reformat regret rehab rehem reinter rejig
  reknit reknot remap remit reoccur repel repin replan replot repot reprogram rerig rerun reset reship resit reskin
  resod respot resubmit retag retransfer retransmit retrim retrofit revet rewed rewet rewin rewrap sandbag
  screencap screengrab screenshot shadowban sharecrop shortcut shotgun shrinkwrap sideslip sidestep sublet submit
  suntan surveil teargas transfer tranship transmit transship trepan typeset unbag unban unbar uncap unclip unclog
  undam underbid undercut underpin unfit ungag unjam unknit unknot unman unpeg unpin unplug unrig unrip unship
  unsnag unsnap unstop unstrap untag unwrap unzip uppercut upset waterlog weatherstrip whirligig whistlestop wigwag
  wildcat wiretap workshop zigzag
`);

/** Verbs that are spelled with one consonant in America and often with two in Britain. */
export const notDoubledFirst = words(`
  abseil apparel backpedal barrel bayonet bedevil bejewel benefit bevel bias brevet bus bushel canal cancel canvas
  caravan carburet carol caucus cavil chairman channel chisel combat corbel counsel crenel cudgel curvet decal
  defuel devil dial disembowel dishevel dowel drivel duel empanel enamel equal facet focus frivol fuel funnel
  gambol gravel grovel hatchel hiccup impanel imperil initial jewel kennel label level libel marshal martial marvel
  medal metal misdial mislabel model nickel outduel outgeneral outrival outtravel panel parcel parget pedal pencil
  peril photostat pistol pommel precancel pummel quarrel ravel rechannel redial refocus refuel relabel remodel
  repanel revel ricochet rival rowel shovel shrivel signal snivel snorkel spiral squirrel stencil subtotal swivel
  tassel teetotal thermostat tinsel tittup total towel trammel travel trial trowel tunnel unkennel unravel victual
  vitriol weasel yodel
`);

/** Verbs that are mostly doubled, sometimes not. */
export const doubledOrNot = words('coif diagram kidnap nonplus worship');

/** Verbs in -c that may stay as they are, because a consonant stands before it. */
export const kOrNot = words('talc zinc');

/** Verbs in -o that only take -s. */
export const plainO = words(`
  bravo bunco crescendo decrescendo demo disco ditto kayo limbo mambo photo promo solo tango velcro yo
`);

/** Verbs whose -ch is spoken like k, and which only take -s. */
export const hardCh = words('psych stomach synch');

/** Verbs in -s and -z that double it before -es, always or at times. */
export const doubledEs: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    bus: ['buses', 'busses'],
    degas: ['degasses'],
    dis: ['disses'],
    gas: ['gasses', 'gases'],
    nonplus: ['nonplusses', 'nonpluses'],
    outgas: ['outgasses', 'outgases'],
    quiz: ['quizzes'],
    teargas: ['teargasses', 'teargases'],
    whiz: ['whizzes'],
  }),
);

/** Third persons that are spelled in two ways, or in none that a rule gives. */
export const ownThirdPersons: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    buffalo: ['buffaloes', 'buffalos'],
    dj: ['djs', "dj's"],
    lasso: ['lassos', 'lassoes'],
    ok: ["ok's", 'oks'],
    stucco: ['stuccoes', 'stuccos'],
    zero: ['zeroes', 'zeros'],
  }),
);

/** Regular pasts in a spelling of their own; letters that lost their accent stay spoken. */
export const ownPasts: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    dj: ["dj'd", 'djed'],
    flambe: ['flambeed'],
    ok: ["ok'd", 'oked'],
    saute: ['sauteed'],
    sic: ['sicced', 'sicked'],
  }),
);

/** Verbs whose form in -ing follows no rule, or two. */
export const ownGerunds: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    age: ['aging', 'ageing'],
    ante: ['anteing'],
    applique: ['appliqueing'],
    binge: ['bingeing', 'binging'],
    blue: ['bluing', 'blueing'],
    caddie: ['caddying', 'caddieing'],
    chasse: ['chasseing'],
    clue: ['cluing', 'clueing'],
    cue: ['cueing', 'cuing'],
    dinge: ['dingeing', 'dinging'],
    dj: ['djing', "dj'ing"],
    eye: ['eyeing', 'eying'],
    facsimile: ['facsimileing'],
    flambe: ['flambeing'],
    hie: ['hying', 'hieing'],
    hue: ['hueing', 'huing'],
    luge: ['luging', 'lugeing'],
    macrame: ['macrameing'],
    ok: ["ok'ing", 'oking'],
    queue: ['queuing', 'queueing'],
    route: ['routing', 'routeing'],
    saute: ['sauteing'],
    segue: ['segueing'],
    sic: ['siccing', 'sicking'],
    singe: ['singeing'],
    stymie: ['stymieing', 'stymying'],
    swinge: ['swingeing'],
    taxi: ['taxiing', 'taxying'],
    tinge: ['tingeing', 'tinging'],
    true: ['truing', 'trueing'],
    twinge: ['twinging', 'twingeing'],
    whinge: ['whingeing', 'whinging'],
  }),
);

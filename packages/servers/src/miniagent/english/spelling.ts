const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Verbs of several syllables that double their last consonant. */
export const doubledWords = words(`
  abet abhor abut acquit admit airdrop allot annul appal aver babysit backlog bedim befit befog beget begin beset
  bestir bobsled bootleg bullshit bullwhip catnap chitchat commit compel concur confab confer control corral debar
  debug defer degas demob demur deter disbar disinter dispel distil eavesdrop embed emit enrol enthral entrap enwrap
  equip excel expel extol featherbed flimflam forbid forget format foxtrot fulfil giftwrap handicap hobnob horsewhip
  housesit humbug imbed impel incur infer input inset instal instil inter intercut intermit japan jitterbug kneecap
  leapfrog mishit nonplus occur offset omit outbid outcrop outfit output outrun outsit outstrip outswim outwit
  overbid overcrop overfit overlap overrun overstep patrol permit photoshop prefer preset program propel quickstep
  rappel readmit rebel rebid rebut recap recommit recur recut refer refit reformat regret reknit remap remit repel
  repin replan replot repot reprogram rerun reset resit resubmit retransmit retrofit rewed rewet rewin rewrap
  sandbag sharecrop sidestep skinny-dip sublet submit transfer tranship transmit transship typeset unban unbar uncap
  unclip unclog underbid undercut underpin unknit unman unpeg unpin unplug unstrap untag unwrap unzip uppercut upset
  waterlog wigwag wiretap workshop zigzag
`);

/** Verbs that are spelled with one consonant in America and often with two in Britain. */
export const notDoubledFirst = words(`
  abseil apparel backpedal barrel bayonet bedevil bejewel benefit bevel bias bus cancel carol channel chisel combat
  counsel cudgel devil dial disembowel dishevel drivel duel empanel enamel equal focus fuel funnel gambol grovel
  hiccup impanel imperil initial jewel label level libel marshal marvel medal metal mislabel model panel parcel
  pedal pencil pummel quarrel ravel refocus refuel relabel remodel revel ricochet rival shovel shrivel signal snivel
  snorkel spiral squirrel stencil swivel tassel tinsel total towel trammel travel trowel tunnel unravel victual
  weasel yodel
`);

/** Verbs that are mostly doubled, sometimes not. */
export const doubledOrNot = words('diagram kidnap worship');

/** Verbs whose form in -ing follows no rule, or two. */
export const ownGerunds: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    age: ['aging', 'ageing'],
    binge: ['bingeing', 'binging'],
    caddie: ['caddying', 'caddieing'],
    cue: ['cueing', 'cuing'],
    eye: ['eyeing', 'eying'],
    queue: ['queuing', 'queueing'],
    route: ['routing', 'routeing'],
    singe: ['singeing'],
    stymie: ['stymieing', 'stymying'],
    swinge: ['swingeing'],
    taxi: ['taxiing', 'taxying'],
    tinge: ['tingeing', 'tinging'],
    whinge: ['whingeing', 'whinging'],
  }),
);

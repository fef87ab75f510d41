import { describe, expect, it } from 'vitest';
import { findCompound, findVerb, irregulars, knownVerbs } from './verb.ts';

/** Words that end like an irregular verb of three letters or more, but are unrelated to it. */
const lookalikes = `
  abet accost acquit allay ancylose ankylose approve arrive assay autoplay baby basset befit begild behave belay belie
  benefit billet bioassay blacklead bleat blend blight bread budget butterfly chainsaw cheat chew clean cleat close
  closet coldwork combust comfit contrive corset cosplay cosset cowhide deep-clean defeat delay delight demean deposit
  deprive deride derive despoil disapprove disclose discomfit display downplay dread dry-clean enclose enclothe
  enfilade engild engrave entreat escalade eschew essay exposit fidget filet fillet flay flight foreclose fricassee
  fusillade gibbet glean grandstand grubstake heat heat-treat highlight horseshoe hot-work houseclean ill-treat
  improve inclose interleave jigsaw leaflet lipstick lullaby maltreat misbehave misdemean misplay mistreat moonlight
  moonshine network outfit outplay outwork overclean overheat overplay overtreat overwork parget parlay pipe-clay play
  pleat plight posit pre-approve preapprove preclean preheat pretreat pride profit rabbet reapprove reclean reclose
  redeposit redisplay reheat repeat replay reposit reprove reseat resplend resuspend retarget rethread retreat revisit
  rework role-play roleplay rollerblade seat seesaw slight snowshoe spay splay spring-clean stake steam-clean
  steam-heat superheat suspend target telework thread transit treat trend trick-or-treat twin unclose underbudget
  underplay unseat unthread upheave vacuum-clean valet visit welcome whang
`;

describe('a verb that ends in an irregular one', () => {
  it('is inflected like it, except listed lookalikes', () => {
    const ends = (verb: string) =>
      Array.from({ length: verb.length - 3 }, (_, at) => verb.slice(at + 1)).some((end) => irregulars.has(end));
    const byRule = [...knownVerbs].filter(
      (verb) => verb.length > 3 && ends(verb) && !verb.endsWith('ise') && findVerb(verb)?.isIrregular === false,
    );
    expect(byRule).toEqual(lookalikes.trim().split(/\s+/).sort());
  });

  it.each([
    ['underpay', { first: 'under', last: 'pay' }],
    ['deep-freeze', { first: 'deep-', last: 'freeze' }],
    ['deep-fat-fry', undefined],
    ['outfit', undefined],
    ['welcome', undefined],
    ['pay', undefined],
  ])('%s is split into %j', (verb, expected) => {
    expect(findCompound(verb, (last) => irregulars.has(last))).toEqual(expected);
  });

  it('has the forms of its first sense', () => {
    expect(findVerb('hang')?.past.map(({ text }) => text)).toEqual(['hung', 'hanged']);
    expect(findVerb('underlie')?.past.map(({ text }) => text)).toEqual(['underlay']);
    expect(findVerb('overfly')?.past).toEqual([{ text: 'overflew', source: 'table' }]);
  });
});

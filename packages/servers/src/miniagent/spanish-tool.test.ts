import { describe, expect, it } from 'vitest';
import { callTool } from '../../../../test/support/ccmcp.ts';
import { connect } from './fixtures/connect.ts';
import { usage } from './spanish/translate.ts';

interface Row {
  spanish: string;
  base: string;
  tense: string;
  person?: string;
  english: { verb: string; tense?: string };
}

async function rows(form: string): Promise<Row[]> {
  const { structuredContent } = await (await connect()).request('tools/call', {
    name: 'lookup_spanish',
    arguments: { form },
  });
  return structuredContent.translations;
}

/** The Spanish forms, each once. */
async function forms(form: string): Promise<string[]> {
  return [...new Set((await rows(form)).map(({ spanish }) => spanish))];
}

describe('lookup_spanish', () => {
  it('returns comió for ate, with verb, tense and person, then the other persons', async () => {
    const [first, ...others] = await rows('ate');
    expect(first).toEqual({
      spanish: 'comió',
      base: 'comer',
      tense: 'pretérito',
      person: '3sg',
      english: { verb: 'eat', tense: 'past_simple' },
    });
    expect(others.map(({ spanish }) => spanish)).toEqual(
      'comí comiste comimos comisteis comieron comía comía comías comíamos comíais comían'.split(' '),
    );
  });

  it('formats the same as text, a line per verb and tense', async () => {
    const text = await callTool(await connect(), 'lookup_spanish', { form: 'ate' });
    expect(text.split('\n')).toEqual([
      'comió (3sg), comí (1sg), comiste (2sg), comimos (1pl), comisteis (2pl), comieron (3pl) – ' +
        'comer, pretérito (eat, past_simple)',
      'comía (3sg), comía (1sg), comías (2sg), comíamos (1pl), comíais (2pl), comían (3pl) – ' +
        'comer, imperfecto (eat, past_simple)',
    ]);
  });

  it.each([
    ['eaten', 'comido'],
    ['eating', 'comiendo'],
    ['has eaten', 'ha comido'],
    ['had been eating', 'había estado comiendo'],
    ['is eating', 'está comiendo'],
    ['will eat', 'comerá'],
    ['would eat', 'comería'],
    ['she ate', 'comió'],
    ['I ate', 'comí'],
    ['they used to eat', 'comían'],
    ['is going to sleep', 'va a dormir'],
    ["let's go", 'vamos'],
    ['eat', 'comer'],
    ['goes', 'va'],
    ['went', 'fue'],
    ['saw', 'vio'],
    ['was', 'fue'],
    ['had', 'tuvo'],
    ['did', 'hizo'],
    ['said', 'dijo'],
    ['could', 'pudo'],
    ['should', 'debería'],
    ['slept', 'durmió'],
    ['read', 'leer'],
    ['got up', 'se levantó'],
    ['sat down', 'se sentó'],
    ['realised', 'se dio cuenta'],
    ['swore', 'juró'],
    ['rewritten', 'reescrito'],
    ['knelt', 'se arrodilló'],
    ['undid', 'deshizo'],
    ["didn't eat", 'no comió'],
    ["I'm not eating", 'no estoy comiendo'],
    ['did they go', 'fueron'],
    ["we didn't get up", 'no nos levantamos'],
    ['was born', 'nació'],
  ])('%s: %s comes first', async (form, expected) => {
    expect((await forms(form))[0]).toBe(expected);
  });

  it.each([
    ['was', ['fue', 'era', 'estuvo', 'estaba']],
    ['knew', ['supo', 'conoció']],
    ['left', ['salió', 'dejó', 'se fue', 'salido']],
    ['found', ['encontró', 'fundar', 'fundo']],
    ['put', ['poner', 'pongo', 'pon', 'puso', 'puesto']],
    ['lay', ['poner', 'mintió']],
  ])('%s can be several: %j', async (form, expected) => {
    expect(await forms(form)).toEqual(expect.arrayContaining(expected));
  });

  it('explains a verb with another construction in Spanish', async () => {
    expect(await callTool(await connect(), 'lookup_spanish', { form: 'liked' })).toContain(usage.get('gustar'));
  });

  it.each([
    ['calibrated', '"calibrated" is a form of calibrate, which is not among the verbs known in Spanish.'],
    ['was eaten', '"was eaten" is in the passive or has a modal verb. Give it in the active, without one.'],
    ['she can swim', '"she can swim" is in the passive or has a modal verb.'],
    ['xyzzy', 'Unknown verb: "xyzzy".'],
    ['comió', 'Unknown verb: "comió". Did you mean '],
  ])('fails for %s, with the reason', async (form, message) => {
    expect(await callTool(await connect(), 'lookup_spanish', { form })).toContain(`failed: ${message}`);
  });
});

import { describe, expect, it } from 'vitest';
import { callTool } from '../../../../test/support/ccmcp.ts';
import { connect } from './fixtures/connect.ts';

const eat = {
  base: 'eat',
  past: 'ate',
  participle: 'eaten',
  third_person: 'eats',
  gerund: 'eating',
  past_forms: ['ate'],
  participle_forms: ['eaten'],
};

async function lookUp(verb: string) {
  return (await connect()).request('tools/call', { name: 'lookup_irregular_verb', arguments: { verb } });
}

describe('lookup_irregular_verb', () => {
  it.each(['eat', 'ate', 'eaten', 'eating', 'eats', ' EAT '])('finds eat by %j', async (verb) => {
    const { content, structuredContent } = await lookUp(verb);
    expect(structuredContent).toEqual(eat);
    expect(content).toHaveLength(1);
    expect(JSON.parse(content[0].text)).toEqual(eat);
  });

  it('returns all verbs of a form, the one with this base first', async () => {
    const { structuredContent } = await lookUp('lay');
    expect(structuredContent).toMatchObject({ base: 'lay', past: 'laid', others: [{ base: 'lie', past: 'lay' }] });
  });

  it('returns the senses of a verb with two inflections', async () => {
    const { structuredContent } = await lookUp('lied');
    expect(structuredContent.senses).toEqual([
      { sense: 'be flat, or be somewhere', past: 'lay', participle: 'lain' },
      { sense: 'say what is not true', past: 'lied', participle: 'lied' },
    ]);
  });

  it('knows both pasts of be', async () => {
    const { structuredContent } = await lookUp('am');
    expect(structuredContent).toMatchObject({ base: 'be', past_forms: ['was', 'were'], participle: 'been' });
  });

  it.each([
    ['could', '"can" is a modal verb, which has no participle: can (present_simple), could (past_simple), '],
    ['walk', '"walk" is a regular verb: walk, walked, walked.'],
    ['stopped', '"stop" is a regular verb: stop, stopped, stopped.'],
    ['xyzzy', 'Unknown verb: "xyzzy". No known verb is spelled like it.'],
    ['eatt', 'Unknown verb: "eatt". Did you mean "eat", '],
  ])('fails for %s, with the reason', async (verb, message) => {
    expect(await callTool(await connect(), 'lookup_irregular_verb', { verb })).toContain(`failed: ${message}`);
  });
});

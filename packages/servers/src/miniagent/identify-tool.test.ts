import { describe, expect, it } from 'vitest';
import { callTool } from '../../../../test/support/ccmcp.ts';
import { connect } from './fixtures/connect.ts';

async function identify(word: string) {
  return (await connect()).request('tools/call', { name: 'identify_form', arguments: { word } });
}

describe('identify_form', () => {
  it('tells verb, tense and persons of a form', async () => {
    const { content, structuredContent } = await identify('was');
    expect(structuredContent).toEqual({
      word: 'was',
      readings: [{ verb: 'be', form: 'past', tenses: [{ tense: 'past_simple', persons: ['1sg', '3sg'] }], builds: [] }],
    });
    expect(content).toEqual([{ type: 'text', text: 'was: be, past – past_simple (1sg, 3sg)' }]);
  });

  it('tells the tenses that a participle is part of', async () => {
    const { content, structuredContent } = await identify('eaten');
    const builds = ['present_perfect', 'past_perfect', 'future_perfect', 'conditional_perfect'];
    expect(structuredContent.readings).toEqual([{ verb: 'eat', form: 'past participle', tenses: [], builds }]);
    expect(content[0].text).toBe(`eaten: eat, past participle – with auxiliary verbs ${builds.join(', ')}`);
  });

  it.each([
    ['ate', ['ate: eat, past – past_simple (all persons)']],
    ['had been eating', ['had been eating: eat – past_perfect_continuous (all persons)']],
    ['could', ['could: can, modal – past_simple (all persons); conditional_simple (all persons)']],
    ['eats', ['eats: eat, present – present_simple (3sg)']],
  ])('%s', async (word, lines) => {
    expect((await callTool(await connect(), 'identify_form', { word })).split('\n')).toEqual(lines);
  });

  it.each([
    ['found', ['find', 'find', 'found']],
    ['lay', ['lay', 'lie']],
    ['saw', ['saw', 'see']],
    ['wound', ['wind', 'wind', 'wound']],
  ])('%s can be of several verbs: %j', async (word, verbs) => {
    const { structuredContent } = await identify(word);
    expect(structuredContent.readings.map(({ verb }: { verb: string }) => verb)).toEqual(verbs);
  });

  it.each(['xyzzy', 'the', '42'])('%s fails', async (word) => {
    expect(await callTool(await connect(), 'identify_form', { word })).toContain(`failed: Unknown verb: "${word}".`);
  });
});

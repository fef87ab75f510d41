import { describe, expect, it } from 'vitest';
import { callTool } from '../../../../test/support/ccmcp.ts';
import { connect } from './fixtures/connect.ts';

async function identify(word: string) {
  return (await connect()).request('tools/call', { name: 'identify_form', arguments: { word } });
}

describe('identify_form', () => {
  it('returns verb, tense and persons of a form', async () => {
    const { content, structuredContent } = await identify('was');
    expect(structuredContent).toEqual({
      word: 'was',
      readings: [{ verb: 'be', form: 'past', tenses: [{ tense: 'past_simple', persons: ['1sg', '3sg'] }], builds: [] }],
    });
    expect(content).toEqual([{ type: 'text', text: 'was: be, past – past_simple (1sg, 3sg)' }]);
  });

  it('returns the tenses that a participle builds', async () => {
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
    ['was eaten', ['was eaten: eat, passive – past_simple (1sg, 3sg)']],
    ["didn't eat", ["didn't eat: eat, negative – past_simple (all persons)"]],
    ['I’m eating', ["i'm eating: eat – present_continuous (1sg)"]],
    ['Did she eat?', ['did she eat?: eat, question – past_simple (3sg)']],
    ["couldn't have eaten", ["couldn't have eaten: eat, with can, negative – conditional_perfect (all persons)"]],
    ['ought', ['ought: ought, modal – conditional_simple (all persons); present_simple (all persons)']],
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

  it('marks passive, negative, question and modal verb', async () => {
    const { structuredContent } = await identify("hasn't it been eaten?");
    expect(structuredContent.readings).toEqual([
      {
        verb: 'eat',
        form: 'phrase',
        tenses: [{ tense: 'present_perfect', persons: ['3sg'] }],
        builds: [],
        voice: 'passive',
        negative: true,
        question: true,
      },
    ]);
    expect((await identify('must go')).structuredContent.readings[0]).toMatchObject({ verb: 'go', modal: 'must' });
  });

  it.each([
    ['runned', 'Did you mean "run"? Its forms are run, runs, ran, run, running.'],
    ['goed', 'Did you mean "go"? Its forms are go, goes, went, gone, going.'],
    ['she goed', 'Did you mean "go"?'],
    ["didn't goed", 'Did you mean "go"?'],
    ["didn't ate", '"ate" is a form of "eat", but these words make no tense of it.'],
    ['eat xyzzy', '"eat" is known, but not with these words.'],
    ['underpayed', 'Did you mean "underpay"? Its forms are underpay, underpays, underpaid, underpaid, underpaying.'],
  ])('fails for %s, and names the verb that was meant', async (word, hint) => {
    const answer = await callTool(await connect(), 'identify_form', { word });
    expect(answer).toContain(`failed: Unknown verb: "${word}". ${hint}`);
  });

  it.each(['xyzzy', 'the', '42'])('fails for %s', async (word) => {
    expect(await callTool(await connect(), 'identify_form', { word })).toContain(`failed: Unknown verb: "${word}".`);
  });
});

import { describe, expect, it } from 'vitest';
import { callTool, handshakeVersions, statelessVersion } from '../../../../test/support/ccmcp.ts';
import { connect } from './fixtures/connect.ts';

const eat = { verb: 'eat', tense: 'past_simple', person: '3sg' };

describe('conjugate', () => {
  it.each([...handshakeVersions, statelessVersion])('answers clients of %s', async (version) => {
    expect(await callTool(await connect(version), 'conjugate', eat)).toBe('ate');
  });

  it('returns only the form if it is from the table', async () => {
    const { content, structuredContent, isError } = await (await connect()).request('tools/call', {
      name: 'conjugate',
      arguments: eat,
    });
    expect(isError).toBe(false);
    expect(content).toEqual([{ type: 'text', text: 'ate' }]);
    expect(structuredContent).toEqual({ ...eat, form: 'ate', source: 'table', alternatives: [] });
  });

  it('returns the rule of a derived form', async () => {
    const { content, structuredContent } = await (await connect()).request('tools/call', {
      name: 'conjugate',
      arguments: { verb: 'panic', tense: 'past_simple', person: '1pl' },
    });
    expect(content.map(({ text }: { text: string }) => text)).toEqual([
      'panicked',
      'Derived by rule: add k and -ed after c',
    ]);
    expect(structuredContent).toMatchObject({ form: 'panicked', source: 'rule', rule: 'add k and -ed after c' });
  });

  it('reports when the base form is used', async () => {
    const { content, structuredContent } = await (await connect()).request('tools/call', {
      name: 'conjugate',
      arguments: { ...eat, tense: 'future_simple' },
    });
    expect(content).toHaveLength(1);
    expect(structuredContent).toMatchObject({ form: 'will eat', source: 'base' });
  });

  it('returns all forms of a verb with two inflections, with their senses', async () => {
    const { content, structuredContent } = await (await connect()).request('tools/call', {
      name: 'conjugate',
      arguments: { verb: 'hang', tense: 'present_perfect', person: '3sg' },
    });
    expect(structuredContent).toMatchObject({
      form: 'has hung',
      sense: 'suspend, or be suspended',
      alternatives: [{ form: 'has hanged', sense: 'put to death' }],
    });
    expect(content[1].text).toBe('has hung: suspend, or be suspended\nAlso: has hanged (put to death)');
  });

  it.each([
    ['can', 'past_simple', 'could'],
    ['can', 'present_simple', 'can'],
    ['may', 'conditional_simple', 'might'],
    ['should', 'conditional_simple', 'should'],
    ['ought', 'present_simple', 'ought'],
    ['ought to', 'conditional_simple', 'ought to'],
    ['underpay', 'past_simple', 'underpaid'],
    ['co-write', 'present_perfect', 'has co-written'],
    ['deep-fry', 'present_simple', 'deep-fries'],
    ['  To GIVE  up', 'past_simple', 'gave up'],
    ['organise', 'past_simple', 'organised'],
    ['be able to', 'future_simple', 'will be able to'],
  ])('%j in the %s is %j', async (verb, tense, expected) => {
    expect(await callTool(await connect(), 'conjugate', { verb, tense, person: '3sg' })).toBe(expected);
  });

  it('returns the forms of a verb with the same base as a modal verb too', async () => {
    const past = await (await connect()).request('tools/call', {
      name: 'conjugate',
      arguments: { verb: 'can', tense: 'past_simple', person: '3sg' },
    });
    expect(past.structuredContent).toMatchObject({
      form: 'could',
      sense: 'be able',
      alternatives: [{ form: 'canned', sense: 'put into cans' }],
    });
    const future = await (await connect()).request('tools/call', {
      name: 'conjugate',
      arguments: { verb: 'can', tense: 'future_simple', person: '3sg' },
    });
    expect(future.structuredContent).toMatchObject({ form: 'will can', sense: 'put into cans' });
    expect(future.content[1].text).toContain('Use "be able to" in this tense.');
  });

  it.each([
    ['goed', 'past_simple', 'Unknown verb: "goed". Did you mean "go"? Its forms are go, goes, went, gone, going.'],
    ['was eaten', 'past_simple', '"was eaten" is not a base form but a form of "eat". Give the base form.'],
    ['xyzzy', 'past_simple', 'Unknown verb: "xyzzy". No known verb is spelled like it.'],
    ['eet', 'past_simple', 'Unknown verb: "eet". Did you mean "eat", '],
    ['ate', 'past_simple', '"ate" is not a base form but a form of "eat". Give the base form.'],
    ['give xyzzy', 'past_simple', 'Unknown verb: "give xyzzy". "give" is known, but not with these words.'],
    ['must', 'past_simple', '"must" is a modal verb and has no past_simple: only present_simple. Use "have to"'],
    ['shall', 'imperative', '"shall" is a modal verb and has no imperative: only present_simple.'],
    ['eat', 'imperative', 'The imperative has no 3sg: use 2sg, 1pl or 2pl.'],
    ['beware', 'past_simple', '"beware" is used in the imperative only.'],
    ['__proto__', 'past_simple', 'Unknown verb'],
    [' ', 'past_simple', 'Unknown verb'],
  ])('fails for %j in the %s, with the reason', async (verb, tense, message) => {
    const answer = await callTool(await connect(), 'conjugate', { verb, tense, person: '3sg' });
    expect(answer).toContain(`failed: ${message}`);
  });
});

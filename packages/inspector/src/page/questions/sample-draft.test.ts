import { describe, expect, it } from 'vitest';
import {
  answerText,
  emptyAnswer,
  findSampleProblems,
  otherContent,
  withAnswerField,
  withAnswerText,
} from './sample-draft.ts';

const use = { type: 'tool_use', id: 'u1', name: 'look', input: {} };
const answer = (content: unknown) => ({ role: 'assistant', model: 'm', content, stopReason: 'toolUse' }) as never;

describe('an edited answer', () => {
  it('keeps a single block or a list as it is', () => {
    expect(withAnswerText(emptyAnswer, 'a')).toMatchObject({ content: { type: 'text', text: 'a' } });
    const both = answer([{ type: 'text', text: 'a' }, use]);
    expect(withAnswerText(both, 'b')).toMatchObject({ content: [{ type: 'text', text: 'b' }, use], model: 'm' });
    expect(withAnswerText(both, '')).toMatchObject({ content: use });
    expect(withAnswerText(answer(use), 'b')).toMatchObject({ content: [{ type: 'text', text: 'b' }, use] });
  });

  it('separates the text from other blocks', () => {
    const both = answer([use, { type: 'text', text: 'a' }]);
    expect(answerText(both)).toBe('a');
    expect(otherContent(both)).toEqual([use]);
    expect(answerText(undefined)).toBe('');
    expect(otherContent('x')).toEqual([]);
  });

  it('changes the model and the stop reason', () => {
    expect(withAnswerField(emptyAnswer, 'stopReason', 'maxTokens')).toEqual({
      ...(emptyAnswer as object),
      stopReason: 'maxTokens',
    });
  });
});

describe('a sampling request with tools', () => {
  const result = { type: 'tool_result', toolUseId: 'u1', content: [] };

  it('is valid if every use has its result, alone, in the next message (S-SA-03)', () => {
    const messages = [
      { role: 'user', content: { type: 'text', text: 'x' } },
      { role: 'assistant', content: [use] },
      { role: 'user', content: [result] },
    ];
    expect(findSampleProblems(messages)).toEqual([]);
  });

  it('is invalid if results are mixed, missing or unknown (S-SA-03)', () => {
    expect(findSampleProblems([{ content: [use] }, { content: [result, { type: 'text', text: 'x' }] }])).toEqual([
      'Message 2 has more than results of tools, which must stand alone',
    ]);
    expect(findSampleProblems([{ content: [use] }])).toEqual(['There is no result of u1']);
    expect(findSampleProblems([{ content: use }, { content: { type: 'text', text: 'x' } }])).toEqual([
      'Message 2 lacks the result of u1',
    ]);
    expect(findSampleProblems([{ content: result }])).toEqual(['Message 1 has a result of u1 without a tool use']);
    expect(findSampleProblems('x')).toEqual(['"messages" is no list']);
  });
});

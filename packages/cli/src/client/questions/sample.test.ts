import { describe, expect, it } from 'vitest';
import { askPersonToSample, sampleWith } from './sample.ts';

const question = {
  systemPrompt: 'Be brief',
  messages: [
    { role: 'user' as const, content: { type: 'text' as const, text: 'Two and two?' } },
    { role: 'user' as const, content: [{ type: 'image' as const, data: 'AA==', mimeType: 'image/png' }] },
  ],
  maxTokens: 9,
};
const node = `"${process.execPath}"`;

/** Runs a sampling command: a Node program. */
function askProgram(program: string, signal = new AbortController().signal) {
  return sampleWith(`${node} -e '${program}'`)(question, { signal });
}

describe('a command that samples in place of a model', () => {
  it('reads the request as JSON, and prints a text', async () => {
    const program = `let t = ""; process.stdin.on("data", (d) => t += d).on("end", () => console.log(JSON.parse(t).messages[0].content.text + "\\nFour"))`;
    expect(await askProgram(program)).toMatchObject({
      role: 'assistant',
      content: { type: 'text', text: 'Two and two?\nFour' },
      stopReason: 'endTurn',
    });
  });

  it('may print a result object of the protocol', async () => {
    const answer = { model: 'm', content: { type: 'tool_use', id: '1', name: 'f', input: {} }, stopReason: 'toolUse' };
    expect(await askProgram(`console.log(JSON.stringify(${JSON.stringify(answer)}))`)).toEqual({
      role: 'assistant',
      ...answer,
    });
  });

  it.each(['{"a":1}', '{"content":"x"}', '7', '[1]'])('that prints other JSON prints a text: %s', async (text) => {
    expect(await askProgram(`process.stdout.write(JSON.stringify(${text}))`)).toMatchObject({ content: { text } });
  });

  it('that fails, or can not be run, gives no answer', async () => {
    await expect(askProgram('process.exit(3)')).rejects.toMatchObject({ code: -1 });
    const missing = sampleWith('no-such-program-at-all 2>/dev/null');
    await expect(missing(question, { signal: new AbortController().signal })).rejects.toMatchObject({ code: -1 });
  });

  it('is killed when the question is aborted', async () => {
    const unwanted = new AbortController();
    const answer = askProgram('setInterval(() => {}, 1000)', unwanted.signal);
    unwanted.abort();
    await expect(answer).rejects.toThrow(/abort/i);
  });
});

describe('a user who answers in place of a model', () => {
  function person(...lines: string[]) {
    const received: string[] = [];
    return { received, ask: (text: string) => (received.push(text), Promise.resolve(lines.shift())) };
  }

  it('sees the request and types lines until an empty one', async () => {
    const { ask, received } = person('y', 'Four', 'of course', '', 'unread');
    expect(await askPersonToSample(question, ask)).toMatchObject({
      role: 'assistant',
      content: { type: 'text', text: 'Four\nof course' },
    });
    expect(received[0]).toContain('of 9 tokens at most:\nsystem: Be brief\nuser: Two and two?\nuser: [image]\n');
  });

  it.each([[['n']], [[]], [['y', 'Four']]])('who rejects or goes away gives no answer: %j', async (lines) => {
    await expect(askPersonToSample(question, person(...lines).ask)).rejects.toMatchObject({ code: -1 });
  });
});

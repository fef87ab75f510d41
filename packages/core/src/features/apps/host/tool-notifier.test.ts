import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToolNotifier } from './tool-notifier.ts';

function recording(): { delivery: ToolNotifier; received: string[] } {
  const received: string[] = [];
  const delivery = new ToolNotifier((method, params) => received.push(`${method.slice(17)} ${JSON.stringify(params)}`));
  return { delivery, received };
}

describe('the notifications to a view about its call', () => {
  it('are sent once it is ready: the input, then the result (AH-08)', () => {
    const { delivery, received } = recording();
    delivery.partial({ a: 1 });
    delivery.input({ a: 1, b: 2 });
    delivery.result({ content: [] });
    expect(received).toEqual([]);

    delivery.onReady();
    expect(received).toEqual(
      [' tool-input {"arguments":{"a":1,"b":2}}', ' tool-result {"content":[]}'].map((text) => text.trim()),
    );
  });

  it('include partial input as it arrives, but none after the complete input (AH-08)', () => {
    const { delivery, received } = recording();
    delivery.onReady();
    delivery.partial({ a: 1 });
    delivery.partial({ a: 12 });
    delivery.input({ a: 123 });
    delivery.partial({ a: 1 });
    delivery.cancelled('user action');

    expect(received).toEqual([
      'tool-input-partial {"arguments":{"a":1}}',
      'tool-input-partial {"arguments":{"a":12}}',
      'tool-input {"arguments":{"a":123}}',
      'tool-cancelled {"reason":"user action"}',
    ]);
  });

  it('are sent again to a view that restarts', () => {
    const { delivery, received } = recording();
    delivery.onReady();
    delivery.input({});
    delivery.restart();
    delivery.cancelled(undefined);
    expect(received).toHaveLength(1);
    delivery.onReady();
    expect(received.slice(1)).toEqual(['tool-input {"arguments":{}}', 'tool-cancelled {}']);
  });

  it('can not be repeated or sent in the wrong order (AH-08)', () => {
    const { delivery } = recording();
    expect(() => delivery.result({})).toThrow('before the result');
    delivery.input({});
    expect(() => delivery.input({})).toThrow('already sent');
    delivery.cancelled(undefined);
    expect(() => delivery.result({})).toThrow('already sent');
  });

  it('are in order whenever the view becomes ready (AH-08)', () => {
    const steps = fc.array(fc.constantFrom('partial', 'input', 'result', 'cancelled', 'ready'), { maxLength: 12 });
    fc.assert(
      fc.property(steps, (names) => {
        const { delivery, received } = recording();
        let isReady = false;
        for (const name of names) {
          if (name === 'ready' && isReady) continue;
          try {
            if (name === 'ready') delivery.onReady();
            else if (name === 'cancelled') delivery.cancelled('x');
            else delivery[name]({});
          } catch (error) {
            expect(error).toBeInstanceOf(TypeError);
          }
          isReady ||= name === 'ready';
          if (!isReady) expect(received).toEqual([]);
        }
        expect(received.map((line) => line.split(' ')[0]).join(' ')).toMatch(
          /^(?:tool-input-partial ?)*(?:tool-input ?(?:tool-result|tool-cancelled)?)?$/,
        );
      }),
    );
  });
});

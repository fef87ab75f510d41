import { expect, it } from 'vitest';
import { MessageRateLimiter } from './message-rate-limiter.ts';

/** How many messages passed in a second. */
function second(gate: MessageRateLimiter, at: number, messages: number): Record<string, number> {
  const counts: Record<string, number> = {};
  for (let index = 0; index < messages; index++) {
    const passage = gate.check(at * 1000 + index / messages);
    counts[passage] = (counts[passage] ?? 0) + 1;
  }
  return counts;
}

it('accepts a number of messages per second and rejects others (AH-15)', () => {
  const gate = new MessageRateLimiter(10);
  expect(second(gate, 0, 10)).toEqual({ accepted: 10 });
  expect(second(gate, 1, 15)).toEqual({ accepted: 10, rejected: 5 });
  expect(second(gate, 2, 10)).toEqual({ accepted: 10 });
});

it('counts a long message as several, and accepts a single one of any length (AH-15)', () => {
  const gate = new MessageRateLimiter(10);
  expect(gate.check(0)).toBe('accepted');
  gate.addWeight(163_840 * 5);
  expect(second(gate, 0.1, 5)).toEqual({ accepted: 4, rejected: 1 });
  expect(gate.check(2000)).toBe('accepted');
  gate.addWeight(16_777_216);
  expect(gate.check(2001)).toBe('rejected');
  expect(gate.check(3000)).toBe('accepted');
});

it('ends a view whose few messages are too long for seconds in a row (AH-15)', () => {
  const gate = new MessageRateLimiter(10);
  for (let at = 0; at < 5; at++) {
    expect(gate.check(at * 1000)).toBe('accepted');
    gate.addWeight(16_777_216);
  }
  expect(gate.check(5000)).toBe('ended');
});

it('ends a view that floods for seconds in a row, but not one that pauses (AH-15)', () => {
  const gate = new MessageRateLimiter(10);
  for (let at = 0; at < 4; at++) expect(second(gate, at, 11)).toEqual({ accepted: 10, rejected: 1 });
  expect(second(gate, 4, 11)).toEqual({ accepted: 10, ended: 1 });

  const pausing = new MessageRateLimiter(10);
  for (let at = 0; at < 60; at += 6) expect(second(pausing, at, 11)).toEqual({ accepted: 10, rejected: 1 });
});

it('ends a view immediately whose flood would block the host (AH-15)', () => {
  const gate = new MessageRateLimiter(10);
  expect(second(gate, 0, 100)).toEqual({ accepted: 10, rejected: 90 });
  expect(second(gate, 1, 101)).toEqual({ accepted: 10, rejected: 90, ended: 1 });
});

it('ends a view whose flood delays the processing of its messages (AH-15)', () => {
  const gate = new MessageRateLimiter(10);
  for (let at = 0; at < 12; at += 3) expect(second(gate, at, 11)).toEqual({ accepted: 10, rejected: 1 });
  expect(second(gate, 12, 11)).toEqual({ accepted: 10, ended: 1 });
});

import { describe, expect, it } from 'vitest';
import { reach } from '../fixtures/reach.ts';

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('a server that is broken', () => {
  it.concurrent('is given up in time when it prints anything but messages, with an example of that', async () => {
    await expect(reach('garbage', { timeoutMs: 10_000, probeMs: 100 })).rejects.toThrow(
      'No answer to "initialize" within 10000 ms. It printed an invalid message: "What did you say?"',
    );
  });

  it.concurrent('is given up in time when it never answers, and does not survive that (C-IO-02)', async () => {
    let said = '';
    const waiting = reach('stubborn', {
      era: 'handshake',
      timeoutMs: 10_000,
      spawn: { stderr: (text) => (said += text) },
    });
    await expect(waiting).rejects.toThrow('No answer to "initialize" within 10000 ms');
    const pid = Number(/I am (\d+)/.exec(said)?.[1]);
    expect(pid).toBeGreaterThan(0);
    expect(isRunning(pid)).toBe(false);
  });
});

import { describe, expect, it, onTestFinished } from 'vitest';
import { slowStream } from '../fixtures/slow-stream.ts';
import { StderrTail } from './stderr-tail.ts';

describe('what a server writes to stderr', () => {
  it('is kept, but for all except its last 4096 characters', () => {
    const tail = new StderrTail('collect');
    tail.push(Buffer.from(`ab${'x'.repeat(4095)}`));
    expect(tail.text).toBe(`b${'x'.repeat(4095)}`);
    tail.push(Buffer.from('end'));
    expect(tail.text).toBe(`${'x'.repeat(4093)}end`);
  });

  it('may be cut inside a character', () => {
    const tail = new StderrTail('collect');
    for (const byte of Buffer.from('é€')) tail.push(Buffer.of(byte));
    expect(tail.text).toBe('é€');
  });

  it('is handed on to a function, and kept', () => {
    const heard: string[] = [];
    const tail = new StderrTail((text) => void heard.push(text));
    tail.push(Buffer.from('one'));
    tail.push(Buffer.from('two'));
    expect([heard, tail.text]).toEqual([['one', 'two'], 'onetwo']);
  });

  it.each([
    ['collect', [], 'text'],
    ['inherit', ['text'], 'text'],
    ['ignore', [], ''],
  ] as const)('goes to our stderr only where that is wanted: %s', (wish, written, kept) => {
    const { stream, writes } = slowStream();
    const before = Object.getOwnPropertyDescriptor(process, 'stderr') as PropertyDescriptor;
    onTestFinished(() => void Object.defineProperty(process, 'stderr', before));
    Object.defineProperty(process, 'stderr', { value: stream, configurable: true });
    const tail = new StderrTail(wish);
    tail.push(Buffer.from('text'));
    expect([writes.map(String), tail.text]).toEqual([written, kept]);
  });
});

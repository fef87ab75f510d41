import { describe, expect, it, onTestFinished } from 'vitest';
import { environment } from './child-process.ts';

function set(name: string, value: string): void {
  const before = process.env[name];
  onTestFinished(() => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  });
  process.env[name] = value;
}

describe('the environment that a server gets', () => {
  it('has of ours what programs need to run', () => {
    set('HOME', '/home/ann');
    expect(environment()).toMatchObject({ HOME: '/home/ann', PATH: process.env.PATH });
  });

  it('has nothing that we do not have', () => {
    set('TZ', '');
    delete process.env.TZ;
    expect(environment()).not.toHaveProperty('TZ');
  });

  it('has no secrets, and no functions of a shell', () => {
    set('OUR_SECRET', 'x');
    set('SHELL', '() { echo; }');
    expect(Object.keys(environment())).not.toEqual(expect.arrayContaining(['OUR_SECRET']));
    expect(environment()).not.toHaveProperty('SHELL');
  });
});

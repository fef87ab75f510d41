import { describe, expect, it } from 'vitest';
import { nameProblem } from './new.ts';

describe("a project's name", () => {
  it.each(['weather', 'my-server', 'a', 'x2', 'a'.repeat(40)])('may be %s', (name) => {
    expect(nameProblem(name)).toBeUndefined();
  });

  it.each([
    ['My Server', 'such as "my-server"'],
    ['Wétter_2', 'such as "wetter-2"'],
    ['2fast', 'such as "fast"'],
    ['@me/server', 'such as "me-server"'],
    ['-x', 'such as "x"'],
    ['x-', 'such as "x"'],
    ['a.b', 'such as "a-b"'],
    ['名前', 'beginning with a letter'],
    ['', 'no good name'],
    ['..', 'no good name'],
    ["x'; process.exit()", 'no good name'],
    ['a'.repeat(41), 'at most 40 letters'],
    ['node_modules', 'choose another name'],
    ['typescript', 'choose another name'],
    ['nul', 'choose another name'],
  ])('may not be %s, with the reason', (name, text) => {
    expect(nameProblem(name)).toContain(text);
  });
});

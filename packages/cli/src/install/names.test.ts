import { describe, expect, it } from 'vitest';
import type { Client } from './client.ts';
import { clients } from './clients.ts';
import { checkName, legalName } from './names.ts';

const ids = Object.keys(clients);

describe("a server's name", () => {
  it.each(ids)('that we choose is one that %s takes', (id) => {
    for (const text of ['ccmcp+notes+moonphase', 'Größe', '@a/b_c.d', '9lives', '---', '', 'x'.repeat(99), '日本']) {
      expect(() => checkName(legalName(text), clients[id] as Client)).not.toThrow();
      expect(legalName(text)).toMatch(/^[a-z][a-z0-9-]{0,23}$/);
    }
  });

  it.each([
    ['ccmcp+notes+moonphase+miniagent+greeting', 'ccmcp-notes-moonphase'],
    ['My Server', 'my-server'],
    ['Café', 'cafe'],
    ['a.b', 'a-b'],
    ['日本', 'server'],
  ])('is made legal: %s', (text, name) => {
    expect(legalName(text)).toBe(name);
  });

  it.each([
    ['claude-code', 'my server', 'letters, digits, "-" and "_"; "--name my-server" will do'],
    ['codex', 'a+b', 'letters, digits, "-" and "_"; "--name a-b" will do'],
    ['cursor', 'x'.repeat(33), 'too little room is left for the names of its tools'],
    ['cursor', '-x', 'must begin with a letter or a digit'],
    ['gemini', 'my_server', 'takes what follows a "_" for the name of a tool; "--name my-server" will do'],
    ['goose', 'GitHub', 'small letters; "--name github" will do'],
    ['zed', '', 'must not be empty'],
    ['zed', '__proto__', 'must begin'],
  ])('is refused in %s: %s', (id, name, problem) => {
    expect(() => checkName(name, clients[id] as Client)).toThrow(problem);
  });

  it.each([
    ['claude-code', 'My_Server-2'],
    ['goose', 'my_server'],
    ['gemini', 'My-Server'],
  ])('is taken in %s: %s', (id, name) => {
    expect(() => checkName(name, clients[id] as Client)).not.toThrow();
  });
});

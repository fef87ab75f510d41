import { describe, expect, it } from 'vitest';
import { createServer } from '../create-server.ts';
import { resource } from './define/define.ts';

describe('what a server is made of', () => {
  it('may be more than a call can have arguments', () => {
    const resources = Array.from({ length: 200_000 }, (_, index) => resource(`r:${index}`, {}, () => ''));
    expect(createServer({ name: 'n', version: '1', resources }).resources.size).toBe(200_000);
  });
});

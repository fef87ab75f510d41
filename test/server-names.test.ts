import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Server } from '@ccmcp/core';
import { ccmcpServer } from '@ccmcp/servers/ccmcp';
import { everythingServer } from '@ccmcp/servers/everything';
import { greetingServer } from '@ccmcp/servers/greeting';
import { miniagentServer } from '@ccmcp/servers/miniagent';
import { moonphaseServer } from '@ccmcp/servers/moonphase';
import { notesServer } from '@ccmcp/servers/notes';
import { describe, expect, it } from 'vitest';
import { commandGroups } from '../packages/cli/src/commands.ts';
import { generalHelp } from '../packages/cli/src/serve/help.ts';
import { root } from './support/imports.ts';

/** The ready-made servers by name, in the order of all lists. */
const servers: Record<string, Server> = {
  ccmcp: ccmcpServer({ root }),
  notes: notesServer(),
  moonphase: moonphaseServer(),
  miniagent: miniagentServer(),
  greeting: greetingServer(),
  everything: everythingServer(),
};

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** The cells of table rows that begin with a server's name. */
function rows(file: string): string[][] {
  const cells = (read(file).match(/^\|.*\|$/gm) ?? []).map((row) =>
    row.split('|').map((cell) => cell.trim().replaceAll('`', '')),
  );
  return cells.map(([, ...row]) => row).filter(([first = '']) => Object.hasOwn(servers, first));
}

describe('the names of the ready-made servers', () => {
  it('are those that the package exports', () => {
    const { exports } = JSON.parse(read('packages/servers/package.json')) as { exports: object };
    expect(Object.keys(exports).toSorted()).toEqual(
      Object.keys(servers)
        .map((name) => `./${name}`)
        .toSorted(),
    );
  });

  it.each(['packages/servers/README.md', 'packages/cli/README.md'])('are all in %s', (file) => {
    expect(rows(file).map(([name]) => name)).toEqual(Object.keys(servers));
  });

  it('are documented with their own names, imports and functions', () => {
    for (const [name = '', from, made, calledItself] of rows('packages/servers/README.md')) {
      expect([name, from, made?.replace(/\(.*/, ''), calledItself]).toEqual([
        name,
        `@ccmcp/servers/${name}`,
        `${name}Server`,
        servers[name]?.info.name,
      ]);
    }
  });

  it('are those of the help text', () => {
    const [, list = ''] = /Servers:\n((?: {2}.*\n)+)/.exec(generalHelp(commandGroups)) ?? [];
    expect(
      list
        .match(/^ {2}\w+/gm)
        ?.map((line) => line.trim())
        .toSorted(),
    ).toEqual(Object.keys(servers).toSorted());
  });

  it.each(['AGENTS.md', 'docs/architecture.md'])('are all in %s', (file) => {
    const text = read(file);
    expect(Object.keys(servers).filter((name) => !text.includes(name))).toEqual([]);
  });
});

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { mustHave } from '../../support/everything.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The executable of Chromium; undefined if there is none. */
    chromium: string | undefined;
  }
}

const commands = [process.env.CHROMIUM_PATH, 'chromium', 'chromium-browser', 'google-chrome'];

/**
 * Finds Chromium once per run. If it is missing, browser tests are skipped, or the run fails where it is required.
 * Browser profiles and other temporary files are in a folder that is removed with the run, also if a worker is killed.
 */
export default function setUpRun({ provide }: TestProject): () => void {
  const command = commands.find((each) => each && spawnSync(each, ['--version'], { stdio: 'ignore' }).status === 0);
  if (command === undefined && mustHave('chromium'))
    throw new Error('chromium is not on the PATH; CHROMIUM_PATH says where it is');
  if (command === undefined) process.stderr.write('The browser tests are skipped: chromium is not on the PATH\n');
  provide('chromium', command?.includes('/') === false ? pathOf(command) : command);

  const folder = mkdtempSync(join(tmpdir(), 'ccmcp-browser-'));
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}

function pathOf(command: string): string {
  return spawnSync('which', [command], { encoding: 'utf8' }).stdout.trim();
}

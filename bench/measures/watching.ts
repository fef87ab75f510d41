import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bench, within } from '../bench.ts';
import { findLoader } from '../clients/load.ts';
import { watchedSubjects } from '../subjects.ts';
import { measureLoaded, type Serving, serve, stop } from './http.ts';

const connections = 50;

/** What it costs that requests are watched: the same calls of the same server, with nobody watching and with each that may. */
export async function measureWatching(bench: Bench): Promise<void> {
  const { folder } = bench;
  const loader = await findLoader(folder);
  const servers: Serving[] = [];
  const work = mkdtempSync(join(tmpdir(), 'ccmcp-watching-'));
  try {
    for (const subject of watchedSubjects) {
      const served = await within(
        subject.name,
        serve(folder, subject, { mode: '2026-07-28', connections, more: [work] }),
      );
      servers.push({ ...served, subject });
    }
    await measureLoaded(bench, servers, { measure: 'watching', loader, connections });
  } finally {
    await Promise.all(servers.map((served) => stop(served)));
    rmSync(work, { recursive: true, force: true });
  }
}

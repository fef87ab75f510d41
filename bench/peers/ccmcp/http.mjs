// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { join } from 'node:path';
import { serveHttp } from '@ccmcp/core/http';
import { makeServer } from './server.mjs';

// One endpoint serves every mode; the client's requests make the difference.
// All clients of the benchmark come from one address, so they are one caller: it may have all sessions.
// Who watches, and last the folder for what they write.
const [port, , ...watched] = process.argv.slice(2);
const admin = watched.includes('metrics') ? { admin: {} } : {};
const server = makeServer(2, watched.includes('tasks') ? await withTasks() : {});
if (watched.includes('audit')) {
  const { audit } = await import('@ccmcp/core/audit');
  server.observe(audit({ file: join(watched.at(-1), 'audit.jsonl'), keep: 1 }));
}
await serveHttp(server, { port: Number(port), callerShare: 100, ...admin, inspector: watched.includes('inspector') });
console.log('ready');

async function withTasks() {
  const [{ tasks }, { tool }] = await Promise.all([import('@ccmcp/core/tasks'), import('@ccmcp/core')]);
  return { extensions: [tasks()], tools: [tool('work', { task: 'optional' }, () => 'done')] };
}

// @ts-nocheck: plain JavaScript, beside what it is imported by.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const connections = 64;

/** Loads two servers in turns, each round beginning with the other one. Gives what was found of both in each. */
export function takeTurns(subjects, loads, { rounds, seconds, warmUpSeconds = seconds }) {
  for (const [index, subject] of subjects.entries()) load(subject, loads[index], warmUpSeconds);
  return Array.from({ length: rounds }, (_, round) => {
    const turn = [];
    for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) turn[index] = load(subjects[index], loads[index], seconds);
    return turn;
  });
}

/** Loads a server for so many seconds: how many calls it served in one, and what CPU time each took, on Linux. */
function load({ url, pids }, script, seconds) {
  const before = cpuUs(pids);
  const said = execFileSync(
    'wrk',
    ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', script, url],
    {
      encoding: 'utf8',
    },
  );
  if (/Non-2xx|Socket errors/.test(said)) throw new Error(said);
  const requests = Number(/(\d+) requests in/.exec(said)[1]);
  return { perSecond: Number(/Requests\/sec: +([\d.]+)/.exec(said)[1]), cpuUs: (cpuUs(pids) - before) / requests };
}

function cpuUs(pids) {
  const threads = pids.flatMap((pid) =>
    readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`),
  );
  return threads.reduce((sum, path) => sum + Number(readFileSync(`${path}/schedstat`, 'utf8').split(' ')[0]) / 1000, 0);
}

/** Writes what wrk sends: a call of the tool `echo`, in a session or by itself. */
export async function writeLoad(mode, url, folder) {
  const params = { name: 'echo', arguments: { message: 'hi' } };
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  if (mode === 'session') headers['Mcp-Session-Id'] = await beginSession(url, headers);
  else {
    Object.assign(headers, { 'MCP-Protocol-Version': mode, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'echo' });
    const meta = { protocolVersion: mode, clientInfo: { name: 'bench', version: '1' }, clientCapabilities: {} };
    params._meta = Object.fromEntries(
      Object.entries(meta).map(([name, value]) => [`io.modelcontextprotocol/${name}`, value]),
    );
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const script = join(folder, `${mode}-${new URL(url).port}.lua`);
  const lines = Object.entries(headers).map(([name, value]) => `wrk.headers[${quoted(name)}] = ${quoted(value)}`);
  writeFileSync(script, ['wrk.method = "POST"', ...lines, `wrk.body = ${quoted(body)}`].join('\n'));
  return script;
}

/** What JSON writes for a text without control characters, Lua reads. */
function quoted(text) {
  return JSON.stringify(text);
}

async function beginSession(url, headers) {
  const clientInfo = { name: 'bench', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  const response = await fetch(url, { method: 'POST', headers, body });
  await response.text();
  return response.headers.get('mcp-session-id');
}

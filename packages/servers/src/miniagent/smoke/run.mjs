#!/usr/bin/env node
// Runs the smoke session against `ccmcp miniagent`, or against the command that is given, and keeps what happened.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runSession } from './session.mjs';

const launcher = fileURLToPath(new URL('../../../../../ccmcp', import.meta.url));
const [command = launcher, ...args] = process.argv.slice(2);

const { transcript, summary } = await runSession(command, command === launcher ? ['miniagent'] : args);
writeFileSync(new URL('transcript.txt', import.meta.url), transcript);
writeFileSync(new URL('summary.json', import.meta.url), `${JSON.stringify(summary, undefined, 2)}\n`);
process.stdout.write(`${JSON.stringify(summary)}\n`);
process.exitCode = summary.all_success && summary.exit_code === 0 ? 0 : 1;

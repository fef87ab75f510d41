#!/usr/bin/env node
// Runs manual.sh and writes what came of it: output.bin, manual.txt, manifest.json and results.json.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe } from './session.mjs';

const at = (/** @type {string} */ name) => new URL(name, import.meta.url);
const write = (/** @type {string} */ name, /** @type {unknown} */ value) =>
  writeFileSync(at(name), `${JSON.stringify(value, undefined, 2)}\n`);

execFileSync(fileURLToPath(at('manual.sh')), { stdio: 'inherit' });
const { transcript, results, sha256 } = describe(readFileSync(at('input.bin')), readFileSync(at('output.bin')));
writeFileSync(at('manual.txt'), transcript);
write('results.json', results);
write('manifest.json', {
  versions: { server: 'miniagent-server 0.1', protocol: '2024-11-05', node: '>=20' },
  seed: null,
  transcript_sha256: sha256,
});

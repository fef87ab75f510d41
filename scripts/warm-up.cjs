'use strict';

// Runs a program with the standard input that it is given, and keeps the code that V8 has compiled by the end.

const { writeFileSync } = require('node:fs');
const { load, loaded } = require('./program.cjs');

process.on('exit', () => {
  for (const [path, { script }] of loaded) if (script) writeFileSync(`${path}.v8`, script.createCachedData());
});

// Taken away, so that the program sees no arguments.
load(process.argv.pop() ?? '');

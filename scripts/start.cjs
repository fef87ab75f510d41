'use strict';

// The command's first file. To compile the program would take a third of the start-up time.

const { join } = require('node:path');
const { load } = require('./program.cjs');

// @ts-expect-error: the build puts PROGRAM in.
load(join(__dirname, PROGRAM));

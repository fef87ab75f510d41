'use strict';

// The command's first file. To compile the program would take a third of the start-up time.

const { programIn } = require('./program.cjs');

// @ts-expect-error: the build puts PROGRAM in.
programIn(`${__dirname}/chunks`, require)(PROGRAM);

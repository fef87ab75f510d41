// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { tool } from '@ccmcp/core';
import { serveStdio } from '@ccmcp/core/stdio';
import { makeServer } from './server.mjs';

/** The server on stdio behind all gateways: `large` gives a text of a megabyte. */
const text = 'All work and no play. '.repeat(48_000).slice(0, 1024 * 1024);
const large = tool('large', { description: 'Gives a megabyte', input: { type: 'object' } }, () => text);

serveStdio(makeServer(2, { tools: [large] }), { maxMessage: 16 * 1024 * 1024 });

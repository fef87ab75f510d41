#!/usr/bin/env node
// Writes input.bin: the frames of the session.
import { writeFileSync } from 'node:fs';
import { frame, sent } from './session.mjs';

writeFileSync(new URL('input.bin', import.meta.url), Buffer.concat(sent.map(([, message]) => frame(message))));

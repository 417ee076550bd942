/** Writes the calls of the pages beside the contracts: `npm run calls`, after a change of the contracts. */
import { writeFileSync } from 'node:fs';
import { CALLS_FILE, callsText } from './calls-text.ts';

writeFileSync(CALLS_FILE, await callsText());

/** Writes openapi.json beside this file: `npm run openapi`, after a change of the contracts. */
import { writeFileSync } from 'node:fs';
import { DOCUMENT_FILE, freshDocument } from './kept-document.ts';

writeFileSync(DOCUMENT_FILE, freshDocument());

import { encodingOf } from '@quantloom/domain/exchange/source-bytes';
import {
  MAX_SOURCE_FILES,
  MAX_SOURCE_LENGTH,
  tooLargeSentence,
} from '@quantloom/domain/exchange/syntax/source-limits';

/** A file with text that may be a strategy. */
export interface SourceFile {
  readonly name: string;
  readonly text: string;
}

/** What programs put beside the files of an archive. */
const HIDDEN = /(?:^|\/)(?:\.|__MACOSX\/)/;

/** The files that were chosen or dropped, those inside zip files included; what cannot be read is a sentence. */
export async function readFiles(
  files: readonly File[],
): Promise<{ readonly sources: readonly SourceFile[]; readonly faults: readonly string[] }> {
  const sources: SourceFile[] = [];
  const faults: string[] = [];
  for (const file of files) {
    try {
      sources.push(...(await read(file, faults)));
    } catch (error) {
      faults.push(`${file.name}: ${error instanceof Error ? error.message : 'cannot be read'}`);
    }
  }
  if (sources.length > MAX_SOURCE_FILES)
    faults.push(`Only the first ${MAX_SOURCE_FILES} of ${sources.length} files are read at once.`);
  return { sources: sources.slice(0, MAX_SOURCE_FILES), faults };
}

/** @param faults what is left out of an archive is told here */
async function read(file: File, faults: string[]): Promise<SourceFile[]> {
  if (file.size > 3 * MAX_SOURCE_LENGTH) throw new Error(tooLargeSentence(file.size));
  const content = new Uint8Array(await file.arrayBuffer());
  const isArchive = content[0] === 0x50 && content[1] === 0x4b && content[2] === 3 && content[3] === 4;
  if (!isArchive) return [{ name: file.name, text: textOf(content) }];
  const { unzipSync } = await import('fflate');
  let count = 0;
  const tooLarge: string[] = [];
  const entries = unzipSync(content, {
    // Sizes are looked at before anything is unpacked.
    filter: ({ name, originalSize }) => {
      const isWanted = /\.(?:json|edn|clj|cljs|txt)$/i.test(name) && !HIDDEN.test(name);
      if (isWanted) count += 1;
      if (isWanted && originalSize > MAX_SOURCE_LENGTH) tooLarge.push(name);
      return isWanted && count <= MAX_SOURCE_FILES && originalSize <= MAX_SOURCE_LENGTH;
    },
  });
  if (count === 0) throw new Error('there is no .json, .edn, .clj or .txt file in it');
  if (count > MAX_SOURCE_FILES)
    faults.push(`${file.name}: only the first ${MAX_SOURCE_FILES} of ${count} files in it are read.`);
  for (const name of tooLarge) faults.push(`${file.name}: ${name} is too large for a strategy.`);
  return Object.entries(entries).map(([name, bytes]) => ({ name, text: textOf(bytes) }));
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

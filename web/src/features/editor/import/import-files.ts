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

/** The files that were chosen or dropped, those inside zip files included; what cannot be read is a sentence. */
export async function readFiles(
  files: readonly File[],
): Promise<{ readonly sources: readonly SourceFile[]; readonly faults: readonly string[] }> {
  const sources: SourceFile[] = [];
  const faults: string[] = [];
  for (const file of files) {
    try {
      sources.push(...(await read(file)));
    } catch (error) {
      faults.push(`${file.name}: ${error instanceof Error ? error.message : 'cannot be read'}`);
    }
  }
  if (sources.length > MAX_SOURCE_FILES)
    faults.push(`Only the first ${MAX_SOURCE_FILES} of ${sources.length} files are read at once.`);
  return { sources: sources.slice(0, MAX_SOURCE_FILES), faults };
}

async function read(file: File): Promise<SourceFile[]> {
  if (file.size > 3 * MAX_SOURCE_LENGTH) throw new Error(tooLargeSentence(file.size));
  if (!/\.zip$/i.test(file.name)) return [{ name: file.name, text: await file.text() }];
  const { strFromU8, unzipSync } = await import('fflate');
  let count = 0;
  const entries = unzipSync(new Uint8Array(await file.arrayBuffer()), {
    // Sizes are looked at before anything is unpacked.
    filter: ({ name, originalSize }) => {
      const isWanted = /\.(?:json|edn|clj|txt)$/i.test(name) && !/(?:^|\/)[._]/.test(name);
      if (isWanted) count += 1;
      return isWanted && count <= MAX_SOURCE_FILES && originalSize <= MAX_SOURCE_LENGTH;
    },
  });
  return Object.entries(entries).map(([name, bytes]) => ({ name, text: strFromU8(bytes) }));
}

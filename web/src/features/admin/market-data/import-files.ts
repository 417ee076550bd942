import {
  beginMarketDataImport,
  getMarketDataImport,
  putMarketDataPiece,
  runMarketDataImport,
} from '@quantloom/domain/contracts/http/calls';
import type { UploadAnswer } from '@quantloom/domain/contracts/http/market-data-imports';
import { api } from '../../../lib/api.ts';
import { pause } from '../../../lib/pause.ts';

/** A file of the user's, with its place below the folder that was dropped. */
export interface ChosenFile {
  readonly path: string;
  readonly file: File;
}

/** What a user says for an import. */
export interface ImportChoices {
  readonly replace?: boolean;
  readonly keep_different?: boolean;
  readonly allow_bad_rows?: boolean;
  readonly ticker?: string;
  readonly dates?: 'day_first' | 'month_first';
  readonly decimal?: 'point' | 'comma';
  readonly series?: string;
  readonly lag_days?: number;
}

/** A piece of 2 MiB is 2.7 MiB in base64: what a proxy lets through. */
const PIECE_BYTES = 2 * 1024 * 1024;
const ASKED_EVERY_MS = 700;

/** Sends files piece by piece; answers the id of the upload. */
export async function sendFiles(
  files: readonly ChosenFile[],
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<string> {
  const total = files.reduce((sum, { file }) => sum + file.size, 0);
  const { data } = await api().call(beginMarketDataImport, { signal });
  let sent = 0;
  for (const { path, file } of files)
    for (let offset = 0; offset === 0 || offset < file.size; offset += PIECE_BYTES) {
      const piece = new Uint8Array(await file.slice(offset, offset + PIECE_BYTES).arrayBuffer());
      await api().call(putMarketDataPiece, {
        params: { id: data.id },
        body: { path, offset, content: base64(piece) },
        signal,
      });
      sent += piece.length;
      onProgress(total === 0 ? 1 : sent / total);
    }
  return data.id;
}

/** Begins a preview or an import and waits for its end. */
export async function runImport(
  id: string,
  publish: boolean,
  choices: ImportChoices,
  onProgress: (state: UploadAnswer) => void,
  signal: AbortSignal,
): Promise<UploadAnswer> {
  let { data } = await api().call(runMarketDataImport, {
    params: { id },
    body: { publish, ...choices },
    signal,
  });
  while (data.state === 'running') {
    onProgress(data);
    await pause(ASKED_EVERY_MS);
    signal.throwIfAborted();
    ({ data } = await api().call(getMarketDataImport, { params: { id }, signal }));
  }
  return data;
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000)
    text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

/** The files of a drop, those of dropped folders included. */
export async function filesOfDrop(items: DataTransferItemList): Promise<ChosenFile[]> {
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  return (await Promise.all(entries.map((entry) => filesOfEntry(entry)))).flat();
}

async function filesOfEntry(entry: FileSystemEntry): Promise<ChosenFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => {
      (entry as FileSystemFileEntry).file(resolve, reject);
    });
    return [{ path: entry.fullPath.replace(/^\//, ''), file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: ChosenFile[] = [];
  for (;;) {
    // A reader answers a hundred entries at a time.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (some.length === 0) return found;
    for (const one of some) found.push(...(await filesOfEntry(one)));
  }
}

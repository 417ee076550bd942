/**
 * So that a path of three names stays below the 260 characters that Windows allows, and a name below the 255
 * bytes of others.
 */
const MOST_CHARACTERS = 60;
const MOST_BYTES = 120;
/** Names of devices on Windows, also with any ending behind them. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d|com[¹²³]|lpt[¹²³]|conin\$|conout\$)\s*(\.|$)/i;

/**
 * What a person typed as the beginning of a file's name that every system can hold, followed by the thing's
 * id, which makes it unique also where upper and lower case are the same.
 */
export function fileNameOf(name: string, id: string): string {
  const safeId = id.replaceAll(/[^\w-]/g, '_');
  const safe = safeNameOf(name);
  return safe === '' ? safeId : `${safe}-${safeId}`;
}

function safeNameOf(name: string): string {
  const plain = name
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[<>:"/\\|?*\u{FFFD}]/gu, '_')
    // Controls, and signs that turn the direction of writing: a name must not look like another one.
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u{200E}\u{200F}\u{202A}-\u{202E}\u{2066}-\u{2069}\u{FEFF}]/gu, '_')
    .replaceAll(/\s+/g, ' ');
  const short = withoutEdges(shortened(withoutEdges(plain)));
  return DEVICE.test(short) ? `_${short}` : short;
}

/** Dots in front hide a file, and Windows drops dots and spaces at the end. */
const withoutEdges = (text: string): string => text.replaceAll(/^[\s.]+|[\s.]+$/g, '');

function shortened(text: string): string {
  let bytes = 0;
  const kept: string[] = [];
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (kept.length === MOST_CHARACTERS || bytes > MOST_BYTES) break;
    kept.push(character);
  }
  return kept.join('');
}

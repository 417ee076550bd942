import { randomInt } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, statSync, unlinkSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import getPort from 'get-port';

// Outside of the range that the system gives to outgoing connections: a server that ends and comes back would
// find a port out of that range taken by some client in the meantime.
const FIRST_PORT = 20_000;
const LAST_PORT = 31_999;
const LINUX_RANGE = '/proc/sys/net/ipv4/ip_local_port_range';

/** A file per port that some process of this user has chosen and may not listen on yet. */
const CLAIMS = path.join(tmpdir(), `quantloom-ports-${userInfo().uid}`);
/** A server that was started listens by then, and its port is seen to be taken. */
const CLAIM_MS = 300_000;

/** First and last port of outgoing connections; those of Linux and the IANA where the system does not say. */
function outgoingPorts(): readonly [first: number, last: number] {
  try {
    const [first = 32_768, last = 65_535] = readFileSync(LINUX_RANGE, 'utf8').trim().split(/\s+/).map(Number);
    return [first, last];
  } catch {
    return [32_768, 65_535];
  }
}

/** False where another process has claimed the port shortly before. */
function claim(port: number): boolean {
  const file = path.join(CLAIMS, String(port));
  try {
    closeSync(openSync(file, 'wx'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  try {
    if (Date.now() - statSync(file).mtimeMs < CLAIM_MS) return false;
    unlinkSync(file);
    closeSync(openSync(file, 'wx'));
    return true;
  } catch (error) {
    // Another process was quicker with the same stale claim.
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'EEXIST'].includes(code)) return false;
    throw error;
  }
}

/** The ports of the range from a random one on, those that are claimed for the caller now. */
function* claimedPorts(): Generator<number> {
  const [firstOutgoing, lastOutgoing] = outgoingPorts();
  const all = Array.from({ length: LAST_PORT - FIRST_PORT + 1 }, (_, index) => FIRST_PORT + index);
  const safe = all.filter((port) => port < firstOutgoing || port > lastOutgoing);
  // On a machine that uses all of them for its connections there is no better one.
  const ports = safe.length > 0 ? safe : all;
  mkdirSync(CLAIMS, { recursive: true, mode: 0o700 });
  const start = randomInt(ports.length);
  for (let step = 0; step < ports.length; step += 1) {
    const port = ports[(start + step) % ports.length] as number;
    if (claim(port)) yield port;
  }
}

/**
 * A port that nothing listens on, for a server to be started now and perhaps again later. No other process of
 * this user that asks in the same way gets it within the next minutes, and this one not at all.
 */
export function freePort(): Promise<number> {
  return getPort({ port: claimedPorts(), reserve: true });
}

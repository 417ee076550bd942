import { execFileSync } from 'node:child_process';
import { type Browser, chromium } from 'playwright-core';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'];

/** Path of the system's Chromium, or of the one that `CHROMIUM` names; null where there is none. */
export function chromiumPath(): string | null {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  try {
    return execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
}

/** Starts the system's Chromium. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === null) throw new Error('There is no chromium on the PATH');
  return await chromium.launch({ executablePath, headless: true, args: FLAGS });
}

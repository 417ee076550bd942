import { globSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '..');

/** The TypeScript of some workspaces without tests, as absolute paths. */
export function sourceFiles(workspaces: readonly string[]): string[] {
  return workspaces
    .flatMap((workspace) => globSync(`${workspace}/src/**/*.ts`, { cwd: ROOT }))
    .filter((file) => !/\.test\.ts$|\/testing\//.test(file))
    .map((file) => path.join(ROOT, file));
}

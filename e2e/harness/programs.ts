import { execFileSync } from 'node:child_process';

/** Whether this machine has a program that a test needs. */
export function hasProgram(program: string): boolean {
  try {
    execFileSync('which', [program]);
    return true;
  } catch {
    return false;
  }
}

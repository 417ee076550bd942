import type { Command } from 'commander';
import { vi } from 'vitest';

/** Runs a command in this process, on the data folder that `DATA_DIR` names; what it prints to standard output. */
export async function runCommand(command: Command, dataDir: string, ...args: string[]): Promise<string> {
  vi.stubEnv('DATA_DIR', dataDir);
  const lines: string[] = [];
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((line: unknown) => void lines.push(String(line))),
    vi.spyOn(process.stderr, 'write').mockImplementation(() => true),
  ];
  try {
    await command.parseAsync(args, { from: 'user' });
    return lines.join('\n');
  } finally {
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllEnvs();
  }
}

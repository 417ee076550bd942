import { execFile } from 'node:child_process';
import { cp, mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '../harness/server.ts';

export const run = promisify(execFile);

/** Copies a client's source into a folder, without what was made of it here. */
export async function copyOfClient(client: 'python' | 'typescript', folder: string): Promise<string> {
  const source = path.join(folder, client);
  await cp(path.join(REPOSITORY, 'clients', client), source, {
    recursive: true,
    filter: (file) => !/node_modules|dist|\.tgz$/.test(path.basename(file)),
  });
  return source;
}

/** A clean folder in which the packed client is installed, from a source whose own packages are there. */
export async function folderWithClient(source: string, folder: string): Promise<string> {
  await run('npm', ['pack'], { cwd: source });
  const clean = await mkdtemp(path.join(folder, 'clean-'));
  await writeFile(path.join(clean, 'package.json'), '{"private":true,"type":"module"}');
  await run('npm', ['install', path.join(source, 'quantloom-client-0.1.0.tgz')], { cwd: clean });
  return clean;
}

/** A new environment of Python's; gives where its programs are. */
export async function pythonEnvironment(folder: string): Promise<(program: string) => string> {
  const environment = path.join(folder, 'venv');
  await run('python3', ['-m', 'venv', environment]);
  return (program) => path.join(environment, 'bin', program);
}

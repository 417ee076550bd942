import { ensureWebIsBuilt } from '@quantloom/deploy/web-site';

/** Builds the pages once, before the first of several servers would at the same time as another one. */
export async function setup(): Promise<void> {
  await ensureWebIsBuilt((message) => console.info(message));
}

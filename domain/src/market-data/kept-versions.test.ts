import { expect, it } from 'vitest';
import { demoManifest } from './demo/demo-data-set.ts';
import { findVersion, keptVersions } from './kept-versions.ts';

const published = { ...demoManifest('2026-11-24'), version: '20261124T233000Z-3f9c', isSimulated: false };
const marketData = { versions: async () => [published] };

it('finds what is listed, and each of the demo’s, which nobody stores', async () => {
  expect(await findVersion(marketData, published.version)).toEqual(published);
  expect(await findVersion(marketData, '20261123T000000Z-demo1')).toEqual(demoManifest('2026-11-23'));
  expect(await findVersion(marketData, '20261122T000000Z-demo1')).toBeUndefined();
  expect(await findVersion(marketData, '20261123T233000Z-3f9c')).toBeUndefined();
  const kept = await keptVersions(marketData);
  const names = [published.version, '20261123T000000Z-demo1', '20261122T000000Z-demo1', 'v1'];
  expect(names.map((version) => kept.has(version))).toEqual([true, true, false, false]);
});

import { importFiles } from './import-files.ts';

/**
 * A process of its own for tests: imports `argv[3…]` into `argv[2]`, with `--replace` behind them; tells its
 * stages and its end on standard output.
 */
const [dataDir = '', ...rest] = process.argv.slice(2);
const files = rest.filter((argument) => argument !== '--replace');
try {
  let last = '';
  const { manifest } = await importFiles({
    dataDir,
    files,
    replace: rest.includes('--replace'),
    now: new Date(),
    onProgress: ({ stage, done }) => {
      const step = `${stage} ${Math.floor(done * 10)}`;
      if (step !== last) console.log(step);
      last = step;
    },
  });
  console.log(`published ${manifest.version}`);
} catch (error) {
  console.log(`failed ${(error as { code?: string }).code ?? ''} ${(error as Error).message}`);
  process.exitCode = 1;
}

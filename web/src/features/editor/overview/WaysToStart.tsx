import { Button, ButtonLink } from '../../../ui/Button.tsx';

/** What a strategy is, and the ways to begin one. */
export function WaysToStart({
  onType,
  onPickAsset,
  onImport,
}: {
  onType: () => void;
  onPickAsset: () => void;
  onImport: () => void;
}) {
  return (
    <section aria-label="Ways to start" className="rounded border border-dashed border-line p-4 text-sm">
      <h2 className="font-medium">Start here</h2>
      <p className="mt-0.5 max-w-prose text-muted">
        A strategy is a tree of blocks: what to hold, how much of it, and when. Type it in a line, such as{' '}
        <code className="text-ink">if RSI(QQQ, 10) &gt; 79 then TLT else QQQ</code>, or begin with one asset.
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button onClick={onType}>Type it</Button>
        <Button onClick={onPickAsset}>Choose an asset</Button>
        <Button onClick={onImport}>Import a file</Button>
        <ButtonLink to="/starters">See examples</ButtonLink>
      </div>
    </section>
  );
}

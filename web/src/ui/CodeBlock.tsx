import { Check, Copy } from 'lucide-react';
import { Button, IconButton } from './Button.tsx';
import { ScrollRegion } from './ScrollRegion.tsx';
import { useCopied } from './use-copied.ts';

/** Copies `text`; says `Copied` for two seconds. */
export function CopyButton({
  text,
  label = 'Copy',
  isIconOnly,
}: {
  text: string;
  label?: string;
  isIconOnly?: boolean;
}) {
  const [isCopied, copy] = useCopied();
  if (isIconOnly)
    return (
      <IconButton
        icon={isCopied ? Check : Copy}
        label={isCopied ? 'Copied' : label}
        onClick={() => void copy(text)}
      />
    );
  return (
    <Button size="sm" icon={isCopied ? Check : Copy} onClick={() => void copy(text)}>
      {isCopied ? 'Copied' : label}
    </Button>
  );
}

/** Code or a log as it is, scrolling sideways, with a copy button. */
export function CodeBlock({
  code,
  label,
  maxHeight = 420,
}: {
  code: string;
  label: string;
  maxHeight?: number;
}) {
  return (
    <div className="relative rounded border border-line bg-surface">
      <div className="absolute right-1.5 top-1.5">
        <CopyButton text={code} label={`Copy ${label}`} isIconOnly />
      </div>
      <ScrollRegion label={label} style={{ maxHeight }} className="overflow-auto p-3 pr-12">
        <pre className="font-mono text-sm">
          <code>{code}</code>
        </pre>
      </ScrollRegion>
    </div>
  );
}

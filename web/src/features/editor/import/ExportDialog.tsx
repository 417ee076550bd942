import { writeEdn } from '@quantloom/domain/exchange/composer/edn-writer';
import { exportSymphony } from '@quantloom/domain/exchange/composer/export-symphony';
import { textLosses } from '@quantloom/domain/exchange/pins';
import { printStrategy } from '@quantloom/domain/exchange/text/printer';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { useMemo, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { ScrollRegion } from '../../../ui/ScrollRegion.tsx';
import { Select } from '../../../ui/Select.tsx';
import { useCopied } from '../../../ui/use-copied.ts';
import { type TradingTerms, termsOf } from '../../terms/terms.ts';
import { useEditorTools } from '../model/editor-context.ts';
import type { EditorStore } from '../model/editor-store.ts';
import { download } from './download.ts';
import { FidelityList } from './FidelityList.tsx';

type Format = 'text' | 'composer-json' | 'composer-edn';

const FORMATS: readonly { readonly value: Format; readonly label: string }[] = [
  { value: 'text', label: 'Readable text' },
  { value: 'composer-json', label: 'Composer JSON' },
  { value: 'composer-edn', label: 'Composer EDN' },
];
const ENDINGS: Readonly<Record<Format, string>> = {
  text: 'txt',
  'composer-json': 'json',
  'composer-edn': 'edn',
};
/** Characters of a preview. */
const PREVIEW = 4000;

/** The strategy as text or for Composer, with what that tool cannot express. */
export function ExportDialog({
  algorithm,
  store,
  onClose,
}: {
  algorithm: Algorithm;
  store: EditorStore;
  onClose: () => void;
}) {
  const [format, setFormat] = useState<Format>('text');
  const [isCopied, copy] = useCopied();
  const { runRequest } = useEditorTools();
  const [terms] = useState(() => termsOf(runRequest() ?? {}));
  const { text, report } = useMemo(() => exported(algorithm, format, terms), [algorithm, format, terms]);
  const name = algorithm.name.replace(/[^\w.-]+/g, '_').slice(0, 60) || 'strategy';
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Export"
      size="lg"
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button onClick={() => void copy(text)}>{isCopied ? 'Copied' : 'Copy'}</Button>
          <Button variant="primary" onClick={() => download(`${name}.${ENDINGS[format]}`, text)}>
            Download
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Select label="Format" options={FORMATS} value={format} onChange={setFormat} />
        <ScrollRegion label="The text" className="max-h-64 overflow-auto rounded border border-line p-3">
          <pre className="font-mono text-xs">
            {text.length > PREVIEW ? `${text.slice(0, PREVIEW)}\n…` : text}
          </pre>
        </ScrollRegion>
        {report === null ? (
          <p className="text-sm text-muted">Nothing is lost: importing this text gives the same strategy.</p>
        ) : (
          <FidelityList
            report={report}
            onBlock={(id) => {
              onClose();
              store.reveal(id);
            }}
          />
        )}
      </div>
    </Dialog>
  );
}

function exported(algorithm: Algorithm, format: Format, terms: TradingTerms) {
  if (format === 'text') return { text: printStrategy(algorithm), report: textLosses(algorithm) };
  const { symphony, report } = exportSymphony(algorithm, terms);
  return {
    text: format === 'composer-json' ? JSON.stringify(symphony, null, 2) : writeEdn(symphony),
    report,
  };
}

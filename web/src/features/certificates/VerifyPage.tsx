import { verifyCertificate } from '@quantloom/domain/contracts/http/calls';
import type { AnswerOf, BodyOf } from '@quantloom/domain/contracts/http/route';
import { useRef, useState } from 'react';
import { api, messageOf } from '../../lib/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/feedback.tsx';
import { Page } from '../../ui/Page.tsx';
import { Textarea } from '../../ui/text-inputs.tsx';

type Outcome =
  | { readonly kind: 'checked'; readonly found: AnswerOf<typeof verifyCertificate> }
  | { readonly kind: 'failed'; readonly reason: string };

async function check(text: string): Promise<Outcome> {
  let certificate: unknown;
  try {
    certificate = JSON.parse(text);
  } catch {
    return { kind: 'failed', reason: 'This is no certificate: it is not JSON.' };
  }
  try {
    const found = await api().call(verifyCertificate, {
      body: certificate as BodyOf<typeof verifyCertificate>,
    });
    return { kind: 'checked', found };
  } catch (error) {
    return { kind: 'failed', reason: messageOf(error) };
  }
}

/** Computes the result of a certificate again. */
export default function VerifyPage() {
  const [text, setText] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  // What was checked last; null where that is not what stands in the field any more.
  const latest = useRef<object | null>(null);
  const run = async (certificate: string) => {
    const own = {};
    latest.current = own;
    setBusy(true);
    setOutcome(null);
    const found = await check(certificate);
    if (latest.current !== own) return;
    setOutcome(found);
    setBusy(false);
  };
  const change = (next: string) => {
    latest.current = null;
    setText(next);
    setBusy(false);
    setOutcome(null);
  };
  return (
    <Page
      isNarrow
      title="Check a certificate"
      description="The result is computed again from the prices here, and every figure is compared."
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void run(text);
        }}
      >
        <label className="flex flex-col gap-1">
          <span className="text-sm text-muted">File of a certificate</span>
          <input
            type="file"
            accept="application/json,.json"
            onChange={async (event) => {
              const [file] = event.target.files ?? [];
              if (!file) return;
              const content = await file.text();
              change(content);
              await run(content);
            }}
          />
        </label>
        <Textarea
          label="Or its content"
          value={text}
          onChange={change}
          isMono
          minHeight={160}
          maxHeight={400}
          spellCheck={false}
        />
        <div>
          <Button type="submit" variant="primary" isBusy={isBusy} disabled={text.trim() === ''}>
            Compute it again
          </Button>
        </div>
      </form>
      <div role="status" className="flex flex-col gap-2">
        {outcome?.kind === 'failed' && <Notice kind="warning">{outcome.reason}</Notice>}
        {outcome?.kind === 'checked' && outcome.found.confirmed && (
          <Notice kind="success">
            <p>Confirmed: the result was computed again, and every figure is the same.</p>
            {outcome.found.findings.map((finding) => (
              <p key={finding}>{finding}</p>
            ))}
          </Notice>
        )}
        {outcome?.kind === 'checked' && !outcome.found.confirmed && (
          <Notice kind="warning">
            <p>Not confirmed.</p>
            <ul className="list-disc pl-5">
              {outcome.found.findings.map((finding) => (
                <li key={finding} className="break-words">
                  {finding}
                </li>
              ))}
            </ul>
          </Notice>
        )}
      </div>
    </Page>
  );
}

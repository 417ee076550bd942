import type { Follow } from '@quantloom/domain/contracts/http/forward-tests';
import { useState } from 'react';
import { messageOf } from '../../lib/api.ts';
import { entryFault, readNumber } from '../../lib/number-entry.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/feedback.tsx';
import { Panel } from '../../ui/Page.tsx';
import { RadioGroup } from '../../ui/RadioGroup.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { TextField } from '../../ui/text-inputs.tsx';
import { openPaper } from './paper.ts';

const CASH = { min: 1, max: 1e9 };

/** What a new account of paper money begins with. */
export function PaperOpening({ follows, hasAlpaca }: { follows: readonly Follow[]; hasAlpaca: boolean }) {
  const choices = follows.filter(({ name }) => name !== null);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [broker, setBroker] = useState<'own' | 'alpaca'>('own');
  const [cash, setCash] = useState('10000');
  const [isFractional, setFractional] = useState(false);
  const [keyId, setKeyId] = useState('');
  const [secret, setSecret] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const entry = readNumber(cash, CASH);
  const cashFault = broker === 'own' ? entryFault(entry) : null;
  const chosen = choices.filter(({ strategy_id }) => !left.has(strategy_id));
  const open = async () => {
    setBusy(true);
    setFault(null);
    try {
      await openPaper({
        broker,
        strategy_ids: chosen.map(({ strategy_id }) => strategy_id),
        is_fractional: isFractional,
        ...(broker === 'own' && entry.isRead && { cash: entry.value }),
        ...(broker === 'alpaca' && { key_id: keyId.trim(), key_secret: secret.trim() }),
      });
    } catch (error) {
      setFault(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Panel title="Open a paper account">
      <form
        className="flex max-w-xl flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (cashFault === null && chosen.length > 0) void open();
        }}
      >
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1.5 text-sm font-medium">Strategies that share the money equally</legend>
          {choices.map(({ strategy_id: id, name }) => (
            <Switch
              key={id}
              label={<span className="break-words">{name}</span>}
              checked={!left.has(id)}
              onChange={(isOn) => {
                const next = new Set(left);
                if (isOn) next.delete(id);
                else next.add(id);
                setLeft(next);
              }}
            />
          ))}
        </fieldset>
        {hasAlpaca && (
          <RadioGroup
            label="Who keeps the account"
            value={broker}
            onChange={setBroker}
            options={[
              { value: 'own', label: 'Quantloom', description: 'Orders are filled at the next close.' },
              {
                value: 'alpaca',
                label: 'Alpaca, paper account',
                description: 'Approved orders are sent to your paper account. The whole account is traded.',
              },
            ]}
          />
        )}
        {broker === 'own' ? (
          <TextField
            label="Paper money to begin with ($)"
            inputMode="decimal"
            autoComplete="off"
            value={cash}
            onChange={setCash}
            error={cashFault}
            className="w-full sm:w-80"
          />
        ) : (
          <>
            <TextField
              label="Key of the paper account"
              hint="Stored encrypted, and never shown again."
              autoComplete="off"
              value={keyId}
              onChange={setKeyId}
              required
              className="w-full sm:w-80"
            />
            <TextField
              label="Secret of the key"
              type="password"
              autoComplete="off"
              value={secret}
              onChange={setSecret}
              required
              className="w-full sm:w-80"
            />
          </>
        )}
        <Switch
          label="Fractions of shares"
          hint="Otherwise whole shares are traded, and what is left stays in cash."
          checked={isFractional}
          onChange={setFractional}
        />
        {fault !== null && <Notice kind="warning">{fault}</Notice>}
        {chosen.length === 0 && <p className="text-sm text-muted">Choose one strategy or more.</p>}
        <div>
          <Button type="submit" variant="primary" isBusy={isBusy} disabled={chosen.length === 0}>
            Open account
          </Button>
        </div>
      </form>
    </Panel>
  );
}

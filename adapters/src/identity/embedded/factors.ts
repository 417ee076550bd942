import type { PasskeyPurpose } from './challenges.ts';
import type { Passkeys } from './passkeys.ts';
import type { SecondFactor } from './second-factor.ts';

/** What a page asks for beside the password. */
export interface FactorsAsked {
  readonly hasApp: boolean;
  /** Options for the browser as JSON; null where the account has no passkey that works here. */
  readonly passkeyOptions: string | null;
}

/** Where it is asked. */
export interface FactorPlace {
  readonly purpose: Exclude<PasskeyPurpose, 'register'>;
  /** The sign-in, session or link that the answer must come back to. */
  readonly boundTo: string;
}

/** Everything that is asked for beside the password: one of them is enough. */
export interface Factors {
  isOn(subject: string): boolean;
  hasPasskey(subject: string): boolean;
  /** Takes passkeys, codes and recovery codes away; true: there were any. */
  removeAll(subject: string): boolean;
  /** Null where the password alone is asked for. */
  ask(subject: string, place: FactorPlace): Promise<FactorsAsked | null>;
  /** What is wrong with the answer, as a sentence; null: it is right. */
  faultOf(subject: string, place: FactorPlace, form: URLSearchParams): Promise<string | null>;
  /** The same for a passkey that stands for the password, too. */
  faultOfPasskeyAlone(subject: string, place: FactorPlace, form: URLSearchParams): Promise<string | null>;
}

/** Whether the form brings a passkey's answer: nobody can guess one, so that it is not counted among attempts. */
export const bringsPasskey = (form: URLSearchParams): boolean => (form.get('passkey') ?? '') !== '';

const FAULTS = {
  late: 'That took too long. Please try again.',
  refused: 'The passkey was not accepted. Please try another one, or a code.',
} as const;

/** Passkeys, codes of an app and recovery codes as one question. */
export function createFactors(secondFactor: SecondFactor, passkeys: Passkeys): Factors {
  const hasPasskey = (subject: string) => passkeys.list(subject).length > 0;
  const isOn = (subject: string) => secondFactor.isEnabled(subject) || hasPasskey(subject);
  const faultOfPasskey = async (
    subject: string,
    place: FactorPlace,
    form: URLSearchParams,
    isAlone: boolean,
  ): Promise<string | null> => {
    const verdict = await passkeys.check({ subject, ...place }, form.get('passkey') ?? '', isAlone);
    return verdict === 'ok' ? null : FAULTS[verdict];
  };
  return {
    isOn,
    hasPasskey,
    removeAll(subject) {
      const wasOn = isOn(subject);
      secondFactor.disable(subject);
      for (const { id } of passkeys.list(subject)) passkeys.remove(subject, id);
      return wasOn;
    },
    async ask(subject, place) {
      if (!isOn(subject)) return null;
      const canSign = passkeys.isAvailable && hasPasskey(subject);
      return {
        hasApp: secondFactor.isEnabled(subject),
        passkeyOptions: canSign ? await passkeys.beginProof({ subject, ...place }) : null,
      };
    },
    async faultOf(subject, place, form) {
      if (bringsPasskey(form)) return await faultOfPasskey(subject, place, form, false);
      const code = form.get('code')?.trim() ?? '';
      if (code === '' && hasPasskey(subject)) return 'Please use a passkey, or enter a code.';
      return secondFactor.check(subject, code) ? null : 'The code is not right. Each code works once.';
    },
    faultOfPasskeyAlone: (subject, place, form) => faultOfPasskey(subject, place, form, true),
  };
}

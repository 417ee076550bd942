import { type Identity, isIdentityError } from '@quantloom/domain/ports/identity';
import { describe, expect, it } from 'vitest';

/** What the suite needs around an adapter: people who have signed up, and tokens. */
export interface IdentityRig {
  readonly identity: Identity;
  /** A new person; answers his token. */
  signUp(email: string): Promise<{ subject: string; token: string }>;
  /** Status and token of a client-credentials request. */
  machineToken(clientId: string, clientSecret: string): Promise<{ status: number; token: string }>;
}

let serial = 0;
const newEmail = () => `person-${++serial}@example.com`;
const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return 'fulfilled';
  } catch (error) {
    return isIdentityError(error) ? error.code : String(error);
  }
};

/** What every identity adapter must do. */
export function identityContract(name: string, rig: () => IdentityRig): void {
  describe(`identity: ${name}`, () => {
    it('verifies tokens of people', async () => {
      const { identity, signUp } = rig();
      const { subject, token } = await signUp(newEmail());
      expect(await identity.verify(token)).toMatchObject({ subject, clientId: null, userId: null });
      expect(await codeOf(identity.verify(`${token}x`))).toBe('invalid_token');
      expect(await codeOf(identity.verify('nonsense'))).toBe('invalid_token');
    });

    it('knows accounts and links them to users, as often as asked', async () => {
      const { identity, signUp } = rig();
      const email = newEmail();
      const { subject } = await signUp(email);
      expect(await identity.account(subject)).toEqual({
        subject,
        email,
        userId: null,
        isEmailVerified: false,
        hasSecondFactor: false,
      });
      await identity.linkUser(subject, 'user-1');
      await identity.linkUser(subject, 'user-1');
      expect(await identity.account(subject)).toEqual({
        subject,
        email,
        userId: 'user-1',
        isEmailVerified: false,
        hasSecondFactor: false,
      });
      expect(await identity.account('quantloom|nobody')).toBeNull();
      expect(await codeOf(identity.linkUser('quantloom|nobody', 'user-1'))).toBe('unknown_subject');
    });

    it('changes e-mail addresses, unless they are none', async () => {
      const { identity, signUp } = rig();
      const { subject } = await signUp(newEmail());
      const next = newEmail();
      await identity.changeEmail(subject, next);
      await identity.changeEmail(subject, next);
      expect((await identity.account(subject))?.email).toBe(next);
      expect(await codeOf(identity.changeEmail(subject, 'not an address'))).toBe('invalid_email');
      expect(await codeOf(identity.changeEmail('quantloom|nobody', newEmail()))).toBe('unknown_subject');
      expect((await identity.account(subject))?.email).toBe(next);
    });

    it('forgets people who leave, as often as asked', async () => {
      const { identity, signUp } = rig();
      const email = newEmail();
      const leaving = await signUp(email);
      const staying = await signUp(newEmail());
      await identity.deleteAccount(leaving.subject, [email]);
      await identity.deleteAccount(leaving.subject, [email]);
      expect(await identity.account(leaving.subject)).toBeNull();
      expect(await identity.account(staying.subject)).not.toBeNull();
      expect(await codeOf(identity.verify(staying.token))).toBe('fulfilled');
    });

    it('helps with sign-ins as administrators ask: sessions end, links are sent, and nobody else is touched', async () => {
      const { identity, signUp } = rig();
      expect(identity.canAssist).toBe(true);
      const [one, other] = [await signUp(newEmail()), await signUp(newEmail())];
      for (const act of ['send_reset', 'unlock', 'unlock'] as const) await identity.assist(one.subject, act);
      expect(await codeOf(identity.verify(one.token))).toBe('fulfilled');
      for (let times = 0; times < 2; times += 1) await identity.assist(one.subject, 'sign_out');
      // A process that looks now knows it; one that has looked before may take its time.
      expect(await codeOf(rig().identity.verify(one.token))).toBe('invalid_token');
      expect(await codeOf(identity.verify(other.token))).toBe('fulfilled');
      expect(await codeOf(identity.assist(other.subject, 'remove_factors'))).toBe('fulfilled');
      expect(await codeOf(rig().identity.verify(other.token))).toBe('invalid_token');
      for (const act of ['sign_out', 'send_reset', 'unlock', 'remove_factors'] as const)
        expect(await codeOf(identity.assist('quantloom|nobody', act))).toBe('unknown_subject');
    });

    it('tells when somebody last proved who he is', async () => {
      const { identity, signUp } = rig();
      const began = Date.now();
      const { token } = await signUp(newEmail());
      const { sessionId } = await identity.verify(token);
      const provedAt = await identity.lastProof(sessionId ?? '');
      expect(provedAt).toBeGreaterThanOrEqual(began - 1_000);
      expect(provedAt).toBeLessThanOrEqual(Date.now());
      expect(await identity.lastProof('nowhere')).toBe(0);
    });

    it('makes machine clients that get tokens for their user, until they are deleted', async () => {
      const { identity, machineToken } = rig();
      const credentials = await identity.createMachineClient({
        userId: 'user-5',
        scopes: ['api:backtester'],
      });
      const { clientId, clientSecret } = credentials;
      expect(await identity.machineClient(clientId)).toEqual(credentials);
      const { token } = await machineToken(clientId, clientSecret);
      expect(await identity.verify(token)).toMatchObject({
        subject: `${clientId}@clients`,
        clientId,
        userId: 'user-5',
        scopes: ['api:backtester'],
      });
      expect((await machineToken(clientId, 'wrong')).status).toBe(401);
      await identity.deleteMachineClient(clientId);
      await identity.deleteMachineClient(clientId);
      expect(await identity.machineClient(clientId)).toBeNull();
      expect((await machineToken(clientId, clientSecret)).status).toBe(401);
    });
  });
}

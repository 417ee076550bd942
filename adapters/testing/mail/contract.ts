import type { Mail, MailMessage } from '@quantloom/domain/ports/mail';
import { describe, expect, it } from 'vitest';

/** What the suite needs around an adapter: what has arrived so far, in its order. */
export interface MailRig {
  readonly mail: Mail;
  arrived(): Promise<readonly MailMessage[]>;
}

const message = (to: string): MailMessage => ({
  to,
  subject: 'Reset your password – “now”',
  text: 'Open this link:\nhttps://example.com/u/reset/abc?x=1&y=2',
  html: '<!doctype html><p>Open <a href="https://example.com/u/reset/abc?x=1&amp;y=2">this link</a></p>',
});

/** What every mail adapter must do. */
export function mailContract(name: string, rig: () => MailRig): void {
  describe(`mail: ${name}`, () => {
    it('hands a message over as it is', async () => {
      const { mail, arrived } = rig();
      await mail.send(message('ann@example.com'));
      expect(await arrived()).toMatchObject([message('ann@example.com')]);
      await mail.close();
    });

    it('sends to one person, whatever stands in the address', async () => {
      const { mail, arrived } = rig();
      await mail.send(message('"a,b"@example.com'));
      expect((await arrived()).map(({ to }) => to)).toEqual(['"a,b"@example.com']);
      await mail.close();
    });
  });
}

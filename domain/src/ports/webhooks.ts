import type { Delivery } from '../alerts/delivery.ts';

/** Hands signed messages over to addresses that users name. */
export interface Webhooks {
  /** What a user's messages are signed with; another number is another secret. */
  secretOf(userId: string, secretNumber: number): string;
  /**
   * Why this address can not be used here, in words; null where it may be tried. Names are looked up only
   * when something is sent.
   */
  refusal(url: string): string | null;
  /**
   * Posts JSON, once. Never rejects for what the other side does: that is the answer.
   *
   * @param id the same for every attempt with the same message, by which the receiver knows it again
   */
  post(message: {
    readonly url: string;
    readonly secret: string;
    readonly id: string;
    readonly body: string;
  }): Promise<Delivery>;
}

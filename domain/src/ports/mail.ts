/** One message to one person. */
export interface MailMessage {
  /** E-mail address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** A whole HTML document that loads nothing. */
  readonly html: string;
}

/** Hands messages to whoever delivers them. */
export interface Mail {
  /** Resolves once the message is taken over; rejects where it was not, so that the caller tries again later. */
  send(message: MailMessage): Promise<void>;
  close(): Promise<void>;
}

/** A message that waits in the outbox, since no mail server is set. */
export interface OutboxMessage extends MailMessage {
  readonly id: string;
  /** ISO 8601. */
  readonly sentAt: string;
}

/** Messages of an installation without a mail server, for its administrators to read. */
export interface Outbox {
  /** Newest first, at most `limit`. */
  list(limit: number): Promise<readonly OutboxMessage[]>;
}

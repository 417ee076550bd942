import { randomBytes } from 'node:crypto';
import type { MachineCredentials } from '@quantloom/domain/ports/identity';
import type { IdentityStore } from './store.ts';

export interface MachineClient extends MachineCredentials {
  readonly userId: string;
  readonly scopes: readonly string[];
}

/**
 * Clients that act for a user without his presence. Their secrets are sealed; `client_credentials` is their
 * only grant.
 */
export interface MachineClients {
  create(options: { userId: string; scopes: readonly string[] }): MachineCredentials;
  /** Creates the client or, where it exists, gives it this secret and user. */
  put(client: MachineClient): void;
  find(clientId: string): MachineClient | null;
  remove(clientId: string): void;
}

/** Machine clients in the issuer's file. */
export function createMachineClients({ database, box }: IdentityStore): MachineClients {
  const put = (client: MachineClient): void => {
    database.durable
      .prepare(
        `INSERT INTO identity_clients (client_id, secret_box, user_id, scopes, created_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (client_id) DO UPDATE SET secret_box = excluded.secret_box, user_id = excluded.user_id, scopes = excluded.scopes`,
      )
      .run(
        client.clientId,
        box.seal(client.clientSecret, `client:${client.clientId}`),
        client.userId,
        client.scopes.join(' '),
        Date.now(),
      );
  };
  return {
    create({ userId, scopes }) {
      const clientId = randomBytes(24).toString('base64url');
      const clientSecret = randomBytes(48).toString('base64url');
      put({ clientId, clientSecret, userId, scopes });
      return { clientId, clientSecret };
    },
    put,
    find(clientId) {
      const row = database.durable
        .prepare('SELECT secret_box, user_id, scopes FROM identity_clients WHERE client_id = ?')
        .get(clientId);
      if (!row) return null;
      return {
        clientId,
        clientSecret: box.open(String(row.secret_box), `client:${clientId}`),
        userId: String(row.user_id),
        scopes: String(row.scopes).split(' ').filter(Boolean),
      };
    },
    remove(clientId) {
      database.durable.prepare('DELETE FROM identity_clients WHERE client_id = ?').run(clientId);
    },
  };
}

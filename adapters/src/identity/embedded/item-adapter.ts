import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';
import { errors } from 'oidc-provider';
import type { MachineClients } from './machine-clients.ts';
import { hashOf, type IdentityStore } from './store.ts';

interface ItemRow {
  readonly key: string;
  readonly payload_box: string;
  readonly consumed_at: number | null;
}

/** Used tokens of a session that are kept: whoever brings an older one is refused, too, but the session goes on. */
const USED_TOKENS_KEPT = 5;

const seconds = (): number => Math.floor(Date.now() / 1000);

class ItemAdapter implements Adapter {
  readonly #model: string;
  readonly #store: IdentityStore;

  constructor(model: string, store: IdentityStore) {
    this.#model = model;
    this.#store = store;
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const key = hashOf(id);
    this.#store.database.durable
      .prepare(
        `INSERT INTO identity_items (model, key, payload_box, grant_id, uid, account, expires_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (model, key) DO UPDATE SET payload_box = excluded.payload_box, grant_id = excluded.grant_id,
           uid = excluded.uid, account = excluded.account, expires_at = excluded.expires_at`,
      )
      .run(
        this.#model,
        key,
        this.#store.box.seal(JSON.stringify(payload), `${this.#model}:${key}`),
        payload.grantId ?? null,
        payload.uid ?? null,
        payload.accountId ?? null,
        expiresIn === undefined ? null : seconds() + expiresIn,
      );
  }

  #read(row: ItemRow | undefined): AdapterPayload | undefined {
    if (!row) return undefined;
    const payload = JSON.parse(this.#store.box.open(row.payload_box, `${this.#model}:${row.key}`));
    return row.consumed_at === null ? payload : { ...payload, consumed: row.consumed_at };
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return this.#read(
      this.#store.database.durable
        .prepare('SELECT key, payload_box, consumed_at FROM identity_items WHERE model = ? AND key = ?')
        .get(this.#model, hashOf(id)) as unknown as ItemRow | undefined,
    );
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#read(
      this.#store.database.durable
        .prepare('SELECT key, payload_box, consumed_at FROM identity_items WHERE model = ? AND uid = ?')
        .get(this.#model, uid) as unknown as ItemRow | undefined,
    );
  }

  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  /** Only one of two simultaneous uses wins; the other one is a reuse, which costs the whole family. */
  async consume(id: string): Promise<void> {
    const row = this.#store.database.durable
      .prepare(
        'UPDATE identity_items SET consumed_at = ? WHERE model = ? AND key = ? AND consumed_at IS ' +
          'NULL RETURNING grant_id',
      )
      .get(seconds(), this.#model, hashOf(id));
    if (row) {
      if (this.#model === 'RefreshToken' && typeof row.grant_id === 'string') this.#forgetUsed(row.grant_id);
      return;
    }
    const used = this.#store.database.durable
      .prepare('SELECT grant_id FROM identity_items WHERE model = ? AND key = ?')
      .get(this.#model, hashOf(id));
    if (typeof used?.grant_id === 'string') await this.revokeByGrantId(used.grant_id);
    throw new errors.InvalidGrant('already used');
  }

  #forgetUsed(grantId: string): void {
    this.#store.database.relaxed
      .prepare(
        `DELETE FROM identity_items WHERE rowid IN (
           SELECT rowid FROM identity_items WHERE grant_id = ? AND model = 'RefreshToken' AND consumed_at IS NOT NULL
           ORDER BY rowid DESC LIMIT -1 OFFSET ?)`,
      )
      .run(grantId, USED_TOKENS_KEPT);
  }

  async destroy(id: string): Promise<void> {
    this.#store.database.durable
      .prepare('DELETE FROM identity_items WHERE model = ? AND key = ?')
      .run(this.#model, hashOf(id));
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    this.#store.database.durable.prepare('DELETE FROM identity_items WHERE grant_id = ?').run(grantId);
  }
}

/** Clients are not items: machine clients live in a table of their own, the page's client is in the configuration. */
class ClientAdapter extends ItemAdapter {
  readonly #clients: MachineClients;

  constructor(store: IdentityStore, clients: MachineClients) {
    super('Client', store);
    this.#clients = clients;
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const client = this.#clients.find(id);
    if (!client) return undefined;
    return {
      client_id: client.clientId,
      client_secret: client.clientSecret,
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      token_endpoint_auth_method: 'client_secret_post',
      scope: client.scopes.join(' '),
    };
  }
}

/**
 * Keeps sessions, grants, codes and refresh tokens of `oidc-provider` in SQLite, sealed, and found by the
 * hash of their id.
 */
export function createItemAdapters(store: IdentityStore, clients: MachineClients): AdapterFactory {
  return (model) => (model === 'Client' ? new ClientAdapter(store, clients) : new ItemAdapter(model, store));
}

/** The session that a refresh token or a code belongs to; null where it is unknown. */
export function grantIdOf(store: IdentityStore, model: string, id: string): string | null {
  const row = store.database.durable
    .prepare('SELECT grant_id FROM identity_items WHERE model = ? AND key = ?')
    .get(model, hashOf(id));
  return typeof row?.grant_id === 'string' ? row.grant_id : null;
}

/**
 * Removes what has expired: sign-ins that nobody went on with at once, since anybody can begin any number of
 * them; all else a day later (an expired refresh token that is used again must still be recognised for a while).
 */
export function removeExpired(store: IdentityStore): number {
  const now = seconds();
  const result = store.database.relaxed
    .prepare(
      `DELETE FROM identity_items WHERE expires_at < ?1 OR (expires_at < ?2 AND model = 'Interaction')`,
    )
    .run(now - 86_400, now);
  return Number(result.changes);
}

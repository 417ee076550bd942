import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** What a test bends in an answer. */
export interface Bent {
  readonly origin?: string;
  readonly challenge?: string;
  readonly counter?: number;
  readonly rpId?: string;
  /** Without fingerprint, face or PIN. */
  readonly isUnverified?: boolean;
  /** Whose passkey it says to be; null: it does not say. */
  readonly userHandle?: string | null;
  /** Another attestation than `none`. */
  readonly attestation?: { readonly fmt: string; readonly attStmt: Map<string, unknown> };
}

interface Options {
  readonly challenge: string;
  readonly user?: { readonly id: string };
  readonly rp?: { readonly id: string };
  readonly rpId?: string;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_KEY = 0x40;

const sha256 = (value: string | Buffer) => createHash('sha256').update(value).digest();

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** An authenticator in software for one passkey (ECDSA with P-256), which answers as a browser does. */
export class TestAuthenticator {
  readonly origin: string;
  readonly id: string;
  counter = 0;
  /** Whose it is, as the options for it said. */
  userHandle: string | null = null;
  readonly #rawId = randomBytes(16);
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;

  constructor(origin: string) {
    this.origin = origin;
    this.id = this.#rawId.toString('base64url');
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#privateKey = privateKey;
    this.#publicKey = publicKey;
  }

  /** Answers options for a new passkey. */
  create(optionsJson: string, bent: Bent = {}): string {
    const options = JSON.parse(optionsJson) as Options;
    this.userHandle = options.user?.id ?? null;
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' });
    const key = isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ]),
    );
    const authData = Buffer.concat([
      this.#authData(bent.rpId ?? options.rp?.id ?? '', USER_PRESENT | USER_VERIFIED | HAS_KEY, bent),
      Buffer.alloc(16),
      Buffer.from([0, this.#rawId.length]),
      this.#rawId,
      key,
    ]);
    const { fmt, attStmt } = bent.attestation ?? { fmt: 'none', attStmt: new Map() };
    const attestation = isoCBOR.encode(
      new Map<string, unknown>([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', new Uint8Array(authData)],
      ]) as never,
    );
    return this.#answer({
      clientDataJSON: this.#clientData('webauthn.create', options, bent).toString('base64url'),
      attestationObject: Buffer.from(attestation).toString('base64url'),
    });
  }

  /** Answers options for a proof. */
  get(optionsJson: string, bent: Bent = {}): string {
    const options = JSON.parse(optionsJson) as Options;
    this.counter += 1;
    const clientData = this.#clientData('webauthn.get', options, bent);
    const flags = bent.isUnverified ? USER_PRESENT : USER_PRESENT | USER_VERIFIED;
    const authData = this.#authData(bent.rpId ?? options.rpId ?? '', flags, bent);
    const userHandle = bent.userHandle === undefined ? this.userHandle : bent.userHandle;
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.#privateKey);
    return this.#answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
      ...(userHandle !== null && { userHandle }),
    });
  }

  #answer(response: Readonly<Record<string, string>>): string {
    return JSON.stringify({
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response,
    });
  }

  #clientData(type: string, options: Options, bent: Bent): Buffer {
    const challenge = bent.challenge ?? options.challenge;
    return Buffer.from(
      JSON.stringify({ type, challenge, origin: bent.origin ?? this.origin, crossOrigin: false }),
    );
  }

  #authData(rpId: string, flags: number, bent: Bent): Buffer {
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), uint32(bent.counter ?? this.counter)]);
  }
}

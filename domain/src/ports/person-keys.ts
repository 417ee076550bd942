/** A key under which personal data of one person are written. */
export interface PersonKey {
  /** Stands beside what was written with it; says nothing about the person. */
  readonly id: string;
  /** 32 bytes. */
  readonly bytes: Uint8Array;
}

/** A key as it is handed from one installation to another. */
export interface PersonKeyRecord {
  readonly id: string;
  readonly person: string;
  /** 64 hexadecimal digits. */
  readonly key: string;
}

/**
 * One key for each person, kept apart from the log: what the log says about somebody can be read as long as
 * there is the key, and never again once it is erased.
 */
export interface PersonKeys {
  /**
   * The key of a person, made where there is none, also where another process has erased it; of two
   * simultaneous first calls both get the same. Durable when it resolves.
   */
  keyFor(person: string): Promise<PersonKey>;
  /** A key by its id; null: it was erased, or never here. */
  find(id: string): Promise<Uint8Array | null>;
  /**
   * Forgets every key of a person. Repeating it changes nothing. Another process that has a copy may find it
   * a little longer, for half a minute at most or until it forgets its copies.
   */
  erase(person: string): Promise<void>;
  /** Forgets what this process has copied: a key that was erased anywhere before is not found from here on. */
  forgetCopies(): void;
  /** Every key, for a copy of the installation. */
  all(): AsyncIterable<PersonKeyRecord>;
  /** Takes over keys of another installation; those that are here already stay. */
  add(records: readonly PersonKeyRecord[]): Promise<void>;
  close(): Promise<void>;
}

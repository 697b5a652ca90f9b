/** One blob in a list of a store. */
export interface StoredBlob {
  readonly key: string
  readonly bytes: number
  /** When it was written or last touched, in milliseconds since 1970. */
  readonly usedMs: number
}

/**
 * Blobs under keys. A key is made of names of `[A-Za-z0-9._-]` that do not begin with a dot, joined by slashes. Others
 * may use the same store at the same time: a blob is always read whole, and any blob may be gone at any time.
 */
export interface Blobs {
  /** The most that all blobs together may take; left out when there is no limit. */
  readonly maxBytes?: number
  /** Writes a blob to a new file; false when there is none. */
  get(key: string, path: string): Promise<boolean>
  /** Keeps a copy of a file, in place of what was under the key before. */
  put(key: string, path: string): Promise<void>
  /** The text of a small blob; undefined when there is none. */
  read(key: string): Promise<string | undefined>
  /** Keeps a small text, in place of what was under the key before. */
  write(key: string, text: string): Promise<void>
  /** Marks blobs as used now: a store that is full removes those that were used longest ago. */
  touch(keys: readonly string[]): Promise<void>
  /** Blobs whose keys begin with `prefix`, the last used first. */
  list(prefix: string): Promise<readonly StoredBlob[]>
  /** Removes a blob, if there is one. */
  remove(key: string): Promise<void>
}

/** A store that is open for one render. */
export interface BlobStore extends Blobs {
  /** Called once, after everything else; what is kept stays. */
  close(): Promise<void>
}

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
  /** Limit on the total size of all blobs; left out for no limit. */
  readonly maxBytes?: number
  /** Writes a blob to a new file; false when there is none. */
  get(key: string, path: string): Promise<boolean>
  /** Stores a copy of a file, replacing any blob under the key. */
  put(key: string, path: string): Promise<void>
  /** The text of a small blob; undefined when there is none. */
  read(key: string): Promise<string | undefined>
  /** Stores a small text, replacing any blob under the key. */
  write(key: string, text: string): Promise<void>
  /** Marks blobs as used now: a full store removes the least recently used ones. */
  touch(keys: readonly string[]): Promise<void>
  /** Blobs whose keys begin with `prefix`, the most recently used first; above a thousand, some may be left out. */
  list(prefix: string): Promise<readonly StoredBlob[]>
  /** Removes a blob, if there is one. */
  remove(key: string): Promise<void>
}

/** A store that is open for one render. */
export interface BlobStore extends Blobs {
  /** Called once, after every other call; stored blobs stay. */
  close(): Promise<void>
}

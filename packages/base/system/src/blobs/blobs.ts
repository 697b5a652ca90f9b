/** One blob in a list. */
export interface StoredBlob {
  readonly key: string
  readonly bytes: number
  /** When it was written or last touched, in milliseconds since 1970. */
  readonly usedMs: number
}

/** How a blob is put. */
export interface PutOptions {
  /** MIME type, for those who serve it. */
  readonly type?: string
  readonly signal?: AbortSignal
}

/**
 * Blobs under keys. A key is made of names of `[A-Za-z0-9._-]` that do not begin with a dot, joined by slashes. Others
 * may use the same place at the same time: a blob is always read whole, and any blob may be gone at any time.
 */
export interface Blobs {
  /** Limit on the total size of all blobs; left out for no limit. */
  readonly maxBytes?: number
  /** Writes a blob to a new file; false when there is none. */
  get(key: string, path: string, options?: { readonly signal?: AbortSignal }): Promise<boolean>
  /** Stores a copy of a file, replacing any blob under the key. */
  put(key: string, path: string, options?: PutOptions): Promise<void>
  /** The text of a small blob; undefined when there is none. */
  read(key: string): Promise<string | undefined>
  /** Stores a small text, replacing any blob under the key. */
  write(key: string, text: string): Promise<void>
  /** Marks blobs as used now: a full store removes the least recently used ones. */
  touch(keys: readonly string[]): Promise<void>
  /** Blobs whose keys begin with `prefix`, in any order. */
  list(prefix: string): AsyncIterable<StoredBlob>
  /** Removes blobs, and accepts keys without one. */
  remove(keys: readonly string[]): Promise<void>
}

const NAME = '[A-Za-z0-9_-][A-Za-z0-9._-]{0,200}'
const KEY = new RegExp(`^${NAME}(?:/${NAME}){0,20}$`)

/** Whether a text can be a key. */
export const isBlobKey = (text: string): boolean => KEY.test(text)

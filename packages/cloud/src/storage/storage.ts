import type { Readable } from 'node:stream'
import type { Blobs, StoredBlob, Warning } from '@vid/kernel'

/** How blobs below a prefix are used. */
export interface BlobUse {
  readonly signal: AbortSignal
  /** Called once when used blobs cannot be marked as used. */
  warn?(warning: Warning): void
}

/** How a client gets an object. */
export interface ObjectAddress {
  /** Until when the address works. */
  readonly expiresMs: number
  /** Name that a browser saves it under; shown in place when it is left out. */
  readonly fileName?: string
  /** MIME type. */
  readonly type: string
}

/**
 * Where files of the server are kept: in a folder of one machine, or in an object store for many. Keys are names of
 * `[A-Za-z0-9._-]` that do not begin with a dot, joined by slashes.
 */
export interface Storage {
  /** What it is, in words for the operator. */
  readonly description: string
  /** Keeps a copy of a file; seen whole or not at all. Replaces another one. */
  put(key: string, path: string, options?: { readonly type?: string; readonly signal?: AbortSignal }): Promise<void>
  /** Writes an object to a new file; false when there is none. */
  get(key: string, path: string, options?: { readonly signal?: AbortSignal }): Promise<boolean>
  /** The bytes of an object; undefined when there is none. */
  read(key: string): Promise<Readable | undefined>
  /** The size of an object; undefined when there is none. */
  size(key: string): Promise<number | undefined>
  /** Removes objects; those that are not there are no error. */
  remove(keys: readonly string[]): Promise<void>
  /** Objects whose keys begin with a prefix, in any order. */
  list(prefix: string): AsyncIterable<StoredBlob>
  /** The objects below a prefix, which ends with a slash, as a store of finished segments uses them. */
  blobs(prefix: string, use: BlobUse): Blobs
  /** Address at which a client gets an object without a credential, until it expires. */
  address(key: string, options: ObjectAddress): Promise<string>
  close(): Promise<void>
}

const NAME = '[A-Za-z0-9_-][A-Za-z0-9._-]{0,200}'
const KEY = new RegExp(`^${NAME}(?:/${NAME}){0,20}$`)

/** Whether a text can be a key. */
export const isKey = (text: string): boolean => KEY.test(text)

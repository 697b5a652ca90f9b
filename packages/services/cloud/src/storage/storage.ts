import type { Readable } from 'node:stream'
import type { Blobs } from '@vid/kernel'
import type { Warning } from '@vid/protocol'

/** How blobs below a prefix are used. */
export interface BlobUse {
  readonly signal: AbortSignal
  /** Called once if used blobs cannot be marked as used. */
  warn?(warning: Warning): void
}

/** How a client receives a file. */
export interface FileAddress {
  /** When the address expires, in milliseconds since 1970. */
  readonly expiresMs: number
  /** File name for saving; the browser displays the file if it is left out. */
  readonly fileName?: string
  /** MIME type. */
  readonly type: string
}

/** Stores the server's files as blobs: in a folder of one machine, or in an object store for many. */
export interface Storage extends Blobs {
  /** Describes the storage to the operator. */
  readonly description: string
  /** Returns the bytes of a file; undefined if it does not exist. */
  open(key: string): Promise<Readable | undefined>
  /** Returns the size of a file; undefined if it does not exist. */
  size(key: string): Promise<number | undefined>
  /** The files below a prefix, which ends with a slash, as a segment cache uses them. */
  below(prefix: string, use: BlobUse): Blobs
  /** Returns an address at which a client gets a file without a credential until it expires. */
  address(key: string, options: FileAddress): Promise<string>
  close(): Promise<void>
}

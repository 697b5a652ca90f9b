import type { Readable } from 'node:stream'
import type { Blobs, Warning } from '@vid/kernel'

/** How blobs below a prefix are used. */
export interface BlobUse {
  readonly signal: AbortSignal
  /** Called once when used blobs cannot be marked as used. */
  warn?(warning: Warning): void
}

/** How a client gets a file. */
export interface FileAddress {
  /** Until when the address works. */
  readonly expiresMs: number
  /** Name that a browser saves it under; shown in place when it is left out. */
  readonly fileName?: string
  /** MIME type. */
  readonly type: string
}

/** Where files of the server are kept, as blobs: in a folder of one machine, or in an object store for many. */
export interface Storage extends Blobs {
  /** What it is, in words for the operator. */
  readonly description: string
  /** The bytes of a file; undefined when there is none. */
  open(key: string): Promise<Readable | undefined>
  /** The size of a file; undefined when there is none. */
  size(key: string): Promise<number | undefined>
  /** The files below a prefix, which ends with a slash, as a store of finished segments uses them. */
  below(prefix: string, use: BlobUse): Blobs
  /** Address at which a client gets a file without a credential, until it expires. */
  address(key: string, options: FileAddress): Promise<string>
  close(): Promise<void>
}

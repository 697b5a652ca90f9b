import type { Blobs } from '@vid/system'

export type { Blobs, StoredBlob } from '@vid/system'

/** A store that is open for one render. */
export interface BlobStore extends Blobs {
  /** Called once, after every other call; stored blobs stay. */
  close(): Promise<void>
}

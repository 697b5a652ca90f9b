import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { kindOfFile } from '@vid/edit'
import { readSource } from '@vid/ffmpeg'
import { isMachineFault, type VidError } from '@vid/protocol'
import { createUploadSpace } from '@vid/server'
import type { UploadReply } from '../edit-api.ts'
import { fail } from '../errors.ts'
import { uploadName } from './upload-name.ts'

/** What an operation imports that stands for an upload. */
const PREFIX = 'upload:'

/** All uploads of a preview together may be so many times as large as one. */
const TOTAL = 8

/** Files that a page has sent, until the preview ends: what is staged is copied from them when it is written. */
export interface Uploads {
  /** Keeps a file; nothing of it stays where it cannot be used, or is not sent to its end. */
  receive(name: string, content: Readable, signal: AbortSignal): Promise<UploadReply>
  /** Absolute path of the file that an operation imports; undefined for anything but an upload. */
  fileOf(original: string): string | undefined
}

type Kind = UploadReply['kind']

/** What a file shows, and for how long. */
const readFacts = async (path: string, name: string, kind: Kind, signal: AbortSignal) => {
  if (kind === 'image') return { kind, duration: null }
  const source = await readSource(path, { signal }).catch((cause: unknown) => {
    if (signal.aborted || isMachineFault(cause)) throw cause
    throw fail('VID_PREVIEW_SOURCE', { src: name, needs: 'picture or sound' }, { cause })
  })
  return { kind: source.picture === null ? ('audio' as const) : kind, duration: source.duration }
}

/** Keeps uploads in a folder of its own. */
export const createUploads = (folder: string, maxBytes: number): Uploads => {
  const files = new Map<string, string>()
  const full = (): VidError => fail('VID_PREVIEW_UPLOADS', { bytes: maxBytes * TOTAL })
  const space = createUploadSpace(maxBytes * TOTAL, full)
  return {
    async receive(sentName, content, signal) {
      const name = uploadName(sentName)
      const kind = kindOfFile(name)
      if (kind === undefined || kind === 'composition') throw fail('VID_PREVIEW_UPLOAD', { name })
      const id = randomUUID()
      const path = join(folder, id, name)
      const { stream, release } = space.meter()
      try {
        await mkdir(join(folder, id), { recursive: true, mode: 0o700 })
        await pipeline(content, stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal })
        const facts = await readFacts(path, name, kind, signal)
        files.set(`${PREFIX}${id}`, path)
        return { upload: `${PREFIX}${id}`, name, ...facts }
      } catch (thrown) {
        release()
        await rm(join(folder, id), { recursive: true, force: true })
        throw thrown
      }
    },
    fileOf: (original) => files.get(original),
  }
}

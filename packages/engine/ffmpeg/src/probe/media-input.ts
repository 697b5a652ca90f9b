import { type FileHandle, open } from 'node:fs/promises'
import { describeCause, isMachineFault } from '@vid/protocol'
import { fail } from '../errors.ts'
import { demuxerOf, tagBytes } from './container.ts'

/** Bytes that a container is known by: bare sound may begin late. */
const HEAD_BYTES = 1 << 16

/** Sound files may carry several tags one after the other. */
const MAX_TAGS = 8

const readAt = async (handle: FileHandle, position: number): Promise<Buffer> => {
  const head = Buffer.alloc(HEAD_BYTES)
  const { bytesRead } = await handle.read(head, 0, head.length, position)
  return head.subarray(0, bytesRead)
}

/** Reads the beginning of a file after any ID3 tags. */
const readHead = async (file: string): Promise<Buffer> => {
  await using handle = await open(file)
  let position = 0
  let head = await readAt(handle, 0)
  for (let tags = 0; tags < MAX_TAGS && tagBytes(head) > 0; tags++) {
    position += tagBytes(head)
    head = await readAt(handle, position)
  }
  return head
}

/** Why a file of an unknown container is not read. */
const UNKNOWN =
  'it is in no known container, such as MP4, QuickTime, WebM, Matroska, WAV, MP3, AAC, Ogg or FLAC; a playlist, which names other files, is never followed.'

/** Options of a demuxer that could follow a reference: none is followed. */
const OWN_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  mov: ['-enable_drefs', '0', '-use_absolute_path', '0'],
}

/**
 * Input options of ffmpeg and ffprobe that read one file and nothing else. ffmpeg would choose the demuxer by itself,
 * and take a text of any name for a playlist, whose files it opens anywhere: here the file's own bytes decide.
 * VID_FFMPEG_PROBE when it cannot be read or its container is unknown.
 */
export const mediaInput = async (file: string): Promise<readonly string[]> => {
  const head = await readHead(file).catch((cause: unknown) => {
    if (isMachineFault(cause)) throw cause
    throw fail('VID_FFMPEG_PROBE', { file, reason: describeCause(cause) }, { cause })
  })
  const demuxer = demuxerOf(head)
  if (demuxer === undefined) {
    throw fail('VID_FFMPEG_PROBE', { file, reason: head.length === 0 ? 'it is empty.' : UNKNOWN })
  }
  // The list also binds what a container holds inside: subtitles in an AVI, say, are files of their own.
  const only = ['-f', demuxer, '-format_whitelist', demuxer, '-protocol_whitelist', 'file']
  return [...only, ...(OWN_OPTIONS[demuxer] ?? []), '-i', `file:${file}`]
}

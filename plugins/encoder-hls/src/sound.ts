import { rm } from 'node:fs/promises'
import { aacArgs, findFfmpeg, mediaInput, QUIET, runProcess } from '@vid/ffmpeg'
import { failHls } from './errors.ts'
import { openTracks } from './track.ts'
import type { Source } from './writer.ts'

/** Encodes sound as AAC in an mp4 file. */
const encodeSound = async (wav: string, path: string, signal: AbortSignal): Promise<void> => {
  const { ffmpeg } = await findFfmpeg({ signal })
  const bitexact = ['-map_metadata', '-1', '-flags', '+bitexact', '-fflags', '+bitexact']
  const args = [...(await mediaInput(wav)), '-map', '0:a:0', ...aacArgs, ...bitexact, '-f', 'mp4', '-y', `file:${path}`]
  await runProcess(ffmpeg, [...QUIET, ...args], signal, { strict: true })
}

/** Encodes the sound of a video; `path` is used for a file that has no name any more once it is open. */
export const openSound = async (wav: string, path: string, signal: AbortSignal): Promise<Source> => {
  try {
    await encodeSound(wav, path, signal)
    const { handle, tracks } = await openTracks(path)
    const [track] = tracks
    if (track) return { handle, track }
    await handle.close()
    throw failHls('VID_HLS_SOURCE', { file: path, problem: 'it has no track' })
  } finally {
    await rm(path, { force: true })
  }
}

import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeFrames, findFfmpeg, QUIET, runProcess } from '@vid/ffmpeg'
import { encoderSuite } from '@vid/testkit'
import { playing } from './fixtures/playlists.ts'
import hls from './index.ts'

/** Pictures of a segment, which is a file, or of a folder as a player shows them. */
async function* decode(path: string) {
  if ((await stat(path)).isFile()) yield* decodeFrames(path, { pixFmt: 'rgba' })
  else {
    const folder = await mkdtemp(join(tmpdir(), 'vid-hls-'))
    try {
      const copy = join(folder, 'played.mkv')
      const { ffmpeg } = await findFfmpeg()
      await runProcess(ffmpeg, [...QUIET, ...playing(path), '-map', '0:v:0', '-c', 'copy', copy], undefined)
      yield* decodeFrames(copy, { pixFmt: 'rgba' })
    } finally {
      await rm(folder, { recursive: true })
    }
  }
}

encoderSuite(hls, { decode, request: { quality: 'draft' } })

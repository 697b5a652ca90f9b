import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFfmpeg } from '../../packages/engine/ffmpeg/src/index.ts'

/** The ways in which a video is damaged. */
export const damages = ['declares 2^31 - 1 time stamps', 'is cut off'] as const

/** Bytes of an mp4 of one second in two colours. */
const wholeVideo = async (): Promise<Buffer> => {
  const folder = mkdtempSync(join(tmpdir(), 'vid-damaged-'))
  try {
    const file = join(folder, 'whole.mp4')
    const { ffmpeg } = await findFfmpeg()
    const source = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=30:d=1', '-pix_fmt', 'yuv420p', '-c:v', 'libx264']
    execFileSync(ffmpeg, ['-v', 'error', ...source, file])
    return readFileSync(file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Makes the bytes of a damaged mp4, as strangers send them. */
export const damagedVideo = async (damage: (typeof damages)[number]): Promise<Buffer> => {
  const bytes = await wholeVideo()
  if (damage === 'is cut off') return bytes.subarray(0, bytes.length / 2)
  bytes.writeUInt32BE(0x7fffffff, bytes.indexOf('stts') + 8)
  return bytes
}

/** The composition that shows it. */
export const damagedPage = `<!doctype html><html><body><div data-composition-id="main" data-width="160" data-height="90" data-duration="1" data-no-timeline><video src="a.mp4" data-start="0" data-duration="1" data-track-index="0" muted></video></div></body></html>`

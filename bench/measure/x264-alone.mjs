// The time that x264 needs for frames which are already there: the bar that a render is measured against.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFfmpeg, probeMedia, runProcess } from '@vid/ffmpeg'
import { splitFrames } from '@vid/kernel'
import { checkRequest } from '@vid/protocol'
import { mp4SegmentArgs } from '../../packages/engine/ffmpeg/dist/index.js'
import mp4 from '../../plugins/encoder-mp4/dist/index.js'
import { measureRun } from './measured-run.mjs'

const ramFolder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Encodes the frames of `video` again, as the render of `request` did; only the encoder is timed. */
export const measureX264 = async (video, request, frames, signal) => {
  const { ffmpeg } = await findFfmpeg({ signal })
  const { width, height } = (await probeMedia(video, { signal })).video[0]
  const checked = checkRequest({ projectDir: '.', output: video, ...request })
  const { fps, segmentFrames } = checked
  const encoder = mp4()
  const settings = encoder.settings(checked, encoder.options)
  const raw = mkdtempSync(join(ramFolder, 'vid-bench-'))
  const yuv = join(raw, 'frames.yuv')
  const total = { name: 'x264', wallMs: 0, cpuMs: 0 }
  try {
    for (const segment of splitFrames(frames, segmentFrames)) {
      const range = `trim=start_frame=${segment.start}:end_frame=${segment.start + segment.frames}`
      await runProcess(
        ffmpeg,
        ['-v', 'error', '-y', '-i', video, '-vf', range, '-f', 'rawvideo', '-pix_fmt', 'yuv420p', yuv],
        signal,
      )
      const input = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${width}x${height}`, '-r', `${fps}`, '-i', yuv]
      const output = mp4SegmentArgs('yuv420p', settings, { width, height, fps })
      const run = await measureRun(ffmpeg, ['-v', 'error', '-y', ...input, ...output, join(raw, 'again.mp4')], {
        signal,
      })
      total.wallMs += run.wallMs
      total.cpuMs += run.cpuMs
    }
    return total
  } finally {
    rmSync(raw, { recursive: true, force: true })
  }
}

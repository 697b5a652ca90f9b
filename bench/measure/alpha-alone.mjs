// The time that the encoder of a transparent format needs for frames which are already there, in its own pixel format.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFfmpeg, pngArgs, probeMedia, runProcess } from '@vid/ffmpeg'
import { splitFrames } from '@vid/kernel'
import { checkRequest } from '@vid/protocol'
import mov, { pictureArgs } from '../../plugins/encoder-mov/dist/index.js'
import pngSequence from '../../plugins/encoder-png-sequence/dist/index.js'
import webm, { segmentArgs } from '../../plugins/encoder-webm/dist/index.js'
import { measureRun } from './measured-run.mjs'

const ramFolder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** For each format: its encoder, how a finished video is read, and what is encoded with which options. */
const FORMATS = {
  webm: {
    name: 'libvpx',
    encoder: webm,
    input: (video) => ['-c:v', 'libvpx-vp9', '-i', video],
    pixels: 'yuva420p',
    output: (settings, { width, fps }) => segmentArgs('yuva420p', settings, { width, fps, start: 0 }),
  },
  mov: {
    name: 'prores_ks',
    encoder: mov,
    input: (video) => ['-i', video],
    pixels: 'yuva444p10le',
    output: (settings) => pictureArgs(settings),
  },
  'png-sequence': {
    name: 'png',
    encoder: pngSequence,
    input: (folder, fps) => ['-framerate', `${fps}`, '-i', join(folder, 'frame_%06d.png')],
    pixels: 'rgba',
    output: (settings) => pngArgs(settings),
  },
}

/** Formats that carry alpha and are measured. */
export const alphaFormats = Object.keys(FORMATS)

/** The options without their filter: these frames need no conversion. */
const unfiltered = (args) => {
  const index = args.indexOf('-vf')
  return index < 0 ? args : args.toSpliced(index, 2)
}

/** Encodes the frames of `video` again, as the render of `request` did; only the encoder is timed. */
export const measureAlpha = async (video, request, frames, signal) => {
  const { name, encoder, input, pixels, output } = FORMATS[request.format]
  const { ffmpeg } = await findFfmpeg({ signal })
  const checked = checkRequest({ projectDir: '.', output: video, ...request })
  const { fps, segmentFrames } = checked
  const first = request.format === 'png-sequence' ? join(video, 'frame_000000.png') : video
  const { width, height } = (await probeMedia(first, { signal })).video[0]
  const plugin = encoder()
  const settings = plugin.settings(checked, plugin.options)
  const folder = mkdtempSync(join(ramFolder, 'vid-bench-'))
  const raw = join(folder, 'frames.raw')
  const total = { name, wallMs: 0, cpuMs: 0 }
  const rawArgs = ['-f', 'rawvideo', '-pix_fmt', pixels]
  try {
    for (const { start, frames: count } of splitFrames(frames, segmentFrames)) {
      const range = ['-vf', `trim=start_frame=${start}:end_frame=${start + count}`]
      const decode = [...input(video, fps), ...range, ...rawArgs, raw]
      await runProcess(ffmpeg, ['-v', 'error', '-y', ...decode], signal)
      const source = [...rawArgs, '-s', `${width}x${height}`, '-r', `${fps}`, '-i', raw]
      const again = [...unfiltered(output(settings, { width, fps })), join(folder, 'again')]
      const run = await measureRun(ffmpeg, ['-v', 'error', '-y', ...source, ...again], { signal })
      total.wallMs += run.wallMs
      total.cpuMs += run.cpuMs
    }
    return total
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

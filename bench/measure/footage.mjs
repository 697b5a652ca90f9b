import { existsSync, renameSync } from 'node:fs'
import { findFfmpeg, runProcess } from '@vid/ffmpeg'
import { path } from '../../scripts/workspaces.mjs'

const make = async (file, args, signal) => {
  const { ffmpeg } = await findFfmpeg({ signal })
  const part = file.replace(/(\.\w+)$/, '.part$1')
  await runProcess(ffmpeg, ['-nostdin', '-v', 'error', '-y', ...args, part], signal)
  renameSync(part, file)
}

/** Makes the sources of the footage compositions, which are too large to keep: a moving test picture and a tone. */
export const makeFootage = async (signal) => {
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=1920x1080:rate=30:duration=8']
  const sound = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=8', '-c:a', 'aac']
  const base = path('bench/compositions/footage/base-8s.mp4')
  const codec = ['-c:v', 'libx264', '-crf', '20', '-pix_fmt', 'yuv420p']
  if (!existsSync(base)) await make(base, [...picture, ...codec], signal)
  for (const composition of ['footage', 'footage-still']) {
    const music = path(`bench/compositions/${composition}/music.mp4`)
    if (!existsSync(music)) await make(music, sound, signal)
  }
  // A decoded frame: the drawn one compresses better, and a screenshot of it costs less.
  const frame = path('bench/compositions/footage-still/frame.png')
  if (!existsSync(frame)) await make(frame, ['-ss', '2', '-i', base, '-frames:v', '1'], signal)
  // Each render has a source of its own: none finds frames that one before has extracted.
  const copy = ['-i', base, '-c', 'copy', '-metadata', `comment=${Date.now()}`]
  await make(path('bench/compositions/footage/footage.mp4'), copy, signal)
}

/** Makes the source of the captions in `bench/registry`, unless it is there. */
export const makeClip = async (signal) => {
  const clip = path('bench/registry/video-captions/clip.mp4')
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=1920x1080:rate=30:duration=4']
  if (!existsSync(clip)) await make(clip, [...picture, '-c:v', 'libx264', '-crf', '20', '-pix_fmt', 'yuv420p'], signal)
}

/**
 * What showing the source costs, in CPU milliseconds a frame: the composition with it less the one with a still in its
 * place, each without what its encoders used. Undefined unless both were measured.
 */
export const sourceCost = (results) => {
  const [moving, still] = ['footage', 'footage-still'].map((name) =>
    results.find(({ composition }) => composition === name),
  )
  if (!moving || !still) return undefined
  const beside = ({ cpuMs, encodingCpuMs, frames }) => (cpuMs - encodingCpuMs) / frames
  return beside(moving) - beside(still)
}

import { existsSync, renameSync } from 'node:fs'
import { findFfmpeg, runProcess } from '@vid/ffmpeg'
import { path } from '../workspaces.mjs'

const make = async (file, args, signal) => {
  if (existsSync(file)) return
  const { ffmpeg } = await findFfmpeg({ signal })
  const part = file.replace(/(\.\w+)$/, '.part$1')
  await runProcess(ffmpeg, ['-nostdin', '-v', 'error', '-y', ...args, part], signal)
  renameSync(part, file)
}

/** Makes the source of the footage compositions, which is too large to keep: a moving test picture and a tone. */
export const makeFootage = async (signal) => {
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=1920x1080:rate=30:duration=4']
  const sound = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=4']
  const codecs = ['-c:v', 'libx264', '-crf', '20', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-shortest']
  const footage = path('bench/compositions/footage/footage.mp4')
  await make(footage, [...picture, ...sound, ...codecs], signal)
  // A decoded frame: the drawn one compresses better, and a screenshot of it costs less.
  const frame = ['-ss', '2', '-i', footage, '-frames:v', '1']
  await make(path('bench/compositions/footage-still/frame.png'), frame, signal)
}

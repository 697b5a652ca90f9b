// What the runs render: a small moving picture with a tone, in two segments.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { path } from '../../../scripts/workspaces.mjs'

const SECONDS = 2

/** Writes the project into a folder. */
export const writeProject = (folder, { ffmpeg }) => {
  mkdirSync(folder, { recursive: true })
  const page = readFileSync(path('e2e/projects/frame-number/index.html'), 'utf8').replace(
    'data-duration="4" data-no-timeline>',
    `data-duration="${SECONDS}" data-no-timeline><audio src="tone.wav" data-start="0" data-duration="${SECONDS}"></audio>`,
  )
  writeFileSync(join(folder, 'index.html'), page)
  writeFileSync(join(folder, 'vid.config.json'), JSON.stringify({ render: { segmentFrames: 30 } }))
  const tone = ['-v', 'error', '-f', 'lavfi', '-i', `sine=440:d=${SECONDS}`, '-y', join(folder, 'tone.wav')]
  execFileSync(ffmpeg, tone)
}

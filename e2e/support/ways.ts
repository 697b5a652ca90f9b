import { existsSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { frameHashes } from '@vid/ffmpeg'
import { expect } from 'vitest'
import { colourFrames, differences, type Patch } from './colours.ts'
import { here, scratch, vid, vidInProcess } from './vid.ts'

const segmentConfig = (frames: string) => `{ "render": { "segmentFrames": ${frames} } }`

/** A project that holds these files. */
export const projectOf = async (files: Readonly<Record<string, string | Uint8Array>>): Promise<string> => {
  const project = join(await scratch(), 'project')
  const isConfigured = Object.keys(files).some((name) => name.startsWith('vid.config.'))
  const config: Readonly<Record<string, string>> = isConfigured ? {} : { 'vid.config.json': segmentConfig('30') }
  for (const [name, content] of Object.entries({ ...config, ...files })) {
    const file = join(project, name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  }
  await symlink(here('../node_modules'), join(project, 'node_modules'))
  return project
}

/** Ways to divide the work: what a frame shows must not depend on them. */
const WAYS = [
  { workers: '1', segment: '30' },
  { workers: '3', segment: '7' },
]

/** Renders without loss with 1 and 3 workers and segments of two sizes; gives the frames, which must be the same. */
export const renderAllWays = async (project: string, ...flags: readonly string[]) => {
  const folder = await scratch()
  const hashes = new Set<string>()
  let output = ''
  let stderr = ''
  for (const { workers, segment } of WAYS) {
    output = join(folder, `${workers}.mp4`)
    // A config that is code reads the frames of a segment from the environment.
    const isCode = existsSync(join(project, 'vid.config.mjs'))
    if (!isCode) await writeFile(join(project, 'vid.config.json'), segmentConfig(segment))
    const words = ['render', project, '-o', output, '-w', workers, '--crf', '0', ...flags]
    const run = await (isCode ? vid(words, { env: { E2E_SEGMENT: segment } }) : vidInProcess(words))
    expect(run, run.stderr).toMatchObject({ code: 0 })
    stderr = run.stderr
    hashes.add((await frameHashes(output)).join())
  }
  expect(hashes.size, 'all ways show the same frames').toBe(1)
  return { frames: await colourFrames(output), stderr }
}

/** What is wrong in each frame of 30 a second, when patches tell what a time should show above a row. */
export const compare = (
  frames: readonly Uint8Array[],
  patchesAt: (seconds: number) => readonly Patch[],
  rows = 180,
): string[] =>
  frames.flatMap((frame, n) => {
    const [first] = differences(frame, patchesAt(n / 30), 320, rows)
    return first === undefined ? [] : [`frame ${n}: ${first}`]
  })

/** A patch in one line. */
export const box = (x: number, y: number, w: number, h: number, colour: string): Patch => ({
  x,
  y,
  w,
  h,
  colour,
})

/** Whether a time is in a half-open window. */
export const within = (seconds: number, start: number, end = Number.POSITIVE_INFINITY): boolean =>
  seconds >= start - 1e-6 && seconds < end - 1e-6

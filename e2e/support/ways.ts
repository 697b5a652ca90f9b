import { existsSync } from 'node:fs'
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { frameHashes } from '@vid/ffmpeg'
import type { RenderSettings } from '@vid/render'
import { expect } from 'vitest'
import { colourFrames, differences, type Patch } from './colours.ts'
import { openRenders } from './renders.ts'
import { here, scratch } from './vid.ts'

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
  { workers: 1, segment: '30' },
  { workers: 2, segment: '7' },
]

/** A copy of a project whose config can be written: one that is code would be read once by this process. */
const configurableCopy = async (project: string): Promise<string> => {
  const copy = join(await scratch(), 'project')
  await cp(project, copy, { recursive: true, verbatimSymlinks: true })
  await rm(join(copy, 'vid.config.mjs'))
  if (!existsSync(join(copy, 'node_modules'))) await symlink(here('../node_modules'), join(copy, 'node_modules'))
  return copy
}

/** Renders without loss with 1 and 2 workers and segments of two sizes; gives the frames, which must be the same. */
export const renderAllWays = async (project: string, settings: RenderSettings = {}) => {
  const folder = await scratch()
  const copy = existsSync(join(project, 'vid.config.mjs')) ? await configurableCopy(project) : project
  const hashes = new Set<string>()
  let output = ''
  let stderr = ''
  const { render, close } = await openRenders()
  try {
    for (const { workers, segment } of WAYS) {
      output = join(folder, `${workers}.mp4`)
      await writeFile(join(copy, 'vid.config.json'), segmentConfig(segment))
      stderr = (await render({ projectDir: copy, output, workers, crf: 0, ...settings })).warned
      hashes.add((await frameHashes(output)).join())
    }
  } finally {
    await close()
  }
  expect(hashes.size, 'all ways show the same frames').toBe(1)
  return { frames: await colourFrames(output), stderr }
}

/** What is wrong in each frame, when patches tell what a time should show above a row; 30 a second if left out. */
export const compare = (
  frames: readonly Uint8Array[],
  patchesAt: (seconds: number) => readonly Patch[],
  rows = 180,
  fps = 30,
): string[] =>
  frames.flatMap((frame, n) => {
    const [first] = differences(frame, patchesAt(n / fps), 320, rows)
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

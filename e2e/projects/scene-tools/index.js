// A package of somebody else: a command, a target and an encoder.
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { defineCommand } from '@vid/command'
import { encodeFrames, findFfmpeg } from '@vid/ffmpeg'
import { defineEncoder, defineTarget } from '@vid/kernel'

export const scenes = () =>
  defineCommand({
    path: 'scenes',
    package: 'scene-tools',
    summary: 'Count the scenes of a composition.',
    arguments: [{ name: 'dir', default: '.' }],
    options: {
      from: { kind: 'integer', min: 0, max: 3600, about: 'only scenes that start at this second or later' },
      json: { kind: 'switch', about: 'one JSON object on stdout' },
    },
    run: async ({ arguments: { dir }, options: { from = 0 }, cwd }) => {
      const page = await readFile(join(resolve(cwd, dir), 'index.html'), 'utf8')
      const starts = [...page.matchAll(/data-start="([\d.]+)"/g)].map(([, start]) => Number(start))
      return { scenes: starts.filter((start) => start >= from).length }
    },
    text: ({ scenes }) => `${scenes} scenes`,
  })

export const inTurn = defineTarget({
  name: 'scene-tools-in-turn',
  async run(plan, { signal, renderSegment, join }) {
    const files = []
    for (const { index } of plan.segments) files.push(await renderSegment(index, { signal }))
    return join(files)
  },
})

export const apng = defineEncoder({
  name: 'scene-tools-apng',
  formats: ['apng'],
  accepts: ['rgba', 'png'],
  alpha: true,
  audio: false,
  build: async ({ signal }) => (await findFfmpeg({ signal })).build,
  async encode(frames, segment, { signal }) {
    const outputPath = `${segment.path}.apng`
    const { width, height, fps } = segment.plan
    const outputArgs = () => ['-c:v', 'apng', '-pix_fmt', 'rgba', '-plays', '0', '-f', 'apng']
    await encodeFrames({ frames, width, height, fps, outputArgs, outputPath, signal })
    return { file: outputPath }
  },
})

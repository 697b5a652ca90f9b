import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { definePreset, type Preset } from '@vid/config'
import { defineCapture, defineDelivery, defineTarget, spreadFrames } from '@vid/kernel'
import type { RenderPlan } from '@vid/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder, painter, presetOf } from '../fixtures/project.ts'
import { createRenderer, type RendererOptions } from '../index.ts'

const open = async (cwd: string, presets: readonly Preset[] = presetOf(), more: RendererOptions = {}) => {
  const renderer = await createRenderer({ cwd, env: {}, configFrom: 'cwd', presets, ...more })
  onTestFinished(() => renderer.close())
  return renderer
}

/** The painter, which counts how often its page is opened. */
const counted = () => {
  const seen = { opened: 0 }
  const { build, open: openPage } = painter()
  const capture = defineCapture({
    name: 'fixture-painter',
    build: build as () => Promise<string>,
    open: (plan, context) => {
      seen.opened += 1
      return openPage(plan, context as never)
    },
  })()
  return { capture, seen }
}

test('segments of a plan are rendered on the page of one render, each told of as soon as it is at its path', async () => {
  const cwd = await makeFolder()
  const { capture, seen } = counted()
  const renderer = await open(cwd, presetOf(capture))
  const settings = { projectDir: 'intro', output: 'film.mp4', segmentFrames: 4 }
  const { plans } = await renderer.planRender(settings)
  const plan = plans[0] as RenderPlan
  const opened = seen.opened
  const pathOf = (index: number) => join(cwd, `segment-${index}`)
  const reports: unknown[] = []
  const { segments } = await renderer.renderSegments(settings, {
    plan,
    indexes: [1, 2, 3],
    pathsOf: (index) => [pathOf(index)],
    async onSegment({ index, bytes }) {
      reports.push([index, (await readFile(pathOf(index))).length === bytes])
    },
  })
  // Each is read while the next is encoded, so they can be told of in any order.
  expect(reports.toSorted()).toEqual([
    [1, true],
    [2, true],
    [3, true],
  ])
  expect(segments.map(({ index, frames }) => [index, frames])).toEqual([
    [1, 4],
    [2, 4],
    [3, 3],
  ])
  expect(seen.opened - opened).toBe(1)
  const last = await readFile(pathOf(3))
  expect([...last]).toEqual([12, 13, 14])
})

test('when a finished segment cannot be passed on, the others end with that error', async () => {
  const cwd = await makeFolder()
  const renderer = await open(cwd)
  const settings = { projectDir: 'intro', output: 'film.mp4', segmentFrames: 4 }
  const { plans } = await renderer.planRender(settings)
  const failing = renderer.renderSegments(settings, {
    plan: plans[0] as RenderPlan,
    indexes: [0, 1, 2],
    pathsOf: (index) => [join(cwd, `s${index}`)],
    onSegment: async () => Promise.reject(new Error('the bucket is gone')),
  })
  await expect(failing).rejects.toThrow('the bucket is gone')
})

test('a planner divides the frames, knowing the number of frames', async () => {
  const renderer = await open(await makeFolder())
  const calls: unknown[] = []
  const { plans } = await renderer.planRender(
    { projectDir: 'intro', segmentFrames: 100 },
    {
      split(frames, most) {
        calls.push([frames, most])
        return spreadFrames(frames, 4)
      },
    },
  )
  expect(calls).toEqual([[15, 100]])
  expect(plans[0]?.segments.map(({ frames }) => frames)).toEqual([3, 4, 4, 4])
})

test('on the remote side, target and deliveries are those of the first preset, whatever a config says', async () => {
  const cwd = await makeFolder()
  const refuse = () => {
    throw new Error('nothing is delivered from here')
  }
  const away = defineTarget({ name: 'fixture-away', render: async () => refuse() })()
  const sent = defineDelivery({ name: 'fixture-sent', deliver: async () => refuse() })()
  const team = definePreset({ name: 'team', target: 'away', targets: { away }, deliveries: [sent] })
  const settings = { projectDir: 'intro', output: 'film.mp4', preset: 'team' }
  const here = await open(cwd, [...presetOf(), team])
  expect(await here.canSplit(settings)).toBe(false)
  const far = await open(cwd, [...presetOf(), team], { isRemoteSide: true })
  expect(await far.canSplit(settings)).toBe(true)
  await far.render(settings)
  expect((await readdir(cwd)).sort()).toEqual(['film.mp4', 'intro'])
})

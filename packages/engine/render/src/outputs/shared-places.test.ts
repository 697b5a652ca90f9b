import { readdir } from 'node:fs/promises'
import { basename } from 'node:path'
import { definePreset, type Preset } from '@vid/config'
import { defineDelivery } from '@vid/kernel'
import type { RenderRequest } from '@vid/protocol'
import { expect, test } from 'vitest'
import { makeFolder, presetOf } from '../fixtures/project.ts'
import { openContext, planBatch, planShapes, prepareRender, type RenderSettings, render } from '../index.ts'

/** A project whose results are delivered to the places of a template. */
const start = async (placeOf: (request: RenderRequest) => string) => {
  const delivered: string[] = []
  const depot = defineDelivery({
    name: 'fixture-depot',
    places: (request) => [placeOf(request)],
    deliver: async (_, { outputPath }) => void delivered.push(basename(outputPath)),
  })
  const [standard] = presetOf()
  const presets = [definePreset({ ...standard, name: 'standard', deliveries: [depot()] } as Preset)]
  const cwd = await makeFolder()
  return { cwd, delivered, context: { cwd, env: {}, presets }, signal: new AbortController().signal }
}

const refusal = (place: string) => ({
  code: 'VID_DELIVERY_TWICE',
  fault: 'caller',
  message: expect.stringContaining(place),
})

const byName = ({ output }: RenderRequest) => `depot:${basename(output)}`
const rows = [{ title: 'a' }, { title: 'b' }]

test.each([
  ['one place', () => 'depot:latest', 'out/{title}.mp4', 'depot:latest'],
  ['the name of the file alone', byName, 'out/{title}/film.mp4', 'depot:film.mp4'],
])('rows that a delivery would bring to %s are refused before the first frame', async (_, placeOf, output, place) => {
  const { cwd, context, signal } = await start(placeOf)
  const planning = planBatch({ projectDir: 'intro', rows, output }, await openContext(context), signal)
  await expect(planning).rejects.toMatchObject(refusal(place))
  expect(await readdir(cwd)).not.toContain('out')
})

test('rows with a place each are planned', async () => {
  const { context, signal } = await start(byName)
  const batch = await planBatch(
    { projectDir: 'intro', rows, output: 'out/{title}.mp4' },
    await openContext(context),
    signal,
  )
  expect(batch.rows).toHaveLength(2)
})

test('shapes that a delivery would bring to one place are refused, and have one each by name', async () => {
  const plan = async (placeOf: typeof byName) => {
    const { context, signal } = await start(placeOf)
    const settings: RenderSettings = { projectDir: 'intro', shapes: '1:1,16:9' }
    const prepared = await prepareRender(settings, await openContext(context), { takesShapes: true })
    return planShapes(prepared, settings, signal)
  }
  await expect(plan(() => 'depot:latest')).rejects.toMatchObject(refusal('depot:latest'))
  expect((await plan(byName)).rows.map(({ outputPath }) => basename(outputPath))).toEqual([
    'intro-1x1.mp4',
    'intro-16x9.mp4',
  ])
})

test('one result may have a constant place', async () => {
  const { context, delivered } = await start(() => 'depot:latest')
  await render({ projectDir: 'intro', output: 'a.mp4' }, context)
  expect(delivered).toEqual(['a.mp4'])
})

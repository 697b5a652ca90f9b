import { createHash } from 'node:crypto'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createRenderer, type Renderer, type RenderSettings } from '@vid/render'
import { expect, onTestFinished, test } from 'vitest'
import { writeTone } from '../support/sound.ts'
import { here, scratch } from '../support/vid.ts'

/** A page that keeps state between frames, with a tone; each copy has a folder of its own. */
const makeProject = async (): Promise<string> => {
  const folder = join(await scratch(), 'film')
  await cp(here('projects/stateful'), folder, { recursive: true })
  const file = join(folder, 'index.html')
  const page = await readFile(file, 'utf8')
  const tone = '<audio src="tone.wav" data-start="0.25" data-duration="1"></audio>'
  await writeFile(file, page.replace('<div class="bar" id="moved">', `${tone}<div class="bar" id="moved">`))
  await writeTone(join(folder, 'tone.wav'), 300, 1)
  return folder
}

const digestOf = async (file: string) =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex')

/** A machine: its own folder, its own copy of the project, its own browser. */
const machine = async (original: string, storeDir: string) => {
  const cwd = await scratch()
  const projectDir = join(cwd, `copy-of-${Math.random()}`)
  await cp(original, projectDir, { recursive: true })
  const renderer: Renderer = await createRenderer({
    cwd,
    configFrom: 'cwd',
    storeDir,
    env: { ...process.env, VID_CACHE: 'on' },
  })
  onTestFinished(() => renderer.close())
  return { renderer, settings: { projectDir, output: join(cwd, 'film.mp4') } }
}

test('four machines make the file of one: plan, segments and joining, of a page with state and of sound', async () => {
  const original = await makeProject()
  const look: RenderSettings = { quality: 'draft', fps: 24, segmentFrames: 9 }
  const whole = await machine(original, await scratch())
  await whole.renderer.render({ ...look, ...whole.settings })

  const storeDir = await scratch()
  const shared = await scratch()
  const planner = await machine(original, storeDir)
  const planned = await planner.renderer.planRender({ ...look, ...planner.settings })
  const [plan] = JSON.parse(JSON.stringify(planned.plans)) as typeof planned.plans
  expect(plan).toMatchObject({ composition: { stateful: true }, frames: 36, audio: [{}] })
  if (!plan) return
  const workers = [await machine(original, storeDir), await machine(original, storeDir)] as const
  const segmentFile = (index: number) => join(shared, `segment-${index}`)
  const renderAll = () =>
    Promise.all(
      plan.segments.map(({ index }) => {
        const { renderer, settings } = workers[index % 2 === 0 ? 0 : 1]
        return renderer.renderSegment({ ...look, ...settings }, { plan, index, paths: [segmentFile(index)] })
      }),
    )
  const first = await renderAll()
  expect(first.map(({ frames, reused }) => [frames, reused])).toEqual(Array(4).fill([9, undefined]))
  // Again, as after the lease of a machine expired: all is reused, and nothing changes.
  expect((await renderAll()).map(({ reused }) => reused)).toEqual(Array(4).fill('the same inputs'))

  const joiner = await machine(original, storeDir)
  const finished = { plan, segments: plan.segments.map(({ index }) => [segmentFile(index)] as const) }
  const joined = await joiner.renderer.joinSegments({ ...look, ...joiner.settings }, [finished])
  expect(joined.results[0]).toMatchObject({ frames: 36, durationMs: 1500 })
  expect(await digestOf(joiner.settings.output)).toBe(await digestOf(whole.settings.output))
})

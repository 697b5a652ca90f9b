import { createHash } from 'node:crypto'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createRenderer, type Renderer, type RenderSettings } from '@vid/render'
import { expect, onTestFinished, test } from 'vitest'
import { here, scratch } from '../support/vid.ts'

/** A new copy of the project, as a server unpacks each upload into a folder of its own. */
const copyOf = async (name: string): Promise<string> => {
  const folder = join(await scratch(), name)
  await cp(here('projects/six-scenes'), folder, { recursive: true })
  await rm(join(folder, '.vid'), { recursive: true, force: true })
  return folder
}

const render = async (renderer: Renderer, projectDir: string, more: RenderSettings = {}) => {
  const reused: boolean[] = []
  const output = join(projectDir, '..', 'film.mp4')
  const { warnings } = await renderer.render(
    { projectDir, output, quality: 'draft', fps: 12, segmentFrames: 6, ...more },
    {
      onEvent: (event) => {
        if (event.type === 'segment-complete') reused[event.index] = event.reused !== undefined
      },
    },
  )
  const digest = createHash('sha256')
    .update(await readFile(output))
    .digest('hex')
  return { digest, reused, warnings }
}

test('copies of a project share one store: all of it is reused, and of an edited copy what the edit does not reach', async () => {
  const storeDir = await scratch()
  const renderer = await createRenderer({
    configFrom: 'cwd',
    cwd: storeDir,
    storeDir,
    isolated: true,
    env: { ...process.env, VID_CACHE: 'on' },
  })
  onTestFinished(() => renderer.close())
  const first = await copyOf('first')
  const initial = await render(renderer, first)
  expect([initial.reused.length, initial.reused.filter(Boolean).length]).toEqual([12, 0])
  const again = await render(renderer, await copyOf('second'))
  expect(again).toEqual({ digest: initial.digest, reused: initial.reused.map(() => true), warnings: [] })
  const edited = await copyOf('third')
  const file = join(edited, 'index.html')
  const text = await readFile(file, 'utf8')
  expect(text).toContain('Delta')
  await writeFile(file, text.replace('Delta', 'Dollar'))
  const third = await render(renderer, edited)
  expect(third.digest).not.toBe(initial.digest)
  // Two segments a second, and the fourth scene is the fourth second.
  expect(third.reused).toEqual(initial.reused.map((_, index) => index !== 6 && index !== 7))
  expect(third.digest).toBe((await render(renderer, edited, { cache: false })).digest)
  expect(await readdir(first)).not.toContain('.vid')
  expect(await readdir(join(storeDir, '.vid/cache'))).not.toEqual([])
})

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createRenderer, type Renderer } from '@vid/render'
import { expect, onTestFinished, test } from 'vitest'
import { damagedPage, damagedVideo, damages } from '../../../../../scripts/dev/damaged-media.ts'
import { partOf } from '../../../../../scripts/dev/part-of.ts'
import { makeFolder, openWork } from '../fixtures/work.ts'

/** A renderer that counts how often the project of a render was begun; trials of the worker have projects of their own. */
const counting = (renderer: Renderer, project: string) => {
  const counts = { begun: 0 }
  const render: Renderer['render'] = (settings, ...rest) => {
    if (settings.projectDir === project) counts.begun += 1
    return renderer.render(settings, ...rest)
  }
  return { counts, renderer: { ...renderer, render } }
}

test.each(partOf(damages, 1))(
  'a video that %s is a fault of the composition, which is rendered once',
  async (damage) => {
    const { parts, project, submit, work, end } = await openWork({ 'index.html': damagedPage })
    await writeFile(join(project, 'a.mp4'), await damagedVideo(damage))
    const { counts, renderer } = counting(parts.renderer, project)
    await work({ renderer, spreadSegments: 100 })
    const { status, warnings } = await end(await submit())
    expect([status, warnings.map(({ code }) => code), counts.begun]).toEqual(['completed', ['VID_MEDIA_UNUSABLE'], 1])
  },
)

test.each(partOf(damages, 1))('where media must be whole, a video that %s fails the render at once', async (damage) => {
  const { parts, project, submit, work, end } = await openWork({ 'index.html': damagedPage })
  await writeFile(join(project, 'a.mp4'), await damagedVideo(damage))
  const folder = await makeFolder({ 'vid.config.json': '{ "render": { "strict": true, "workers": 1 } }' })
  const strict = await createRenderer({ cwd: folder, configFrom: 'cwd' })
  onTestFinished(() => strict.close())
  const { counts, renderer } = counting(strict, project)
  const worker = await work({ renderer, spreadSegments: 100 })
  const { status, failure_code } = await end(await submit())
  expect([status, failure_code, counts.begun]).toEqual(['failed', 'VID_MEDIA_STRICT', 1])
  expect(worker.problem()).toBeUndefined()
  expect(await parts.queue.depth()).toEqual({ waiting: 0, active: 0 })
})

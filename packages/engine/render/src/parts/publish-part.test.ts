import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineEncoder } from '@vid/kernel'
import type { RenderPlan } from '@vid/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder, presetOf } from '../fixtures/project.ts'
import { createRenderer } from '../index.ts'

/** An encoder whose publication is a list of the segments' texts. */
const listing = defineEncoder({
  name: 'fixture-listing',
  formats: ['list'],
  accepts: ['rgba'],
  async encode(frames, { path }) {
    let count = 0
    for await (const _ of frames) count += 1
    await writeFile(path, `${count} frames`)
    return { file: path }
  },
  async join(_segments, _audio, { path }) {
    await writeFile(path, 'joined')
    return { path }
  },
  async publish({ folder }) {
    const path = join(folder, 'list.txt')
    const lines: string[] = []
    return {
      index: 'list.txt',
      async add({ file }) {
        lines.push(await readFile(file, 'utf8'))
        await writeFile(path, lines.join('\n'))
      },
      end: () => writeFile(path, [...lines, 'end'].join('\n')),
    }
  },
})()

/** A planned composition of three segments, and a function that publishes some texts as its segments. */
const openPlan = async () => {
  const cwd = await makeFolder()
  const presets = presetOf().map((preset) => ({ ...preset, encoders: [...(preset.encoders ?? []), listing] }))
  const renderer = await createRenderer({ cwd, env: {}, configFrom: 'cwd', presets })
  onTestFinished(() => renderer.close())
  const settings = { projectDir: 'intro', output: 'film.list', format: 'list', segmentFrames: 5 }
  const { plans } = await renderer.planRender(settings)
  const folder = await makeFolder()
  const seen: string[] = []
  const publish = (segments: AsyncIterable<string>, signal?: AbortSignal) =>
    renderer.publishSegments(
      settings,
      {
        plan: plans[0] as RenderPlan,
        folder,
        segments,
        async onSegment(index) {
          seen.push(await readFile(index, 'utf8'))
        },
      },
      { ...(signal && { signal }) },
    )
  const published = async () => {
    const [video = ''] = (await readdir(folder)).filter((name) => name.startsWith('video-'))
    return (await readFile(join(folder, video, 'list.txt'), 'utf8')).split('\n')
  }
  const segment = async (text: string) => {
    const path = join(folder, text)
    await writeFile(path, text)
    return path
  }
  return { publish, published, segment, seen }
}

test('segments of a plan are published as they come, and the video ends with the last of them', async () => {
  const { publish, published, segment, seen } = await openPlan()
  await publish(
    (async function* () {
      yield await segment('one')
      expect(seen).toEqual(['one'])
      yield await segment('two')
    })(),
  )
  expect([seen, await published()]).toEqual([
    ['one', 'one\ntwo'],
    ['one', 'two', 'end'],
  ])
})

test('a publication that is aborted ends its video, and its error is that of the abort', async () => {
  const { publish, published, segment } = await openPlan()
  const stop = new AbortController()
  const publishing = publish(
    (async function* () {
      yield await segment('one')
      stop.abort(new Error('enough'))
      throw stop.signal.reason
    })(),
    stop.signal,
  )
  await expect(publishing).rejects.toMatchObject({ code: 'VID_CANCELLED' })
  expect(await published()).toEqual(['one', 'end'])
})

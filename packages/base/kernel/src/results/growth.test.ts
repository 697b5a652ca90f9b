import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RenderEvent } from '@vid/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { encoder, request, setupOf } from '../fixtures/plugins.ts'
import { createKernel, type DeliveryGrowth, defineDelivery, defineTarget, type KernelSetup, render } from '../index.ts'

/** An encoder whose publication is a list of the files of its segments. */
const publishing = () =>
  encoder({
    publish: async ({ folder }) => {
      const lines: string[] = []
      const write = (more: readonly string[]) => writeFile(join(folder, 'list.txt'), [...lines, ...more].join('\n'))
      return {
        index: 'list.txt',
        async add({ file }) {
          lines.push(await readFile(file, 'utf8'))
          await write([])
        },
        end: () => write(['end']),
      }
    },
  })

/** A delivery that notes its calls, each with the list at that time. */
const growing = (changes: Partial<DeliveryGrowth> = {}, onUpdate = () => {}) => {
  const calls: string[] = []
  const list = async (folder: string) => (await readFile(join(folder, 'list.txt'), 'utf8')).replaceAll('\n', ' ')
  const delivery = defineDelivery({
    name: 'growing-delivery',
    async deliver(_, { outputPath }) {
      calls.push(`deliver ${outputPath}`)
      return 'whole'
    },
    async grow({ outputPath }) {
      calls.push(`grow ${outputPath}`)
      return {
        async update(folder) {
          calls.push(`update ${await list(folder)}`)
          onUpdate()
        },
        async end(folder, signal) {
          calls.push(`end ${await list(folder)}${signal.aborted ? ' too late' : ''}`)
        },
        async finish(_, result) {
          calls.push(`finish ${result.outputPath}`)
          return 'grown'
        },
        ...changes,
      }
    },
  })()
  return { calls, delivery }
}

const events: RenderEvent[] = []
const run = (setup: Partial<KernelSetup>, changes = {}, options = {}) => {
  events.length = 0
  const kernel = createKernel(setupOf({ encoders: [publishing()], ...setup }))
  return render(kernel, { ...request, ...changes }, { onEvent: (event) => events.push(event), ...options })
}
const warnings = () => events.flatMap((event) => (event.type === 'warning' ? [event.warning] : []))

/** Renders each segment when the one before was delivered. */
const waiting = (last?: () => void) => {
  let delivered = () => {}
  const target = defineTarget({
    name: 'waiting-target',
    async run({ segments }, { renderSegment, join: joinAll }) {
      const files = []
      for (const { index } of segments) {
        const update = new Promise<void>((resolve) => {
          delivered = resolve
        })
        files.push(await renderSegment(index))
        await update
        if (index === 1) last?.()
      }
      return joinAll(files)
    },
  })()
  return { target, onUpdate: () => delivered() }
}

test('a delivery gets each published segment, the end, and what is finished', async () => {
  const { target, onUpdate } = waiting()
  const { calls, delivery } = growing({}, onUpdate)
  const result = await run({ target, deliveries: [delivery] })
  expect(calls).toEqual([
    'grow out.list',
    'update 0,1',
    'update 0,1 2,3',
    'update 0,1 2,3 4,5',
    'end 0,1 2,3 4,5 end',
    'finish out.list',
  ])
  expect(result.delivered).toEqual([{ plugin: 'growing-delivery', address: 'grown' }])
  expect(warnings()).toEqual([])
})

test('a render that fails ends what was delivered, and finishes nothing', async () => {
  const { target, onUpdate } = waiting(() => {
    throw new Error('the machine went away')
  })
  const { calls, delivery } = growing({}, onUpdate)
  await expect(run({ target, deliveries: [delivery] })).rejects.toThrow('the machine went away')
  expect(calls).toEqual(['grow out.list', 'update 0,1', 'update 0,1 2,3', 'end 0,1 2,3 end'])
})

test('a render that is stopped ends what was delivered with time of its own', async () => {
  const stop = new AbortController()
  const { target, onUpdate } = waiting(() => stop.abort())
  const { calls, delivery } = growing({}, onUpdate)
  await expect(run({ target, deliveries: [delivery] }, {}, { signal: stop.signal })).rejects.toMatchObject({
    code: 'VID_CANCELLED',
  })
  expect(calls.at(-1)).toMatch(/^end 0,1 2,3( 4,5)? end$/)
})

test('a destination that is away warns, and gets the finished video', async () => {
  const { target, onUpdate } = waiting()
  const update = async () => {
    onUpdate()
    throw new Error('no such host')
  }
  const { calls, delivery } = growing({ update }, onUpdate)
  const { delivered } = await run({ target, deliveries: [delivery] })
  expect(calls).toEqual(['grow out.list', 'end 0,1 2,3 4,5 end', 'finish out.list'])
  expect(delivered).toEqual([{ plugin: 'growing-delivery', address: 'grown' }])
  expect(warnings()).toMatchObject([{ code: 'VID_PLUGIN_FAILED', plugin: 'growing-delivery' }])
})

test('a format that cannot be played before its end is delivered whole, and so are other outputs', async () => {
  const whole = growing()
  await run({ encoders: [encoder()], deliveries: [whole.delivery] })
  expect(whole.calls).toEqual(['deliver out.list'])
  const { target, onUpdate } = waiting()
  const both = growing({}, onUpdate)
  const other = encoder({ name: 'other-encoder', formats: ['other'] })
  await run(
    { target, encoders: [other, publishing()], deliveries: [both.delivery] },
    { format: 'other', output: '/o/a.other', outputs: [{ format: 'list', output: '/o/b.list' }] },
  )
  expect(both.calls.filter((call) => /^(grow|deliver|finish)/.test(call))).toEqual([
    'grow /o/b.list',
    'deliver /o/a.other',
    'finish /o/b.list',
  ])
})

test('a caller who publishes sees the same folder grow', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-growth-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { target, onUpdate } = waiting()
  const { calls, delivery } = growing({}, onUpdate)
  const seen: string[] = []
  await run(
    { target, deliveries: [delivery] },
    {},
    { publish: { folder, onSegment: (index: string) => seen.push(index) } },
  )
  expect(seen).toHaveLength(3)
  expect(await readFile(seen[0] ?? '', 'utf8')).toBe('0,1\n2,3\n4,5\nend')
  expect(calls).toHaveLength(6)
})

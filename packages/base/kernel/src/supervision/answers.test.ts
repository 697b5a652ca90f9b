import { isVidError } from '@vid/protocol'
import { describe, expect, test } from 'vitest'
import { capture, encoder, greyFrames, page, request, setupOf, soundTrack, taps } from '../fixtures/plugins.ts'
import {
  type BlobStore,
  createKernel,
  defineDelivery,
  defineStore,
  defineTarget,
  type KernelHooks,
  type KernelSetup,
  render,
} from '../index.ts'

const endingOf = (setup: Partial<KernelSetup>, changes: object = {}) =>
  render(createKernel(setupOf(setup)), { ...request, ...changes }).then(
    (result) => result,
    (error: unknown) => (isVidError(error) ? error.toJSON() : error),
  )

/** What a plugin may answer although nobody asked for it. */
const junk: Readonly<Record<string, unknown>> = { 'an object': { nope: 1 }, 'a number': 7, 'a list': [] }

const store = (answer: unknown) => defineStore({ name: 'odd', open: async () => answer as BlobStore })()

const full: BlobStore = {
  get: async () => false,
  put: async () => {},
  read: async () => undefined,
  write: async () => {},
  touch: async () => {},
  async *list() {},
  remove: async () => {},
  close: async () => {},
}

/** A tap that uses the store, as the reuse of segments does. */
const storeUser = taps('store-user', (hooks) =>
  hooks.segment.tapPromise('store-user', async (task) => {
    const blobs = await task.openStore?.()
    await blobs?.get('key', '/nowhere')
    await blobs?.read('key')
    return undefined
  }),
)

/** A tap that answers a hook. */
const tap = (hook: keyof KernelHooks, answer: unknown): Partial<KernelSetup> => ({
  plugins: [taps('odd', (hooks) => hooks[hook].tap('odd', () => answer as never))],
})

/** Whoever may answer, with the hook that the error names. */
const answering: Readonly<Record<string, readonly [string, (answer: unknown) => Partial<KernelSetup>]>> = {
  ...Object.fromEntries(
    (['execute', 'capture', 'segment', 'encode', 'join'] as const).map((hook) => [
      `a tap of ${hook}`,
      [hook, (answer: unknown) => tap(hook, answer)] as const,
    ]),
  ),
  'a tap of mix': [
    'mix',
    (answer) => ({
      plugins: [
        taps('odd', (hooks) => {
          hooks.plan.tap('odd', (plan) => ({ ...plan, audio: [soundTrack] }))
          hooks.mix.tap('odd', () => answer as never)
        }),
      ],
    }),
  ],
  'capture.open': ['capture', (answer) => ({ capture: capture({ name: 'odd', open: async () => answer } as object) })],
  'session.probe': [
    'capture',
    (answer) => ({
      capture: capture({ name: 'odd', open: async () => page({ probe: async () => answer as never }) } as object),
      plugins: [
        taps('prober', (hooks) =>
          hooks.plan.tapPromise('prober', async (plan, { probe }) => {
            await probe(plan)
            return plan
          }),
        ),
      ],
    }),
  ],
  'encoder.encode': [
    'encode',
    (answer) => ({ encoders: [encoder({ name: 'odd', encode: async () => answer as never })] }),
  ],
  'encoder.join': ['join', (answer) => ({ encoders: [encoder({ name: 'odd', join: async () => answer as never })] })],
  'target.run': [
    'execute',
    (answer) => ({ target: defineTarget({ name: 'odd', run: async () => answer as never })() }),
  ],
  'delivery.deliver': [
    'deliver',
    (answer) => ({ deliveries: [defineDelivery({ name: 'odd', deliver: async () => answer as never })()] }),
  ],
  'store.open': ['store', (answer) => ({ store: store(answer), plugins: [storeUser] })],
  'store.get': [
    'store',
    (answer) => ({ store: store({ ...full, get: async () => answer as never }), plugins: [storeUser] }),
  ],
  'store.read': [
    'store',
    (answer) => ({ store: store({ ...full, read: async () => answer as never }), plugins: [storeUser] }),
  ],
}

describe('an answer that nobody asked for is refused, and names the plugin', () => {
  test.each(Object.entries(answering))('of %s', async (_, [hook, setupFor]) => {
    for (const [what, answer] of Object.entries(junk))
      expect(await endingOf(setupFor(answer)), what).toMatchObject({
        code: 'VID_ANSWER_WRONG',
        plugin: 'odd',
        hook,
        message: expect.stringContaining('odd'),
      })
  })

  test.each(['capture.open', 'session.probe', 'encoder.encode', 'encoder.join', 'target.run'])(
    'of %s, also if it is none',
    async (place) => {
      const [hook, setupFor] = answering[place] ?? []
      for (const nothing of [undefined, null])
        expect(await endingOf(setupFor?.(nothing) ?? {})).toMatchObject({
          code: 'VID_ANSWER_WRONG',
          plugin: 'odd',
          hook,
        })
    },
  )

  test('of a tap of resolve or source', async () => {
    for (const answer of [7, 'x', []])
      expect(await endingOf(tap('resolve', answer))).toMatchObject({
        code: 'VID_ANSWER_WRONG',
        plugin: 'odd',
        hook: 'resolve',
      })
    const asking = taps('asking', (hooks) =>
      hooks.plan.tapPromise('asking', async (plan, { sources }) => {
        await sources.file('a.mp4')
        return plan
      }),
    )
    const setup = tap('source', { nope: 1 })
    expect(await endingOf({ plugins: [...(setup.plugins ?? []), asking] })).toMatchObject({
      code: 'VID_ANSWER_WRONG',
      plugin: 'odd',
      hook: 'source',
    })
  })
})

test.each([
  ['an object of something else', () => ({ nope: 1 })],
  ['a number', () => 7],
  ['a plan with a wrong value', (plan: object) => ({ ...plan, frames: 'many' })],
])('a tap of plan that makes %s of the plan is named, not the tap after it', async (_, change) => {
  const odd = taps('odd', (hooks) => hooks.plan.tap({ name: 'odd', stage: -1 }, (plan) => change(plan) as never))
  expect(await endingOf({ plugins: [odd] })).toMatchObject({
    code: 'VID_PLAN_INVALID',
    plugin: 'odd',
    hook: 'plan',
    message: expect.stringContaining('after odd has changed it'),
  })
})

test('a target of whole requests that brings nothing is named', async () => {
  for (const nothing of [undefined, null, { artifact: 7 }]) {
    const target = defineTarget({ name: 'odd', render: async () => nothing as never })()
    expect(await endingOf({ target })).toMatchObject({
      code: expect.stringMatching(/^VID_(?:ANSWER_WRONG|TARGET_RESULT)$/),
      plugin: 'odd',
      hook: 'request',
    })
  }
})

test('a target that brings fewer files than outputs has brought a wrong result', async () => {
  const target = defineTarget({
    name: 'odd',
    async run({ segments }, { renderSegment, join }) {
      const files = []
      for (const { index } of segments) files.push(await renderSegment(index))
      const { path } = await join(files)
      return { path }
    },
  })
  const outputs = [{ format: 'list', output: 'other.list' }]
  expect(await endingOf({ target: target() }, { outputs })).toMatchObject({
    code: 'VID_ANSWER_WRONG',
    plugin: 'odd',
    hook: 'execute',
    message: expect.stringContaining('expected 2 artifacts; got 1'),
  })
})

test.each<[string, unknown]>([
  ['null', null],
  ['a number', 7],
  ['a frame without data', { index: 0, format: 'rgba' }],
  ['a frame whose data is a list', { index: 0, format: 'rgba', data: [1, 2] }],
  ['a frame of another size', { index: 0, format: 'rgba', data: new Uint8Array(3) }],
  ['a frame of another format', { index: 0, format: 'jpeg', data: new Uint8Array(16) }],
])('%s among the frames names the capture engine', async (_, frame) => {
  async function* frames() {
    yield frame as never
  }
  const odd = capture({ name: 'odd', open: async () => page({ frames }) } as object)
  expect(await endingOf({ capture: odd })).toMatchObject({ code: 'VID_FRAMES_WRONG', plugin: 'odd' })
})

test.each([
  ['nothing', undefined],
  ['a number', 7],
  ['something whose steps are none', { [Symbol.asyncIterator]: () => ({ next: async () => 5 }) }],
])('%s in place of the frames names the capture engine', async (_, answer) => {
  const odd = capture({ name: 'odd', open: async () => page({ frames: () => answer as never }) } as object)
  expect(await endingOf({ capture: odd })).toMatchObject({
    code: expect.stringMatching(/^VID_(?:ANSWER_WRONG|PLUGIN_FAILED)$/),
    plugin: 'odd',
    hook: 'capture',
  })
})

describe('a hook that does not exist', () => {
  test('is named with the plugin that taps it, and the one that was meant', async () => {
    const odd = taps('odd', (hooks) =>
      (hooks as never as { plans: KernelHooks['plan'] }).plans.tap('odd', (plan) => plan),
    )
    expect(await endingOf({ plugins: [odd] })).toMatchObject({
      code: 'VID_TAP_REFUSED',
      plugin: 'odd',
      hook: 'plans',
      message: expect.stringContaining('known hooks: resolve, plan'),
    })
  })

  test('may be looked for, by a plugin for several versions of the kernel', async () => {
    const careful = taps('careful', (hooks) => {
      ;(hooks as { readonly later?: KernelHooks['plan'] }).later?.tap('careful', (plan) => plan)
    })
    expect(await endingOf({ plugins: [careful] })).toMatchObject({ frames: 6 })
  })
})

test('answers that are asked for pass', async () => {
  const address = defineDelivery({ name: 'address', deliver: async () => 's3://films/out.list' })
  const silent = defineDelivery({ name: 'silent', deliver: async () => {} })
  const setup = { deliveries: [address(), silent()], store: store(full), plugins: [storeUser] }
  expect(
    await endingOf({ ...setup, capture: capture({ open: async () => page({ frames: greyFrames }) }) }),
  ).toMatchObject({
    frames: 6,
    delivered: [{ plugin: 'address', address: 's3://films/out.list' }],
  })
})

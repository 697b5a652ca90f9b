import { setImmediate } from 'node:timers'
import { isVidError } from '@vid/protocol'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { capture, encoder, greyFrames, page, request, setupOf, taps } from '../fixtures/plugins.ts'
import {
  type BlobStore,
  createKernel,
  defineDelivery,
  defineStore,
  defineTarget,
  type KernelSetup,
  render,
} from '../index.ts'

const circle = new Error('its cause is itself')
circle.cause = circle

const unreadable = Object.defineProperty(new Error(), 'message', {
  get() {
    throw new Error('no')
  },
})

const list: { self?: unknown } = {}
list.self = list

/** What a plugin may throw although it is no error, or none that can be read. */
const oddities: Readonly<Record<string, unknown>> = {
  null: null,
  undefined: undefined,
  'a string': 'x',
  'a number': 0,
  'a bigint': 1n,
  'a symbol': Symbol('x'),
  'an object with a getter that throws': {
    get reason() {
      throw new Error('no')
    },
  },
  'an object that holds itself': list,
  'an error whose message throws': unreadable,
  'an error that causes itself': circle,
  'an object without a prototype': Object.create(null),
  'a frozen error': Object.freeze(new Error('frozen')),
}

const target = (run: () => Promise<never>) => defineTarget({ name: 'odd', run })()
const deliver = (run: () => Promise<never>) => defineDelivery({ name: 'odd', deliver: run })()

/** Every hook and method of a role, with a plugin that fails in it. */
const places: Readonly<Record<string, (fail: () => never) => Partial<KernelSetup>>> = {
  setup: (fail) => ({ plugins: [taps('odd', fail)] }),
  ...Object.fromEntries(
    (['resolve', 'plan', 'execute', 'segment', 'capture', 'encode', 'join', 'verify', 'deliver', 'done'] as const).map(
      (hook) => [
        `a tap of ${hook}`,
        (fail: () => never) => ({ plugins: [taps('odd', (hooks) => hooks[hook].tap('odd', fail))] }),
      ],
    ),
  ),
  'a tap of progress': (fail) => ({ plugins: [taps('odd', (hooks) => hooks.progress.tap('odd', fail))] }),
  'capture.build': (fail) => ({ capture: capture({ name: 'odd', build: async () => fail() } as object) }),
  'capture.open': (fail) => ({ capture: capture({ name: 'odd', open: async () => fail() } as object) }),
  'session.probe': (fail) => ({
    capture: capture({ name: 'odd', open: async () => page({ probe: async () => fail() }) } as object),
    plugins: [
      taps('prober', (hooks) =>
        hooks.plan.tapPromise('prober', async (plan, { probe }) => {
          await probe(plan)
          return plan
        }),
      ),
    ],
  }),
  'session.frames': (fail) => ({
    capture: capture({ name: 'odd', open: async () => page({ frames: () => fail() }) } as object),
  }),
  'a frame': (fail) => ({
    capture: capture({
      name: 'odd',
      open: async () =>
        page({
          async *frames(range) {
            yield* greyFrames({ ...range, frames: 1 })
            fail()
          },
        }),
    } as object),
  }),
  'encoder.build': (fail) => ({ encoders: [encoder({ name: 'odd', build: async () => fail() })] }),
  'encoder.settings': (fail) => ({ encoders: [encoder({ name: 'odd', settings: () => fail() })] }),
  'encoder.encode': (fail) => ({ encoders: [encoder({ name: 'odd', encode: async () => fail() })] }),
  'encoder.join': (fail) => ({ encoders: [encoder({ name: 'odd', join: async () => fail() })] }),
  'encoder.verify': (fail) => ({ encoders: [encoder({ name: 'odd', verify: async () => fail() })] }),
  'target.run': (fail) => ({ target: target(async () => fail()) }),
  'delivery.deliver': (fail) => ({ deliveries: [deliver(async () => fail())] }),
}

const ending = (setup: Partial<KernelSetup>) =>
  render(createKernel(setupOf(setup)), request).then(
    () => undefined,
    (error: unknown) => error,
  )

describe('whatever a plugin throws, the error has a code and names it', () => {
  test.each(Object.entries(places))('in %s', async (_, setupFor) => {
    for (const [what, thrown] of Object.entries(oddities)) {
      const error = await ending(
        setupFor(() => {
          throw thrown
        }),
      )
      expect(isVidError(error) && error.toJSON(), what).toMatchObject({
        code: 'VID_PLUGIN_FAILED',
        plugin: 'odd',
        message: expect.stringContaining('odd'),
      })
    }
  })
})

const store = (changes: Partial<BlobStore>) =>
  defineStore({
    name: 'odd-store',
    open: async () =>
      ({
        get: async () => false,
        put: async () => {},
        read: async () => undefined,
        write: async () => {},
        touch: async () => {},
        list: async function* () {},
        remove: async () => {},
        close: async () => {},
        ...changes,
      }) as unknown as BlobStore,
  })()

/** A tap that opens the store, as the reuse of segments does. */
const storeUser = taps('store-user', (hooks) =>
  hooks.segment.tapPromise('store-user', async (task) => {
    await task.openStore?.()
    return undefined
  }),
)

describe('a close that never settles', () => {
  afterEach(() => void vi.useRealTimers())

  const never = () => new Promise<never>(() => {})
  test.each<[string, string, Partial<KernelSetup>]>([
    ['of a page', 'grey-capture', { capture: capture({ open: async () => page({ close: never }) }) }],
    ['of a store', 'odd-store', { store: store({ close: never }), plugins: [storeUser] }],
  ])('%s is a warning that names the plugin, and the file is made', async (_, plugin, setup) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const rendering = render(createKernel(setupOf(setup)), request)
    const settled = vi.fn()
    rendering.then(settled, settled)
    while (!settled.mock.calls.length) {
      await new Promise((resolve) => setImmediate(resolve))
      await vi.advanceTimersByTimeAsync(1_000)
    }
    expect((await rendering).warnings).toContainEqual(expect.objectContaining({ code: 'VID_PLUGIN_STALLED', plugin }))
  })

  test('of a page whose frames failed does not hide that failure, nor keep the render', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const broken = capture({
      open: async () =>
        page({
          close: never,
          frames: () => {
            throw new Error('crashed')
          },
        }),
    })
    const failing = ending({ capture: broken })
    const settled = vi.fn()
    void failing.then(settled)
    while (!settled.mock.calls.length) {
      await new Promise((resolve) => setImmediate(resolve))
      await vi.advanceTimersByTimeAsync(1_000)
    }
    expect(await failing).toMatchObject({
      code: 'VID_PLUGIN_FAILED',
      message: expect.stringContaining('crashed'),
    })
  })
})

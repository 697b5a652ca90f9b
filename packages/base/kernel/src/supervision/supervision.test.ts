import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { defineErrors } from '@vid/protocol'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { capture, checked, encoder, greyFrames, page, request, setupOf, taps } from '../fixtures/plugins.ts'
import { createKernel, type KernelSetup, render } from '../index.ts'

const fail = defineErrors({
  VID_OWN: (_: object) => ({ message: 'its own words', hint: 'its own hint', fault: 'render' }),
})

const failureOf = (setup: Partial<KernelSetup>, options = {}) =>
  render(createKernel(setupOf(setup)), request, options).then(
    () => {
      throw new Error('the render succeeded')
    },
    (error: unknown) => error,
  )

const brokenFrames = (thrown: unknown) =>
  capture({
    open: async () =>
      page({
        async *frames(range) {
          yield* greyFrames({ ...range, frames: 1 })
          throw thrown
        },
      }),
  })

describe('blame', () => {
  test('an error names the plugin and the hook that threw it, with its cause', async () => {
    const cause = new Error('disk full')
    const setup = { encoders: [encoder({ encode: () => Promise.reject(cause) })] }
    expect(await failureOf(setup)).toMatchObject({
      code: 'VID_PLUGIN_FAILED',
      plugin: 'list-encoder',
      hook: 'encode',
      cause,
      message: expect.stringContaining('disk full'),
    })
  })

  test('a coded error keeps its code, and the innermost plugin keeps the blame', async () => {
    const setup = { encoders: [encoder({ encode: () => Promise.reject(fail('VID_OWN', {})) })] }
    expect(await failureOf(setup)).toMatchObject({ code: 'VID_OWN', plugin: 'list-encoder', hook: 'encode' })
  })

  test('a capture that crashes is blamed, not the encoder that was reading', async () => {
    expect(await failureOf({ capture: brokenFrames(new Error('crashed')) })).toMatchObject({
      plugin: 'grey-capture',
      hook: 'capture',
    })
  })

  test('a capture is blamed also when the encoder makes another error of it', async () => {
    const wrapping = encoder({
      async encode(frames, { path }) {
        try {
          for await (const _ of frames);
        } catch (cause) {
          throw new Error('ffmpeg died', { cause })
        }
        return { file: path }
      },
    })
    expect(await failureOf({ capture: brokenFrames(fail('VID_OWN', {})), encoders: [wrapping] })).toMatchObject({
      code: 'VID_OWN',
      plugin: 'grey-capture',
    })
  })

  test('a failing observer is blamed, not the frames that it watched', async () => {
    const watcher = taps('watcher', (hooks) => {
      hooks.progress.tap('watcher', ({ type }) => {
        if (type === 'render-progress') throw new Error('no terminal')
      })
    })
    expect(await failureOf({ plugins: [watcher] })).toMatchObject({ plugin: 'watcher', hook: 'progress' })
  })

  test('an observer of failures that fails itself does not hide the first one', async () => {
    const observer = taps('observer', (hooks) => {
      hooks.failed.tapPromise('observer', () => Promise.reject(new Error('webhook down')))
    })
    const setup = { plugins: [observer], capture: brokenFrames(new Error('crashed')) }
    const onEvent = vi.fn()
    expect(await failureOf(setup, { onEvent })).toMatchObject({ plugin: 'grey-capture' })
    expect(onEvent).toHaveBeenCalledWith({
      type: 'warning',
      renderId: expect.any(String),
      warning: expect.objectContaining({ message: expect.stringContaining('webhook down') }),
    })
  })
})

describe('taps', () => {
  const tapping = (setup: Parameters<typeof taps>[1]) => failureOf({ plugins: [taps('tapper', setup)] })

  test('`before` is refused, since tapable sends a name it does not know to the front', async () => {
    const error = await tapping((hooks) => hooks.plan.tap({ name: 'tapper', before: 'typo' }, (plan) => plan))
    expect(error).toMatchObject({ code: 'VID_TAP_REFUSED', plugin: 'tapper', hook: 'plan' })
    expect(String(error)).toContain('typo')
  })

  test('callbacks are refused', async () => {
    const error = await tapping((hooks) => hooks.plan.tapAsync('tapper', (plan, _, done) => done(null, plan)))
    expect(error).toMatchObject({ code: 'VID_TAP_REFUSED' })
  })

  test('a tap after the start is refused', async () => {
    const error = await tapping((hooks) => {
      hooks.resolve.tap('tapper', (variables) => {
        hooks.plan.tap('tapper', (plan) => plan)
        return variables
      })
    })
    expect(error).toMatchObject({ code: 'VID_TAP_REFUSED', plugin: 'tapper', hook: 'plan' })
  })

  test('a setup that taps later, after an await, is refused', async () => {
    const error = await tapping(async () => {})
    expect(error).toMatchObject({ code: 'VID_TAP_REFUSED', plugin: 'tapper', hook: 'setup' })
  })

  test('taps run by stage, and within one by registration', async () => {
    const order: string[] = []
    const tapAt = (name: string, stage: number) =>
      taps(name, (hooks) => {
        hooks.done.tap({ name, stage }, () => void order.push(name))
      })
    const plugins = [tapAt('late', 10), tapAt('first', 0), tapAt('second', 0), tapAt('early', -10)]
    await render(createKernel(setupOf({ plugins })), request)
    expect(order).toEqual(['early', 'first', 'second', 'late'])
    const run = await createKernel(setupOf({ plugins })).open(request)
    onTestFinished(() => run.close())
    expect(run.taps().flatMap(({ hook, plugin }) => (hook === 'done' ? [plugin] : []))).toEqual(order)
  })

  test.each([null, undefined])('%s is no answer: the next tap is asked, a value passes on', async (nothing) => {
    const silent = taps('silent', (hooks) => {
      hooks.capture.tap('silent', () => nothing as undefined)
      hooks.encode.tapPromise('silent', async () => nothing as undefined)
      hooks.plan.tap('silent', () => nothing as never)
    })
    expect(await render(createKernel(setupOf({ plugins: [silent] })), request)).toMatchObject({ frames: 6 })
  })

  test('a plugin that answers a hook does so in place of the one that has the role', async () => {
    const stand = taps('stand-in', (hooks) => {
      hooks.capture.tap('stand-in', () => page())
    })
    const open = vi.fn()
    await render(createKernel(setupOf({ plugins: [stand], capture: capture({ open }) })), request)
    expect(open).not.toHaveBeenCalled()
  })
})

describe('waiting', () => {
  afterEach(() => void vi.useRealTimers())

  test('a tap that never settles is named, and the process does not exit with 0', async () => {
    const program = fileURLToPath(new URL('../fixtures/stalled-tap.mjs', import.meta.url))
    const { code, said } = await new Promise<{ code: unknown; said: string }>((resolve) => {
      execFile(process.execPath, [program], (error, _, said) => resolve({ code: error?.code ?? 0, said }))
    })
    expect(said).toContain('VID_PLUGIN_STALLED silent-plugin done')
    expect(code).toBe(1)
  })

  test.each([
    ['an encoder', 'list-encoder', { encoders: [encoder({ encode: () => new Promise(() => {}) })] }],
    ['a page that opens', 'grey-capture', { capture: capture({ open: () => new Promise(() => {}) }) }],
    [
      'a page that is read',
      'grey-capture',
      {
        capture: capture({
          open: async () =>
            page({
              frames: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }),
            }),
        }),
      },
    ],
  ])('%s that ignores an abort is named once it has had its time', async (_, plugin, setup) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const stop = new AbortController()
    let started = () => {}
    const executing = new Promise<void>((resolve) => {
      started = resolve
    })
    const starter = taps('starter', (hooks) => {
      hooks.execute.tap('starter', () => {
        // After the tap has handed over to the run of the segments.
        setImmediate(() => setImmediate(started))
        return undefined
      })
    })
    const failure = failureOf({ ...setup, plugins: [starter] }, { signal: stop.signal })
    await executing
    stop.abort()
    const settled = vi.fn()
    void failure.then(settled)
    while (!settled.mock.calls.length) await vi.advanceTimersByTimeAsync(1_000)
    expect(await failure).toMatchObject({ code: 'VID_PLUGIN_STALLED', plugin })
  })

  test('an abort ends as cancelled, whatever the plugins throw', async () => {
    const stop = new AbortController()
    const aborting = encoder({
      async encode(frames, { path }) {
        for await (const _ of frames) stop.abort()
        return { file: path }
      },
    })
    const error = await failureOf({ encoders: [aborting] }, { signal: stop.signal })
    expect(error).toMatchObject({ code: 'VID_CANCELLED' })
  })

  test('nothing is started for an aborted signal', async () => {
    const open = vi.fn()
    const error = await failureOf({ capture: capture({ open }) }, { signal: AbortSignal.abort() })
    expect(error).toMatchObject({ code: 'VID_CANCELLED' })
    expect(open).not.toHaveBeenCalled()
  })
})

test('the time of every plugin in every hook is measured, and an encoder is not charged for waiting', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const slow = capture({
    open: async () =>
      page({
        async *frames(range) {
          for await (const frame of greyFrames(range)) {
            vi.advanceTimersByTime(60)
            yield frame
          }
        },
      }),
  })
  const kernel = createKernel(setupOf({ capture: slow }))
  const run = await kernel.open(request)
  onTestFinished(() => run.close())
  const plan = await run.plan(checked())
  await run.renderSegment(plan, 0)
  const ms = (plugin: string, hook: string) =>
    run.timings().find((timing) => timing.plugin === plugin && timing.hook === hook)?.ms ?? Number.NaN
  const frames = plan.segments[0]?.frames ?? Number.NaN
  expect([ms('grey-capture', 'capture'), ms('list-encoder', 'encode')]).toEqual([frames * 60, 0])
  expect(run.timings()).toContainEqual(expect.objectContaining({ plugin: 'test-composition', hook: 'plan', calls: 1 }))
})

test('unusable plugins are refused, and the error names them', () => {
  const { apiVersion: _, ...unversioned } = encoder()
  const refusals: [KernelSetup['encoders'], string, RegExp][] = [
    [[{ ...encoder(), apiVersion: 99 }], 'VID_PLUGIN_API_VERSION', /list-encoder has apiVersion 99.*needs 1/],
    [[unversioned as never], 'VID_PLUGIN_API_VERSION', /undefined/],
    [[encoder({ formats: [] })], 'VID_PLUGIN_INVALID', /encoder for no format/],
    [[encoder(), encoder()], 'VID_PLUGIN_INVALID', /list-encoder.*same name/],
    [[{ ...encoder(), encode: undefined } as never], 'VID_PLUGIN_INVALID', /no encode\(\)/],
    [[{ ...encoder(), role: 'muxer' } as never], 'VID_PLUGIN_INVALID', /role is "muxer"/],
    [[undefined as never], 'VID_PLUGIN_INVALID', /no name/],
    [[encoder({ name: '' })], 'VID_PLUGIN_INVALID', /no name/],
  ]
  for (const [encoders, code, message] of refusals) {
    const make = () => createKernel(setupOf({ encoders }))
    expect(make).toThrow(expect.objectContaining({ code }))
    expect(make).toThrow(message)
  }
})

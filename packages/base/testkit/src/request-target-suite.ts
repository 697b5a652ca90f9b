import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineCapture, defineDelivery, render } from '@vid/kernel'
import { checkRequest, type ErrorData, isVidError, type RenderEvent } from '@vid/protocol'
import { describe, expect, test } from 'vitest'
import { compositionStandIn, counting, kernelOf, openRig, scratchFolder } from './rig.ts'
import { becomesTrue, type MakePlugin, maker, type SuiteOptions, stopsInTime, testOptions } from './suite.ts'

/** What the other side is to do with every request: wait in the queue, render all frames but the last, then end. */
export interface RemoteScript {
  /** Numbers of requests ahead, which it reports one after another. */
  readonly positions: readonly number[]
  /** Frames of the video; it reports each that is rendered. */
  readonly frames: number
  /** Bytes of the video. */
  readonly video: Uint8Array
  /**
   * `completed` sends the video, `damaged` another one than it says (the digest is that of `video`), `failed` reports
   * `error`, `waiting` does nothing more until it is stopped, `dead` ends as a killed process does.
   */
  readonly end: 'completed' | 'damaged' | 'failed' | 'waiting' | 'dead'
  readonly error: ErrorData
}

/** The other side of a target that takes requests whole, as the suite sees it. */
export interface RemoteSide {
  /** Plugin options that lead to it. */
  readonly options: Readonly<Record<string, unknown>>
  /** Number of render requests that it received. */
  requests(): number
  /** Number of stop requests that it received. */
  cancelled(): number
  /** Ends it; also called when it is dead already. */
  close(): Promise<void>
}

/** Options of the suite of targets that take requests whole. */
export interface RequestTargetSuiteOptions extends SuiteOptions {
  /** False for another side that does not report places in its queue; then none may be reported. */
  readonly tellsPlaces?: boolean
  /** Requested format, for a target that does not take every format. */
  readonly format?: string
  /** Starts a scripted server. */
  serve(script: RemoteScript): Promise<RemoteSide>
  /**
   * For a plugin with `check`: makes this side one of which it knows beforehand that nothing can be rendered there,
   * such as by other credentials, and resolves to the plugin options that lead to it.
   */
  refused?(side: RemoteSide): Promise<Readonly<Record<string, unknown>>>
}

const FRAMES = 8

const remoteError: ErrorData = {
  code: 'VID_TESTKIT_FAR',
  message: 'the suite lets the other side fail',
  hint: 'report this error as it is',
  fault: 'caller',
}

/** Tests a target that sends requests elsewhere. */
export const requestTargetSuite = (makePlugin: MakePlugin<'target'>, suite: RequestTargetSuiteOptions) => {
  const make = maker(makePlugin, suite)

  const video = randomBytes(100_003)
  /** Starts another side that renders a request, or does what `changes` say. */
  const serve = (changes: Partial<RemoteScript> = {}) =>
    suite.serve({
      positions: [2, 1, 0],
      frames: FRAMES,
      video,
      end: 'completed',
      error: remoteError,
      ...changes,
    })

  /** Renders once; `onEvent` may stop the render, and `isGone` ends the other side before it. */
  const run = async (
    changes: Partial<RemoteScript> = {},
    { onEvent, isGone = false }: { onEvent?(event: RenderEvent, stop: () => void): void; isGone?: boolean } = {},
  ) => {
    const side = await serve(changes)
    const stop = new AbortController()
    const events: RenderEvent[] = []
    const delivered: Buffer[] = []
    const delivery = defineDelivery({
      name: '@vid/testkit/delivery',
      deliver: async ({ path }) => void delivered.push(await readFile(path)),
    })()
    const capture = defineCapture({
      name: '@vid/testkit/capture',
      build: () => Promise.reject(new Error('a plan is made here')),
      open: () => Promise.reject(new Error('a page is opened here')),
    })()
    const { format = 'count' } = suite
    const projectDir = await scratchFolder()
    await writeFile(join(projectDir, 'index.html'), '<p>one composition</p>\n')
    try {
      if (isGone) await side.close()
      const target = make(side.options)
      const encoders = [counting(format)]
      const kernel = kernelOf({ capture, encoders, target, deliveries: [delivery], plugins: [] })
      const request = { projectDir, output: join(projectDir, 'out'), format }
      const rendering = render(kernel, request, {
        signal: stop.signal,
        onEvent: (event) => {
          events.push(event)
          onEvent?.(event, () => stop.abort())
        },
      })
      const outcome = await stopsInTime(rendering).catch((thrown: unknown) => thrown)
      const { code = 'rendered', fault } = isVidError(outcome) ? outcome : {}
      const message = outcome instanceof Error ? outcome.message : ''
      if (changes.end === 'waiting')
        await becomesTrue(
          () => side.cancelled() === 1,
          () => `${side.cancelled()} requests were told to stop, not 1`,
        )
      return { code, fault, message, events, delivered, video, requests: side.requests() }
    } finally {
      await side.close()
    }
  }
  const { name } = make()

  describe(`target ${name}`, () => {
    testOptions(make)

    test('has a request rendered once, and brings what was made', async () => {
      const { code, message, delivered, video, requests } = await run()
      expect([code, requests], message).toEqual(['rendered', 1])
      expect(delivered.map((bytes) => bytes.equals(video))).toEqual([true])
    })

    test(suite.tellsPlaces === false ? 'invents no place in the queue' : 'reports the place in the queue', async () => {
      const { events } = await run()
      const positions = events.flatMap((event) => (event.type === 'render-queued' ? [event.position] : []))
      if (suite.tellsPlaces === false) return expect(positions).toEqual([])
      expect(positions.length, 'number of reports').toBeGreaterThan(0)
      // One that asks now and then may miss some.
      expect([2, 1, 0]).toEqual(expect.arrayContaining(positions))
      expect(positions).toEqual(positions.toSorted((a, b) => b - a))
    })

    test('reports frames', async () => {
      const { events } = await run()
      const reports = events.flatMap((event) =>
        event.type === 'render-progress' && event.stage === 'render' ? [event] : [],
      )
      const frames = reports.map(({ framesRendered }) => framesRendered)
      expect(reports.some(({ totalFrames }) => totalFrames === FRAMES)).toBe(true)
      expect(Math.max(...frames)).toBeGreaterThan(0)
    })

    if (make().check) {
      /** Checks beside another side, and tells how many requests it was sent. */
      const check = async (optionsOf: (side: RemoteSide) => Promise<Readonly<Record<string, unknown>>>) => {
        const side = await serve()
        try {
          const plugin = make(await optionsOf(side))
          const { run: rig } = await openRig(kernelOf({ plugins: [compositionStandIn(1)] }))
          const request = {
            projectDir: await scratchFolder(),
            output: 'out',
            format: suite.format ?? 'count',
          }
          const checking = Promise.resolve(plugin.check?.(checkRequest(request), rig.context(plugin)))
          const outcome = await stopsInTime(checking).catch((thrown: unknown) => thrown)
          return { outcome, requests: side.requests() }
        } finally {
          await side.close()
        }
      }

      test('sends no request when it checks', async () => {
        expect(await check(async ({ options }) => options)).toEqual({ outcome: undefined, requests: 0 })
      })

      test('refuses another side that it can know to be useless before anything is sent', async () => {
        const { refused } = suite
        if (!refused) throw new Error('requestTargetSuite needs `refused` for a plugin with `check`')
        const { outcome, requests } = await check(refused)
        expect(isVidError(outcome) && outcome.code, String(outcome)).toMatch(/^(?!VID_PLUGIN_FAILED)\w/)
        expect(requests).toBe(0)
      })
    }

    test('stops on an abort, and tells the other side', async () => {
      const { code, delivered } = await run(
        { end: 'waiting' },
        // The first stage begins before the other side knows of the request.
        { onEvent: (event, stop) => event.type === 'render-progress' && event.stage === 'render' && stop() },
      )
      expect([code, ...delivered]).toEqual(['VID_CANCELLED'])
    })

    test('passes on an error of the other side as it is', async () => {
      const { code, fault, delivered } = await run({ end: 'failed' })
      expect([code, fault, ...delivered]).toEqual([remoteError.code, remoteError.fault])
    })

    test('takes the death of the other side for a fault of the machine', async () => {
      const { code, fault, delivered } = await run({ end: 'dead' })
      expect([fault, ...delivered], code).toEqual(['machine'])
    })

    test('takes another side that is not there for a fault of the machine', async () => {
      const { code, fault, delivered } = await run({}, { isGone: true })
      expect([fault, ...delivered], code).toEqual(['machine'])
    })

    test('refuses a result that was damaged on its way', async () => {
      const { code, fault, delivered } = await run({ end: 'damaged' })
      expect([fault, ...delivered], code).toEqual(['machine'])
    })
  })
}

import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { defineEncoder, type PluginOf, render, type SegmentJob } from '@vid/kernel'
import { defineErrors, type RenderRequestInput } from '@vid/protocol'
import { describe, expect, test } from 'vitest'
import { distinctPictures } from './pictures.ts'
import { compositionStandIn, kernelOf, playing, scratchFolder } from './rig.ts'
import { type MakePlugin, maker, type SuiteOptions, stopsInTime, testOptions } from './suite.ts'

/** Options of the target suite. */
export interface TargetSuiteOptions extends SuiteOptions {
  /** For a plugin with `check`: resolves to plugin options with which it knows beforehand that it can render nothing. */
  refused?(): Promise<Readonly<Record<string, unknown>>>
}

const SEGMENTS = 5
/** Attempts at one segment after which the target counts as retrying forever. */
const MAX_ATTEMPTS = 20

const fail = defineErrors({
  VID_TESTKIT_HOPELESS: (_: object) => ({
    message: 'the suite makes this segment fail permanently',
    hint: 'do not retry it',
    final: true,
    fault: 'render',
  }),
})

/** Tests a target that renders with `renderSegment` of its context. */
export const targetSuite = (makePlugin: MakePlugin<'target'>, suite: TargetSuiteOptions = {}) => {
  const make = maker(makePlugin, suite)

  /** Renders five segments of one frame; `onEncode` decides how each attempt goes. */
  const run = async (
    onEncode: (index: number, attempt: number, signal: AbortSignal) => Promise<void> | void,
    request: Partial<RenderRequestInput> = {},
    stop = new AbortController(),
    target = make(),
  ) => {
    const attempts = Array<number>(SEGMENTS).fill(0)
    const joined: string[] = []
    const encoder: PluginOf<'encoder'> = defineEncoder({
      name: '@vid/testkit/encoder',
      formats: ['count'],
      accepts: ['rgba'],
      async encode(frames, { index, path }: SegmentJob, { signal }) {
        const attempt = (attempts[index] ?? 0) + 1
        attempts[index] = attempt
        if (attempt > MAX_ATTEMPTS) stop.abort()
        await onEncode(index, attempt, signal)
        for await (const frame of frames) await writeFile(path, `frame ${frame.index}`)
        return { file: path }
      },
      async join(segments, _audio, { path }) {
        joined.push(...segments.map(({ file }) => basename(file).slice(0, 13)))
        await writeFile(path, 'joined')
        return { path }
      },
    })()
    const projectDir = await scratchFolder()
    const kernel = kernelOf({
      capture: playing(distinctPictures(SEGMENTS)),
      encoders: [encoder],
      target,
      plugins: [compositionStandIn(SEGMENTS)],
    })
    const input = { projectDir, output: join(projectDir, 'out'), format: 'count', segmentFrames: 1 }
    const outcome = stopsInTime(render(kernel, { ...input, ...request }, { signal: stop.signal })).then(
      () => 'rendered',
      ({ code, message }: Error & { code?: string }) => code ?? message,
    )
    return { outcome: await outcome, attempts, joined }
  }
  const inOrder = Array.from({ length: SEGMENTS }, (_, index) => `segment-${String(index).padStart(5, '0')}`)
  const eventLoopTurns = async (count: number) => {
    for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate)
  }
  const { name } = make()

  describe(`target ${name}`, () => {
    testOptions(make)

    test('renders each segment once', async () => {
      const { outcome, attempts } = await run(() => {}, { workers: 2 })
      expect([outcome, ...attempts]).toEqual(['rendered', 1, 1, 1, 1, 1])
    })

    test('joins the segments in order, whichever finishes first', async () => {
      const { joined } = await run((index) => eventLoopTurns(index === 0 ? 100 : 0), { workers: 4 })
      expect(joined).toEqual(inOrder)
    })

    test('renders no more segments at a time than there are workers', async () => {
      let running = 0
      let max = 0
      await run(
        async () => {
          running += 1
          max = Math.max(max, running)
          await eventLoopTurns(20)
          running -= 1
        },
        { workers: 2 },
      )
      expect(max).toBeLessThanOrEqual(2)
    })

    test('retries a failed segment', async () => {
      const { outcome, attempts } = await run((index, attempt) => {
        if (index === 2 && attempt === 1) throw new Error('the browser crashed')
      })
      expect([outcome, attempts[2]]).toEqual(['rendered', 2])
    })

    test('gives up a segment that always fails, and reports why', async () => {
      const { outcome, attempts } = await run((index) => {
        if (index === 2) throw new Error('the browser crashed')
      })
      expect(attempts[2]).toBeLessThanOrEqual(MAX_ATTEMPTS)
      expect(outcome).toBe('VID_PLUGIN_FAILED')
    })

    test('does not retry after a final error', async () => {
      const { outcome, attempts } = await run((index) => {
        if (index === 2) throw fail('VID_TESTKIT_HOPELESS', {})
      })
      expect([outcome, attempts[2]]).toEqual(['VID_TESTKIT_HOPELESS', 1])
    })

    if (make().check) {
      test('refuses before the first frame what it can know to be in vain', async () => {
        if (!suite.refused) throw new Error('targetSuite needs `refused` for a plugin with `check`')
        const { outcome, attempts } = await run(() => {}, {}, new AbortController(), make(await suite.refused()))
        expect(outcome).toMatch(/^VID_(?!PLUGIN_FAILED)/)
        expect(attempts).toEqual(Array<number>(SEGMENTS).fill(0))
      })
    }

    test('stops on an abort', async () => {
      const stop = new AbortController()
      const { outcome, joined } = await run(
        (index) => {
          if (index === 1) stop.abort()
          stop.signal.throwIfAborted()
        },
        {},
        stop,
      )
      expect([outcome, ...joined]).toEqual(['VID_CANCELLED'])
    })
  })
}

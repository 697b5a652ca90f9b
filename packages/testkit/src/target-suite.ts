import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import {
  defineEncoder,
  defineErrors,
  type PluginOf,
  type RenderRequestInput,
  render,
  type SegmentJob,
} from '@vid/kernel'
import { describe, expect, test } from 'vitest'
import { distinctPictures } from './pictures.ts'
import { composition, kernelOf, playing, scratchFolder } from './rig.ts'
import { type MakePlugin, maker, type SuiteOptions, stopsInTime, testOptions } from './suite.ts'

/** What the target suite takes beside the plugin. */
export type TargetSuiteOptions = SuiteOptions

const SEGMENTS = 5
/** More attempts than this at one segment are taken for "for ever". */
const MOST_ATTEMPTS = 20

const fail = defineErrors({
  VID_TESTKIT_HOPELESS: (_: object) => ({
    message: 'the suite made this segment fail for good',
    hint: 'do not try it again',
    final: true,
    fault: 'render',
  }),
})

/** Tests a target that renders through `renderSegment` of its context. */
export const targetSuite = (makePlugin: MakePlugin<'target'>, suite: TargetSuiteOptions = {}) => {
  const make = maker(makePlugin, suite)

  /** Renders five segments of one frame; `onEncode` decides how each attempt goes. */
  const run = async (
    onEncode: (index: number, attempt: number, signal: AbortSignal) => Promise<void> | void,
    request: Partial<RenderRequestInput> = {},
    stop = new AbortController(),
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
        if (attempt > MOST_ATTEMPTS) stop.abort()
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
      target: make(),
      plugins: [composition(SEGMENTS)],
    })
    const input = { projectDir, output: join(projectDir, 'out'), format: 'count', segmentFrames: 1 }
    const outcome = stopsInTime(render(kernel, { ...input, ...request }, { signal: stop.signal })).then(
      () => 'rendered',
      ({ code, message }: Error & { code?: string }) => code ?? message,
    )
    return { outcome: await outcome, attempts, joined }
  }
  const inOrder = Array.from({ length: SEGMENTS }, (_, index) => `segment-${String(index).padStart(5, '0')}`)
  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate)
  }
  const { name } = make()

  describe(`target ${name}`, () => {
    testOptions(make)

    test('renders each segment once', async () => {
      const { outcome, attempts } = await run(() => {}, { workers: 2 })
      expect([outcome, ...attempts]).toEqual(['rendered', 1, 1, 1, 1, 1])
    })

    test('joins the segments in order, whichever is done first', async () => {
      const { joined } = await run((index) => turns(index === 0 ? 100 : 0), { workers: 4 })
      expect(joined).toEqual(inOrder)
    })

    test('renders no more segments at a time than there are workers', async () => {
      let now = 0
      let most = 0
      await run(
        async () => {
          now += 1
          most = Math.max(most, now)
          await turns(20)
          now -= 1
        },
        { workers: 2 },
      )
      expect(most).toBeLessThanOrEqual(2)
    })

    test('renders a segment again that failed', async () => {
      const { outcome, attempts } = await run((index, attempt) => {
        if (index === 2 && attempt === 1) throw new Error('the browser crashed')
      })
      expect([outcome, attempts[2]]).toEqual(['rendered', 2])
    })

    test('gives up a segment that fails every time, and tells why', async () => {
      const { outcome, attempts } = await run((index) => {
        if (index === 2) throw new Error('the browser crashed')
      })
      expect(attempts[2]).toBeLessThanOrEqual(MOST_ATTEMPTS)
      expect(outcome).toBe('VID_PLUGIN_FAILED')
    })

    test('does not try again what cannot succeed', async () => {
      const { outcome, attempts } = await run((index) => {
        if (index === 2) throw fail('VID_TESTKIT_HOPELESS', {})
      })
      expect([outcome, attempts[2]]).toEqual(['VID_TESTKIT_HOPELESS', 1])
    })

    test('stops when it is told to', async () => {
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

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type CaptureSession,
  checkFrames,
  createPool,
  type Frame,
  type FrameFormat,
  render,
  type SharedPool,
} from '@vid/kernel'
import { isVidError, type RenderPlan } from '@vid/protocol'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { decodePng } from './png.ts'
import { compositionStandIn, HEIGHT, kernelOf, openRig, scratchFolder, WIDTH } from './rig.ts'
import { type MakePlugin, maker, type SuiteOptions, stopsInTime, testOptions } from './suite.ts'

/** Options of the capture suite. */
export interface CaptureSuiteOptions extends SuiteOptions {
  /** Whether the engine's browser cannot capture alpha; the engine must then throw a coded error. */
  readonly lacksAlpha?: boolean
}

/** The page that the suite captures: a grey that gets lighter every frame until frame 12. */
const greyPage = `<!doctype html><meta charset="utf-8">
<style>html, body { margin: 0; background: transparent } b { position: absolute; inset: 0 50% 0 0 }</style>
<div id="root" data-composition-id="root" data-width="${WIDTH}" data-height="${HEIGHT}" data-no-timeline>
<b></b><i class="clip" data-start="0" data-duration="2"></i>
<script>
addEventListener('vid-seek', ({ detail }) => {
  const shade = 40 + 10 * Math.min(Math.round(detail.time * 30), 12)
  document.querySelector('b').style.background = 'rgb(' + [shade, shade, shade] + ')'
})
</script></div>`

const shadeOf = (index: number) => 40 + 10 * Math.min(index, 12)

const magic: Readonly<Partial<Record<FrameFormat, string>>> = { png: '89504e47', jpeg: 'ffd8ff' }

/** Tests a capture engine against its contract, with a page of the suite. */
export const captureSuite = (makePlugin: MakePlugin<'capture'>, suite: CaptureSuiteOptions = {}) => {
  const make = maker(makePlugin, suite)
  /** Browsers for the sessions of the suite, as a server has them: to start one takes longer than most tests. */
  let shared: SharedPool

  const open = async (changes: Partial<RenderPlan> = {}, page = greyPage) => {
    const plugin = make()
    const projectDir = await scratchFolder()
    await writeFile(join(projectDir, 'index.html'), page)
    const kernel = kernelOf({ capture: plugin, plugins: [compositionStandIn(60)] })
    const { run, plan } = await openRig(kernel, { projectDir }, shared)
    const stop = new AbortController()
    const session = await plugin.open({ ...plan, ...changes }, run.context(plugin, stop.signal))
    // Closing has its own test.
    onTestFinished(() => session.close().catch(() => {}))
    return { session, plan, stop }
  }
  const take = async (session: CaptureSession, start: number, count: number, format: FrameFormat = 'png') => {
    const frames: Frame[] = []
    let last: Uint8Array | undefined
    for await (const frame of session.frames({ index: 0, start, frames: count }, [format])) {
      // A repeated bytes object is one object among the copies too.
      const data = frame.data === last ? frames.at(-1)?.data : undefined
      frames.push({ ...frame, data: data ?? new Uint8Array(frame.data) })
      last = frame.data
    }
    return frames
  }
  const bytes = (frames: readonly Frame[]) => frames.map(({ data }) => Buffer.from(data).toString('base64'))
  const pixel = ({ data }: Frame, x: number) => {
    const picture = decodePng(data)
    const offset = (Math.floor(picture.height / 2) * picture.width + x) * 4
    return Array.from(picture.data.subarray(offset, offset + 4))
  }
  const { name } = make()

  describe(`capture ${name}`, () => {
    beforeAll(() => {
      shared = createPool({ maxIdle: 3 })
    })
    afterAll(() => shared.close())

    testOptions(make)

    test('names its build deterministically', async () => {
      const { run } = await openRig(kernelOf({ plugins: [compositionStandIn(1)] }))
      const one = make()
      const other = make()
      const first = await one.build(run.context(one))
      expect(first).not.toBe('')
      expect(await other.build(run.context(other))).toBe(first)
    })

    test('sends the frames of a range completely and in order', async () => {
      const { session } = await open()
      const frames = await take(session, 0, 8)
      expect(frames.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    })

    test('shows the page at the time of each frame', async () => {
      const { session } = await open()
      const shades = (await take(session, 2, 5)).map((frame) => pixel(frame, 4))
      expect(shades).toEqual([2, 3, 4, 5, 6].map((index) => [...Array(3).fill(shadeOf(index)), 255]))
    })

    test('sends only accepted formats', async () => {
      const { session, plan } = await open()
      for (const [start, accepts] of [['png'], ['jpeg'], ['yuv420p', 'png'], ['rgba', 'jpeg']].entries()) {
        const range = { index: 0, start, frames: 1 }
        const expected = { ...plan, ...range, plugin: name, accepts: accepts as FrameFormat[] }
        for await (const { data, format } of checkFrames(session.frames(range, expected.accepts), expected))
          expect(Buffer.from(data).toString('hex', 0, 4)).toMatch(magic[format] ?? '')
      }
    })

    test('sends the same bytes for the same range, also in another session', async () => {
      const sessions = [await open(), await open()]
      const [one, other] = await Promise.all(sessions.map(({ session }) => take(session, 0, 6)))
      expect(bytes(other ?? [])).toEqual(bytes(one ?? []))
    })

    test('sends the same frames when it starts in the middle', async () => {
      const through = (await take((await open()).session, 0, 10)).slice(7)
      const direct = await take((await open()).session, 7, 3)
      expect(bytes(direct)).toEqual(bytes(through))
    })

    test('goes back to an earlier range', async () => {
      const { session } = await open()
      const early = await take(session, 1, 2)
      await take(session, 8, 2)
      expect(bytes(await take(session, 1, 2))).toEqual(bytes(early))
    })

    test('sends the same frames in slices, if it captures them, also when one becomes shorter', async () => {
      const [one, other, all] = [await open(), await open(), await open()]
      if (!one.session.slice || !other.session.slice) return
      const accepts: FrameFormat[] = ['yuv420p', 'rgba', 'png', 'jpeg']
      const segment = { index: 0, start: 0, frames: 18 }
      const copyAll = async (frames: AsyncIterable<Frame>, onFrame: (index: number) => void = () => {}) => {
        const copies: Frame[] = []
        for await (const frame of frames) {
          copies.push({ index: frame.index, format: frame.format, data: new Uint8Array(frame.data) })
          onFrame(frame.index)
        }
        return copies
      }
      let end = segment.frames
      const shortened = one.session.slice(0, { segment, end: () => end }, accepts, one.plan)
      const first = await copyAll(shortened, (index) => {
        if (index === 1) end = 10
      })
      const second = await copyAll(other.session.slice(10, { segment, end: () => 18 }, accepts, other.plan))
      // What a slice does not send, one session captures.
      const start = first.length < 10 ? first.length : 10 + second.length
      const rest = { ...segment, start, frames: segment.frames - start }
      const alone = start < 18 ? await copyAll(one.session.frames(rest, accepts, one.plan)) : []
      const sliced = [...first, ...(first.length < 10 ? [] : second), ...alone]
      const whole = await copyAll(all.session.frames(segment, accepts, all.plan))
      expect(sliced.map(({ index }) => index)).toEqual(whole.map(({ index }) => index))
      expect(bytes(sliced)).toEqual(bytes(whole))
    })

    test('keeps the bytes of a frame until the one after the next is requested', async () => {
      const { session } = await open()
      let before: { readonly data: Uint8Array; readonly copy: Uint8Array; readonly index: number } | undefined
      const formats: FrameFormat[] = ['yuv420p', 'rgba', 'png', 'jpeg']
      for await (const { index, data } of session.frames({ index: 0, start: 0, frames: 7 }, formats)) {
        if (before) expect(Buffer.compare(before.data, before.copy), `frame ${before.index}`).toBe(0)
        before = { index, data, copy: new Uint8Array(data) }
      }
    })

    test('marks only frames that equal the one before as repeats', async () => {
      const { session } = await open()
      const frames = await take(session, 9, 9)
      expect(frames[0]?.repeat ?? false).toBe(false)
      for (const [index, frame] of frames.entries())
        if (frame.repeat) {
          expect(frame.data, `data of frame ${frame.index}`).toBe(frames[index - 1]?.data)
          expect(frame.index, 'the first frame that stands still').toBeGreaterThan(12)
        }
    })

    const alphaRule = suite.lacksAlpha
      ? 'refuses a format with alpha with a coded error'
      : 'keeps unpainted parts of the page transparent in a format with alpha'
    test(alphaRule, async () => {
      const opening = open({ alpha: true })
      if (suite.lacksAlpha) {
        const refused = { code: expect.stringMatching(/^VID_/), hint: expect.stringMatching(/\w/) }
        await expect(opening).rejects.toMatchObject(refused)
        return
      }
      const { session } = await opening
      const [frame] = await take(session, 0, 1)
      expect(frame && [pixel(frame, 4)[3], pixel(frame, WIDTH - 4)[3]]).toEqual([255, 0])
    })

    test('reports the duration of the page', async () => {
      const { session } = await open()
      expect((await session.probe()).duration).toBeCloseTo(2)
    })

    test('stops soon after an abort', async () => {
      const { session, stop } = await open()
      const reading = (async () => {
        for await (const { index } of session.frames({ index: 0, start: 0, frames: 10_000 }, ['png']))
          if (index === 1) stop.abort(new Error('enough'))
      })()
      const outcome = await stopsInTime(reading).then(
        () => 'it gave every frame',
        ({ message }: Error) => message,
      )
      expect(outcome).not.toMatch(/it gave every frame|it did not stop/)
      await stopsInTime(session.close())
    })

    test('can be closed more than once', async () => {
      const { session } = await open()
      await take(session, 0, 1)
      await session.close()
      await expect(session.close()).resolves.toBeUndefined()
    })

    test('reports a missing page with its own coded error', async () => {
      const projectDir = await scratchFolder()
      const kernel = kernelOf({ capture: make(), plugins: [compositionStandIn(3)] })
      const thrown = await stopsInTime(
        render(kernel, { projectDir, output: join(projectDir, 'out'), format: 'count' }).then(
          () => 'it rendered a page that is missing',
          (error: unknown) => error,
        ),
      )
      expect(thrown).toMatchObject({ plugin: name, code: expect.stringMatching(/^VID_(?!PLUGIN_FAILED)/) })
      expect(isVidError(thrown) && thrown.hint).toBeTruthy()
    })
  })
}

import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { EncodedFile, Frame, PluginOf, SegmentJob } from '@vid/kernel'
import { isVidError, type RenderRequestInput } from '@vid/protocol'
import { describe, expect, test } from 'vitest'
import { distinctPictures, greyFrames, type Picture, pictureFormats } from './pictures.ts'
import { decodePng } from './png.ts'
import { compositionStandIn, HEIGHT, kernelOf, openRig, playing, scratchFolder, WIDTH } from './rig.ts'
import {
  bytesAt,
  children,
  expectChildren,
  filesUnder,
  type MakePlugin,
  maker,
  type SuiteOptions,
  stopsInTime,
  testOptions,
} from './suite.ts'

/** Options of the encoder suite. */
export interface EncoderSuiteOptions extends SuiteOptions {
  /** Decodes a segment or a joined video to RGBA pictures in order. */
  decode(path: string): AsyncIterable<Uint8Array>
  /** Part of the request, such as `{ quality: 'draft' }` for speed. */
  readonly request?: Partial<RenderRequestInput>
}

// Lossy encoders move a flat grey by a few steps; neighbouring pictures are 37 apart.
const TOLERANCE = 12

/** Tests an encoder against its contract: every rule is one test, and the encoder's capabilities select the rules. */
export const encoderSuite = (makePlugin: MakePlugin<'encoder'>, suite: EncoderSuiteOptions) => {
  const make = maker(makePlugin, suite)

  /** Opens a render of pictures. */
  const open = (
    plugin: PluginOf<'encoder'>,
    pictures: readonly Picture[],
    { segmentFrames = 240, width = WIDTH, height = HEIGHT } = {},
  ) => {
    const plugins = [compositionStandIn(pictures.length, width, height)]
    const kernel = kernelOf({ capture: playing(pictures), encoders: [plugin], plugins })
    return openRig(kernel, { segmentFrames, ...suite.request })
  }

  /** Encodes pictures segment by segment and joins them. */
  const encode = async (pictures: readonly Picture[], size = {}, plugin = make()) => {
    const { run, plan } = await open(plugin, pictures, size)
    const files: EncodedFile[] = []
    for (const { index } of plan.segments) files.push(await run.renderSegment(plan, index))
    const { path } = await run.join(plan, files)
    return { files, path, run }
  }

  /** Calls the encoder directly, so that the kernel hides nothing. */
  const encodeAlone = async (
    frames: (format: Frame['format']) => AsyncIterable<Frame>,
    count: number,
    signal?: AbortSignal,
  ) => {
    const plugin = make()
    const { run, plan } = await open(plugin, distinctPictures(count))
    const context = run.context(plugin, signal, plan.encoder.options)
    const segment: SegmentJob = { index: 0, start: 0, frames: count, plan, path: `${context.workDir}/alone` }
    const format = plugin.accepts.find((accepted) => pictureFormats.includes(accepted)) ?? 'png'
    const result = plugin.encode(frames(format), segment, context)
    return { result, workDir: context.workDir, segment }
  }

  const decoded = async (path: string) => {
    const frames: { shade: number; alpha: number }[] = []
    for await (const pixels of suite.decode(path)) {
      const sums = [0, 0]
      for (let offset = 0; offset < pixels.length; offset += 4) {
        sums[0] = (sums[0] ?? 0) + (pixels[offset] ?? 0)
        sums[1] = (sums[1] ?? 0) + (pixels[offset + 3] ?? 0)
      }
      const [shade, alpha] = sums.map((sum) => sum / (pixels.length / 4))
      frames.push({ shade: shade ?? 0, alpha: alpha ?? 0 })
    }
    return frames
  }
  const expectPictures = async (path: string, pictures: readonly Picture[]) => {
    const frames = await decoded(path)
    expect(frames).toHaveLength(pictures.length)
    for (const [index, { shade }] of pictures.entries())
      expect(Math.abs((frames[index]?.shade ?? -255) - shade), `frame ${index}`).toBeLessThan(TOLERANCE)
  }
  const plugin = make()

  describe(`encoder ${plugin.name}`, () => {
    testOptions(make)

    test('puts only JSON into the plan', async () => {
      const encoder = make()
      const { request, plan } = await open(encoder, distinctPictures(1))
      const settings = encoder.settings?.(request, encoder.options) ?? {}
      expect(plan.encoder.settings).toEqual(settings)
      expect(JSON.parse(JSON.stringify(settings))).toStrictEqual(settings)
    })

    test('shows every frame of a long segment, in order', async () => {
      const pictures = distinctPictures(24)
      const { path } = await encode(pictures)
      await expectPictures(path, pictures)
    })

    test('shows a repeated frame the right number of times', async () => {
      const pictures = [40, 40, 40, 160, 90].map((shade, index) => ({
        shade,
        repeat: index === 1 || index === 2,
      }))
      const { path } = await encode(pictures)
      await expectPictures(path, pictures)
    })

    test('encodes a video of a single frame', async () => {
      const { path } = await encode(distinctPictures(1))
      await expectPictures(path, distinctPictures(1))
    })

    test('accepts an odd size, or rejects it with a coded error', async () => {
      const refusal = await encode(distinctPictures(3), { width: 35, height: 21 }).then(
        ({ path }) => expectPictures(path, distinctPictures(3)),
        (thrown: unknown) => thrown as { code?: string },
      )
      if (refusal) expect(refusal).toMatchObject({ code: expect.stringMatching(/^VID_(?!PLUGIN_FAILED)/) })
    })

    for (const format of plugin.accepts.filter((accepted) => pictureFormats.includes(accepted)))
      test(`takes frames as ${format}`, async () => {
        const { path } = await encode(distinctPictures(4), {}, { ...make(), accepts: [format] })
        await expectPictures(path, distinctPictures(4))
      })

    if (plugin.alpha)
      test('keeps transparent and opaque pictures', async () => {
        const { path } = await encode([0, 255, 0].map((alpha) => ({ shade: 120, alpha })))
        const alphas = (await decoded(path)).map(({ alpha }) => (alpha < 60 ? 0 : alpha > 195 ? 255 : alpha))
        expect(alphas).toEqual([0, 255, 0])
      })

    if (plugin.alpha)
      test('keeps the colour of half transparent pictures', async () => {
        const { path } = await encode([90, 150, 210].map((shade) => ({ shade, alpha: 178 })))
        const frames = await decoded(path)
        for (const [index, shade] of [90, 150, 210].entries())
          expect(Math.abs((frames[index]?.shade ?? -255) - shade), `frame ${index}`).toBeLessThan(TOLERANCE)
        // A format with only transparent and opaque pixels rounds it.
        for (const { alpha } of frames)
          expect(Math.min(Math.abs(alpha - 178), 255 - alpha), `alpha ${alpha}`).toBeLessThan(4)
      })

    test('writes the same bytes for the same frames', async () => {
      const bytes = async () => {
        const { files, path } = await encode(distinctPictures(5))
        return Buffer.concat([...(await Promise.all(files.map(({ file }) => bytesAt(file)))), await bytesAt(path)])
      }
      expect((await bytes()).equals(await bytes())).toBe(true)
    })

    if (plugin.join)
      test('joins segments without changing their pictures', async () => {
        const pictures = distinctPictures(8)
        const { files, path } = await encode(pictures, { segmentFrames: 3 })
        expect(files).toHaveLength(3)
        await expectPictures(path, pictures)
        const apart = []
        for (const { file } of files) apart.push(...(await decoded(file)))
        expect(await decoded(path)).toEqual(apart)
      })

    if (plugin.still)
      test('writes frames of a joined video as pictures, with their alpha', async () => {
        const pictures = distinctPictures(8).map(({ shade }, index) => ({ shade, alpha: index === 4 ? 0 : 255 }))
        const encoder = make()
        const { run, plan } = await open(encoder, pictures, { segmentFrames: 3 })
        const files: EncodedFile[] = []
        for (const { index } of plan.segments) files.push(await run.renderSegment(plan, index))
        const artifact = await run.join(plan, files)
        const context = run.context(encoder, undefined, plan.encoder.options)
        const folder = await scratchFolder()
        const still = async (frame: number, format: 'jpg' | 'png') => {
          const path = join(folder, `${frame}.${format}`)
          await encoder.still?.({ plan, artifact, frame, format, path }, context)
          return readFile(path)
        }
        for (const frame of [0, 2, 3, 7]) {
          const { width, height, data } = decodePng(await still(frame, 'png'))
          expect([width, height]).toEqual([plan.width, plan.height])
          expect(Math.abs((data[0] ?? -255) - (pictures[frame]?.shade ?? 0)), `frame ${frame}`).toBeLessThan(TOLERANCE)
        }
        if (plan.alpha) expect(decodePng(await still(4, 'png')).data[3]).toBeLessThan(60)
        const jpg = await still(5, 'jpg')
        expect(jpg.subarray(0, 3).toString('hex')).toBe('ffd8ff')
        expect((await still(5, 'jpg')).equals(jpg)).toBe(true)
      })

    if (plugin.publish)
      test('publishes segments as they come, and ends after the last of them, also after an abort', async () => {
        const pictures = distinctPictures(8)
        const encoder = make()
        const { run, plan } = await open(encoder, pictures, { segmentFrames: 3 })
        const stop = new AbortController()
        const context = run.context(encoder, stop.signal, plan.encoder.options)
        const folder = await scratchFolder()
        const publication = await encoder.publish?.({ plan, folder, audio: undefined }, context)
        for (const index of [0, 1]) {
          await publication?.add(await run.renderSegment(plan, index))
          expect(await filesUnder(folder)).toContain(publication?.index)
        }
        stop.abort(new Error('enough'))
        await publication?.end()
        await expectPictures(folder, pictures.slice(0, 6))
      })

    if (plugin.publish)
      test('publishes the pictures that it joins', async () => {
        const pictures = distinctPictures(8)
        const encoder = make()
        const { run, plan } = await open(encoder, pictures, { segmentFrames: 3 })
        const folder = await scratchFolder()
        const context = run.context(encoder, undefined, plan.encoder.options)
        const publication = await encoder.publish?.({ plan, folder, audio: undefined }, context)
        const files: EncodedFile[] = []
        for (const { index } of plan.segments) {
          const file = await run.renderSegment(plan, index)
          files.push(file)
          await publication?.add(file)
        }
        await publication?.end()
        const { path } = await run.join(plan, files)
        expect(await decoded(folder)).toEqual(await decoded(path))
      })

    test('writes only at its path', async () => {
      const pictures = distinctPictures(6)
      const { run, files } = await encode(pictures)
      const { workDir, projectDir } = run.context(plugin)
      const strange = (await filesUnder(workDir)).filter((file) => !/^(segment-00000-1|video)/.test(file))
      expect([...strange, ...(await filesUnder(projectDir))]).toEqual([])
      expect(files.map(({ file }) => basename(file))).toEqual([expect.stringMatching(/^segment-00000-1/)])
    })

    test('fails when its frames fail', async () => {
      const failure = new Error('the page crashed')
      const { result } = await encodeAlone(async function* (format) {
        yield* greyFrames(distinctPictures(2), 0, format, WIDTH, HEIGHT)
        throw failure
      }, 6)
      const outcome = await stopsInTime(result).then(
        ({ file }) => `it made ${basename(file)}`,
        (thrown: unknown) => thrown,
      )
      const causes = [outcome, isVidError(outcome) ? outcome.cause : undefined]
      expect(causes).toContain(failure)
    })

    test('stops on an abort and leaves no file and no process', async () => {
      const before = children()
      const stop = new AbortController()
      const { result, workDir } = await encodeAlone(
        async function* (format) {
          yield* greyFrames(distinctPictures(3), 0, format, WIDTH, HEIGHT)
          stop.abort(new Error('enough'))
          throw stop.signal.reason
        },
        9,
        stop.signal,
      )
      const outcome = await stopsInTime(result).then(
        () => 'it made a file',
        ({ message }: Error) => message,
      )
      expect(outcome).not.toMatch(/it made a file|it did not stop/)
      await expectChildren(before)
      expect(await filesUnder(workDir)).toEqual([])
    })
  })
}

import { basename, dirname } from 'node:path'
import { type MediaTrack, machineLocal, type RenderPlan, RenderPlanSchema, type TSchema, Type } from '@vid/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checked, encoder, page, request, setupOf, taps } from '../fixtures/plugins.ts'
import {
  createKernel,
  defineCapture,
  definePlugin,
  hashPlan,
  type KernelSetup,
  type PluginOf,
  pageKey,
  withDefault,
} from '../index.ts'

const open = async (setup: Partial<KernelSetup> = {}) => {
  const run = await createKernel(setupOf(setup)).open(request)
  onTestFinished(() => run.close())
  return run
}
const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

describe('options of a machine', () => {
  const seen: unknown[] = []
  const browser = (executablePath: string) =>
    defineCapture({
      name: 'browser-capture',
      options: Type.Object({
        lane: withDefault(Type.String(), 'auto'),
        executablePath: Type.Optional(machineLocal(Type.String())),
        privateHosts: withDefault(machineLocal(Type.Array(Type.String())), []),
      }),
      build: async () => 'chromium 1',
      async open(plan, { options }) {
        seen.push(options, plan.capture.options)
        return page()
      },
    })({ executablePath, privateHosts: [`${executablePath}.internal`] })

  test('are not in a plan, its hash or its page key', async () => {
    const planOf = async (path: string) => (await open({ capture: browser(path) })).plan(checked())
    const one = await planOf('/one')
    const other = await planOf('/other')
    expect(one.capture.options).toEqual({ lane: 'auto' })
    expect(hashPlan(one)).toBe(hashPlan(other))
    expect(pageKey(one)).toBe(pageKey(other))
  })

  test('of another machine are ignored: a plan that has them is rendered with those of this machine', async () => {
    const plan = copyOf(await (await open({ capture: browser('/one') })).plan(checked()))
    const foreign = {
      ...plan,
      capture: {
        ...plan.capture,
        options: { lane: 'raster', executablePath: '/tmp/evil', privateHosts: ['169.254.169.254'] },
      },
    }
    seen.length = 0
    const run = await open({ capture: browser('/here') })
    const files = [await run.renderSegment(foreign, 0)]
    await run.join(foreign, files)
    expect(seen).toEqual([
      { lane: 'raster', executablePath: '/here', privateHosts: ['/here.internal'] },
      // A plugin cannot read them from the plan by mistake either.
      { lane: 'raster' },
    ])
  })

  test('of a plan are refused when they do not match the schema here', async () => {
    const plan = copyOf(await (await open({ capture: browser('/one') })).plan(checked()))
    const wrong = { ...plan, capture: { ...plan.capture, options: { lane: ['--no-sandbox'] } } }
    await expect((await open({ capture: browser('/here') })).renderSegment(wrong, 0)).rejects.toMatchObject({
      code: 'VID_PLAN_INVALID',
      message: expect.stringContaining('option of browser-capture: lane must be string'),
    })
  })
})

describe('options of a plugin that taps a hook', () => {
  const joiner = (crf: number, folder = '/here') =>
    definePlugin({
      name: 'joiner',
      options: Type.Object({ crf: Type.Number(), folder: machineLocal(Type.String()) }),
      setup(hooks) {
        hooks.mix.tap('joiner', () => ({ file: null }))
      },
    })({ crf, folder })
  const planOf = async (...plugins: PluginOf<'plugin'>[]) => (await open({ plugins })).plan(checked())

  test('are in a plan without those of a machine, and so in its hash', async () => {
    const plan = await planOf(joiner(18))
    expect(plan.taps.slice(1)).toEqual([
      { plugin: 'joiner', hooks: ['mix'], code: expect.any(String), options: { crf: 18 } },
    ])
    expect(hashPlan(await planOf(joiner(18, '/there')))).toBe(hashPlan(plan))
    expect(hashPlan(await planOf(joiner(23)))).not.toBe(hashPlan(plan))
  })

  test('of a plan are refused where they are others here', async () => {
    const plan = copyOf(await planOf(joiner(18)))
    const run = await open({ plugins: [joiner(23)] })
    await expect(run.renderSegment(plan, 0)).rejects.toMatchObject({
      code: 'VID_PLAN_OPTIONS',
      message: 'The plan was made with the options {"crf":18} of joiner; here they are {"crf":23}.',
    })
    const same = await open({ plugins: [joiner(18, '/there')] })
    expect(await same.renderSegment(plan, 0)).toHaveProperty('file')
  })
})

/** Every path of a schema that may hold a string; `*` stands for each item. */
const textsOf = (schema: TSchema, path: readonly string[] = []): string[] => {
  const { type, properties, items, anyOf } = schema as {
    type?: string
    properties?: Record<string, TSchema>
    items?: TSchema
    anyOf?: TSchema[]
  }
  if (properties) return Object.entries(properties).flatMap(([key, inner]) => textsOf(inner, [...path, key]))
  if (items) return textsOf(items, [...path, '*'])
  if (anyOf) return [...new Set(anyOf.flatMap((choice) => textsOf(choice, path)))]
  return type === 'string' && !('const' in schema) ? [path.join('.')] : []
}

const withText = (value: unknown, [key, ...rest]: readonly string[], text: string): unknown => {
  if (key === undefined) return text
  if (key === '*') return [withText((value as unknown[])[0], rest, text)]
  const parts = value as Record<string, unknown>
  return { ...parts, [key]: withText(parts[key], rest, text) }
}

describe('no string of a plan refers outside the project or chooses a program', () => {
  const hostile = ['../../etc/passwd', '/etc/passwd', 'file:///etc/passwd', '..\\x', 'a/../../x']
  const source = {
    digest: 'ab',
    duration: 1,
    picture: { width: 2, height: 2, codec: 'h264', fps: 30, alpha: false, frameFormat: 'jpg' },
    sound: { codec: 'aac', sampleRate: 48_000, channels: 2 },
  } as const
  const track: MediaTrack = {
    id: 'm0',
    kind: 'video',
    src: 'a.mp4',
    start: 0,
    end: 1,
    mediaStart: 0,
    rate: 1,
    loop: false,
    volume: 1,
    muted: false,
    hasAudio: null,
    source,
  }
  const hdr: RenderPlan['hdr'] = {
    transfer: 'pq',
    peak: 1000,
    maxCll: 1000,
    maxFall: 400,
    mastering: 'G(1,2)B(3,4)R(5,6)WP(7,8)L(9,10)',
  }
  const paths: string[] = []
  const noting = (name: string, format: string) =>
    encoder({
      name,
      formats: [format],
      async encode(frames, job, context) {
        paths.push(job.path)
        return encoder().encode(frames, job, context)
      },
      async join(segments, audio, output, context) {
        paths.push(output.path)
        return encoder().join?.(segments, audio, output, context) as never
      },
    })
  const setup = () => ({
    encoders: [noting('list-encoder', 'list'), noting('other-encoder', 'other')],
    plugins: [
      taps('sound', (hooks) => {
        hooks.mix.tap('sound', () => ({ file: null }))
      }),
    ],
  })
  const planned = async (): Promise<RenderPlan> => {
    const outputs = [{ format: 'other', output: 'out.other' }]
    const plan = await (await open(setup())).plan(checked({ outputs }))
    const textTracks = [{ language: 'en', label: 'English', vtt: 'WEBVTT\n' }]
    const sidecars = [{ suffix: '.en.vtt', text: 'WEBVTT\n' }]
    const chapters = [{ start: 0, end: 1, title: 'Opening' }]
    const poster = { frame: 0, format: 'jpg' as const }
    return copyOf({ ...plan, media: [track], audio: [track], hdr, textTracks, sidecars, chapters, poster })
  }

  /** Why a string is harmless: its own pattern, that it must equal what a plugin here declares, or that it is only shown. */
  const places: Readonly<Record<string, 'pattern' | 'known' | 'shown'>> = {
    'composition.entry': 'pattern',
    'composition.digest': 'pattern',
    'composition.shape': 'pattern',
    fps: 'pattern',
    scale: 'pattern',
    format: 'known',
    'capture.name': 'known',
    'capture.code': 'known',
    'capture.build': 'known',
    'encoder.name': 'known',
    'encoder.code': 'known',
    'encoder.build': 'known',
    'outputs.*.format': 'known',
    'outputs.*.encoder.name': 'known',
    'outputs.*.encoder.code': 'known',
    'outputs.*.encoder.build': 'known',
    'taps.*.plugin': 'known',
    'taps.*.hooks.*': 'known',
    'taps.*.code': 'known',
    'hdr.mastering': 'pattern',
    'composition.id': 'shown',
    'chapters.*.title': 'shown',
    'sidecars.*.suffix': 'pattern',
    'sidecars.*.text': 'shown',
    'textTracks.*.label': 'shown',
    'textTracks.*.language': 'shown',
    'textTracks.*.vtt': 'shown',
    ...Object.fromEntries(
      ['audio.*', 'media.*'].flatMap((list) => [
        [`${list}.id`, 'pattern'],
        [`${list}.src`, 'pattern'],
        [`${list}.source.digest`, 'pattern'],
        [`${list}.source.picture.codec`, 'shown'],
        [`${list}.source.sound.codec`, 'shown'],
      ]),
    ),
  }

  test('every string of the schema is covered here', () => {
    expect(textsOf(RenderPlanSchema).sort()).toEqual(Object.keys(places).sort())
  })

  test('the plan renders before it is changed below', async () => {
    const run = await open(setup())
    const plan = await planned()
    await run.join(plan, [await run.renderSegment(plan, 0)])
  })

  test('a plan that nests too deeply is refused, not run out of stack', async () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as unknown
    const plan = { ...(await planned()), variables: { deep } } as RenderPlan
    const run = await open(setup())
    await expect(run.renderSegment(plan, 0)).rejects.toMatchObject({
      code: 'VID_PLAN_INVALID',
      message: expect.stringContaining('nests deeper than 500 levels'),
    })
  })

  describe.each(Object.entries(places))('%s', (place, why) => {
    // A file of the project may begin with a hyphen: it is passed to programs by its absolute path.
    test.each(/entry|src/.test(place) ? hostile : [...hostile, '-f;sh'])('%s', async (text) => {
      const plan = withText(await planned(), place.split('.'), text) as RenderPlan
      const run = await open(setup())
      paths.length = 0
      const rendering = run.renderSegment(plan, 0)
      if (why === 'shown') {
        await run.join(plan, [await rendering])
        expect(paths.length).toBeGreaterThan(2)
        expect(paths.map((path) => basename(dirname(path)))).toEqual(
          paths.map(() => expect.stringMatching(/^vid-work-[0-9a-f]{12}-\d+-\d+-[0-9a-f]{12}$/)),
        )
        return
      }
      const codes =
        why === 'pattern'
          ? ['VID_PLAN_INVALID']
          : ['VID_PLAN_INVALID', 'VID_HOOK_UNANSWERED', 'VID_PLAN_BUILD', 'VID_PLAN_CODE']
      await expect(rendering).rejects.toMatchObject({
        code: expect.toSatisfy((code) => codes.includes(code)),
      })
      // A join stops here; it does not check which code and build encoded the segments.
      if (!/\.(?:build|code)$|^taps/.test(place) && !place.startsWith('capture'))
        await expect(run.join(plan, [])).rejects.toMatchObject({
          code: expect.toSatisfy((code) => codes.includes(code)),
        })
      // A capture engine is looked up when the encoder requests the first frame.
      if (place !== 'capture.name') expect(paths).toEqual([])
    })
  })

  test.each(['clips/a.mp4', '-a.mp4', 'a..b/clip.mp4', './a.mp4', 'https://example.com/../a.mp4'])(
    'the source %s is accepted',
    async (src) => {
      const run = await open(setup())
      const plan = withText(await planned(), ['media', '*', 'src'], src) as RenderPlan
      expect(await run.renderSegment(plan, 0)).toHaveProperty('file')
    },
  )
})

test.each([
  ['a rate beyond the bounds', { fps: '241/1' }],
  ['a rate that is not in lowest terms', { fps: '60/2' }],
  ['a page of half a pixel', { width: 3, scale: 2 }],
  ['a range beyond the composition', { range: { start: 1, of: 2 } }],
  ['a poster beyond the last frame', { poster: { frame: 6, format: 'jpg' as const } }],
])('a plan with %s is refused', async (_title, wrong) => {
  const run = await open()
  const plan = await run.plan(checked())
  await expect(run.renderSegment({ ...copyOf(plan), ...wrong }, 0)).rejects.toMatchObject({
    code: 'VID_PLAN_INVALID',
  })
})

test.each([
  ['beyond the frames', [{ index: 0, start: 0, frames: 1_000_000_000 }]],
  ['that start behind the end', [{ index: 0, start: 1_000_000_000, frames: 1 }]],
  ['numbered out of order', [{ index: 5, start: 0, frames: 1 }]],
])('segments %s are refused before anything is captured', async (_title, segments) => {
  const run = await open()
  const plan = await run.plan(checked())
  const opened = taps.length
  await expect(run.renderSegment({ ...copyOf(plan), segments }, 0)).rejects.toMatchObject({
    code: 'VID_PLAN_INVALID',
  })
  expect(taps.length).toBe(opened)
})

import { type RenderPlan, Type } from '@vid/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import { capture, checked, composition, encoder, page, request, setupOf, taps } from '../fixtures/plugins.ts'
import {
  createKernel,
  defineEncoder,
  definePlugin,
  hashPlan,
  type KernelSetup,
  noteOrigin,
  render,
  splitFrames,
  withDefault,
} from '../index.ts'

const open = async (setup: Partial<KernelSetup> = {}) => {
  const run = await createKernel(setupOf(setup)).open(request)
  onTestFinished(() => run.close())
  return run
}
const copyOf = (plan: RenderPlan) => JSON.parse(JSON.stringify(plan)) as RenderPlan

test('a plan survives JSON, and a render of the copy is the same', async () => {
  const run = await open()
  const plan = await run.plan(checked())
  expect(copyOf(plan)).toStrictEqual(plan)
  expect(await run.renderSegment(copyOf(plan), 1)).toHaveProperty('file')
})

test('the hash of a plan does not depend on the order of keys, and does on every value', async () => {
  const plan = await (await open()).plan(checked({ variables: { a: 1, b: { c: 2, d: 3 } } }))
  const turned = {
    ...(Object.fromEntries(Object.entries(plan).reverse()) as RenderPlan),
    variables: { b: { d: 3, c: 2 }, a: 1 },
  }
  expect(hashPlan(turned)).toBe(hashPlan(plan))
  expect(hashPlan({ ...plan, variables: { a: 1, b: { c: 2, d: 4 } } })).not.toBe(hashPlan(plan))
})

test('settings that a probe returns are in the plan, and the probed page captures it', async () => {
  let opened = 0
  const probe = async () => ({ duration: 1, stateful: false, settings: { way: 'slow' } })
  const probing = taps('probing', (hooks) =>
    hooks.plan.tapPromise('probing', async (plan, context) => {
      await context.probe(plan)
      return plan
    }),
  )
  const run = await open({
    capture: capture({
      settings: async () => ({ kept: 1 }),
      async open() {
        opened += 1
        return page({ probe })
      },
    }),
    plugins: [probing],
  })
  const plan = await run.plan(checked())
  expect(plan.capture.settings).toEqual({ kept: 1, way: 'slow' })
  await run.renderSegment(plan, 0)
  expect(opened).toBe(1)
})

test('an error about an unknown format lists the known ones', async () => {
  const encoders = [encoder(), encoder({ name: 'other', formats: ['this', 'that'] })]
  await expect(render(createKernel(setupOf({ encoders })), { ...request, format: 'gif' })).rejects.toMatchObject({
    code: 'VID_FORMAT_UNKNOWN',
    fault: 'caller',
    message: 'No encoder makes the format "gif"; known: list, this, that.',
  })
})

test('all wrong values of a request are reported at once, each with the value', () => {
  const wrong = { fps: 0, quality: 'best' as never, crf: 20, videoBitrate: '10M', segmentFrames: 1.5 }
  const check = () => checked(wrong)
  expect(check).toThrow(expect.objectContaining({ code: 'VID_REQUEST_INVALID', fault: 'caller' }))
  for (const part of [/fps .*got 0/, /quality .*got "best"/, /segmentFrames .*got 1\.5/]) expect(check).toThrow(part)
  expect(() => checked({ crf: 20, videoBitrate: '10M' })).toThrow(/crf 20 and videoBitrate 10M cannot be combined/)
})

test('the frame rate limit of a format lowers the request to it, with one warning', async () => {
  const { warnings } = await render(createKernel(setupOf({ encoders: [encoder({ maxFps: 20 })] })), request)
  expect(warnings).toEqual([expect.objectContaining({ code: 'VID_FPS_CAPPED' })])
})

const sized = (width: number, height: number) =>
  definePlugin({
    name: 'test-size',
    setup(hooks) {
      hooks.plan.tap({ name: 'test-size', stage: 1 }, (plan) => ({ ...plan, width, height }))
    },
  })

test('a picture that a format makes even is warned of, with what keeps its size or makes it even', async () => {
  const setup = (evenSize: boolean) => {
    const encoders = [encoder({ evenSize }), encoder({ name: 'other', formats: ['this', 'that'] })]
    return setupOf({ encoders, plugins: [sized(321, 181)()] })
  }
  const even = await createKernel(setup(true)).open(request)
  onTestFinished(() => even.close())
  await even.plan(checked())
  await even.plan(checked({ scale: 3 }))
  expect(even.warnings).toEqual([
    {
      code: 'VID_SIZE_EVEN',
      message: expect.stringMatching(/321x181 .* 322x182/),
      hint: expect.stringMatching(/data-width="322".*data-height="182".*--scale 2; this, that keep an odd size/),
    },
    {
      code: 'VID_SIZE_EVEN',
      message: expect.stringMatching(/963x543 .* 964x544/),
      hint: expect.stringMatching(/a --scale/),
    },
  ])
  const opened = await createKernel(setup(false)).open(request)
  onTestFinished(() => opened.close())
  await opened.plan(checked())
  expect(opened.warnings).toEqual([])
})

test('the build of an encoder is asked with its settings, and a plan of others is refused by it', async () => {
  const build = async (_: unknown, settings: Readonly<Record<string, unknown>> = {}) => `codec ${settings.codec}`
  const coded = encoder({ settings: ({ codec = 'h264' }) => ({ codec }), build })
  const run = await open({ encoders: [coded] })
  const plan = await run.plan(checked({ codec: 'hevc' }))
  expect(plan.encoder).toMatchObject({ build: 'codec hevc', settings: { codec: 'hevc' } })
  const other = copyOf(plan)
  const mixed = { ...other, encoder: { ...other.encoder, settings: { codec: 'av1' } } }
  await expect(run.renderSegment(mixed, 0)).rejects.toMatchObject({ code: 'VID_PLAN_BUILD' })
})

test('a ladder above the picture is refused by its sizes, and only where an encoder makes sizes', async () => {
  const planned = async (takes: 'ladder' | 'crf', ladder: string) => {
    const run = await open({ encoders: [encoder({ takes: [takes] })], plugins: [sized(321, 181)()] })
    return run.plan(checked({ ladder }))
  }
  await expect(planned('ladder', '360,182,240')).rejects.toMatchObject({
    code: 'VID_LADDER_UNFIT',
    fault: 'caller',
    message: 'The ladder has 360 and 240, but the shorter side of the picture, 321x181, is smaller.',
  })
  expect(await planned('ladder', '182,90')).toMatchObject({ width: 321, height: 181 })
  expect(await planned('crf', '360')).toMatchObject({ width: 321, height: 181 })
})

test('an encoder that cannot join gets the whole video as one segment', async () => {
  const { join: _, ...alone } = encoder()
  expect((await (await open({ encoders: [alone] })).plan(checked())).segments).toEqual([
    { index: 0, start: 0, frames: 6 },
  ])
})

test.each([0, -1, 1.5, Number.POSITIVE_INFINITY, Number.NaN])('a plan of %s frames is refused', async (frames) => {
  const kernel = createKernel({ ...setupOf(), plugins: [composition(frames)] })
  await expect(render(kernel, request)).rejects.toMatchObject({
    code: 'VID_PLAN_INVALID',
    message: /frames/,
  })
})

test.each([
  ['capture', { capture: capture({ build: async () => 'grey 2' }) }, /grey-capture on "grey 1".*"grey 2"/],
  ['encoder', { encoders: [encoder({ build: async () => 'x264 2' })] }, /list-encoder on "".*"x264 2"/],
])('a plan made with another build of the %s is refused', async (_, setup, message) => {
  const plan = copyOf(await (await open()).plan(checked()))
  const elsewhere = await open(setup)
  await expect(elsewhere.renderSegment(plan, 0)).rejects.toMatchObject({
    code: 'VID_PLAN_BUILD',
    final: true,
    message,
  })
})

/** A capture engine that draws on a GPU, where the machine has one. */
const gpuCapture = (gpu: string | undefined) =>
  capture({
    build: async (_, settings) => `grey 1${settings?.gpu === true ? `, GPU ${gpu ?? 'none'}` : ''}`,
    async settings({ browserGpu }, context) {
      if (gpu !== undefined && browserGpu !== false) return { gpu: true }
      context.note?.('no GPU: none is there')
      return {}
    },
  })

test('what a capture engine chooses for a request is in the plan with its build, and another GPU refuses it', async () => {
  const run = await open({ capture: gpuCapture('one') })
  const plan = await run.plan(checked())
  expect(plan.capture).toMatchObject({ settings: { gpu: true }, build: 'grey 1, GPU one' })
  expect(run.notes).toEqual([])
  for (const gpu of ['other', undefined]) {
    const elsewhere = await open({ capture: gpuCapture(gpu) })
    await expect(elsewhere.renderSegment(copyOf(plan), 0)).rejects.toMatchObject({
      code: 'VID_PLAN_BUILD',
      message: expect.stringContaining(`GPU ${gpu ?? 'none'}`),
    })
  }
  const alike = await open({ capture: gpuCapture('one') })
  expect(await alike.renderSegment(copyOf(plan), 0)).toHaveProperty('file')
})

test('where a capture engine leaves out what was not required, the plan is as without it, and a note says why', async () => {
  const run = await open({ capture: gpuCapture(undefined) })
  const plain = await open()
  const plan = await run.plan(checked())
  expect(plan.capture).toEqual((await plain.plan(checked())).capture)
  expect(run.notes).toEqual(['no GPU: none is there'])
})

test('a plan for plugins that are not registered is refused, and the error names them', async () => {
  const run = await open()
  const plan = await run.plan(checked())
  const use = { ...plan.capture, name: 'absent' }
  await expect(run.renderSegment({ ...plan, encoder: use }, 0)).rejects.toThrow(/encode for absent/)
  await expect(run.renderSegment({ ...plan, capture: { ...use, build: 'grey 1' } }, 0)).rejects.toThrow(
    /capture for absent/,
  )
  await expect(run.renderSegment(plan, 9)).rejects.toThrow(/segment 9/)
})

describe('frames are split into segments of nearly equal size', () => {
  test.each([
    [1, 240, [1]],
    [240, 240, [240]],
    [241, 240, [121, 120]],
    [600, 240, [200, 200, 200]],
    [10, 3, [3, 3, 3, 1]],
    [9, 4, [3, 3, 3]],
    [0, 240, []],
  ])('%s frames, %s a segment', (frames, segmentFrames, sizes) => {
    const segments = splitFrames(frames, segmentFrames)
    expect(segments.map((segment) => segment.frames)).toEqual(sizes)
    let start = 0
    for (const [index, segment] of segments.entries()) {
      expect(segment).toMatchObject({ index, start })
      start += segment.frames
    }
  })
})

describe('options', () => {
  const tuned = defineEncoder({
    name: 'tuned-encoder',
    formats: ['list'],
    accepts: ['rgba'],
    options: Type.Object({
      level: withDefault(Type.Integer({ minimum: 0, maximum: 9 }), 5),
      token: Type.Optional(Type.String({ writeOnly: true, minLength: 8 })),
      login: Type.Optional(Type.Object({ user: Type.String(), password: Type.String({ writeOnly: true }) })),
    }),
    encode: async (_, { path }) => ({ file: path }),
  })
  const refusal = (options: object) => {
    try {
      tuned(options)
      return 'accepted'
    } catch (thrown) {
      return `${(thrown as { code: string }).code} ${JSON.stringify((thrown as { facts: unknown }).facts)} ${thrown}`
    }
  }

  test('a default is filled in', () => {
    expect(tuned().options).toEqual({ level: 5 })
  })
  test('an unknown key is refused, and the error names it', () => {
    expect(refusal({ levle: 3 })).toMatch(/VID_PLUGIN_OPTIONS.*tuned-encoder.*levle/)
  })
  test('a wrong value is refused with the value', () => {
    expect(refusal({ level: 12 })).toMatch(/level must be <= 9; got 12/)
    expect(refusal({ level: 'high' })).toMatch(/level must be integer; got \\?"high/)
  })
  test.each([9, 100])('%i unknown keys hide no wrong value beside them', (count) => {
    const unknown = Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, index]))
    const text = refusal({ ...unknown, level: 12 })
    expect(text).toContain(`key${count - 1}`)
    expect(text).toContain('level must be <= 9; got 12')
  })
  test('a secret is never in a message, whether it is wrong, misspelled, or beside a wrong value', () => {
    expect(refusal({ token: 'hunter2' })).toMatch(/token .*got a secret/)
    for (const options of [
      { token: 'hunter2' },
      { tokn: 'hunter2' },
      { token: 'hunter2hunter2', levle: 1 },
      { login: { password: 'hunter2' } },
      { login: 'hunter2' },
      { token: ['hunter2'] },
    ])
      expect(refusal(options)).not.toMatch(/hunter2|accepted/)
  })
  test('a secret is not in the plan, and the encoder still gets it, with the options of the plan', async () => {
    const seen: unknown[] = []
    const login = { user: 'ada', password: 'hunter2' }
    const encode: KernelSetup['encoders'][number]['encode'] = (frames, job, { options }) => {
      seen.push(options)
      return encoder().encode(frames, job, {} as never)
    }
    const origin = { definition: { encode }, files: [import.meta.filename] }
    const tunedAt = (level: number) =>
      noteOrigin({ ...tuned({ level, token: 'hunter2hunter2', login }), encode }, origin)
    const plan = copyOf(await (await open({ encoders: [tunedAt(7)] })).plan(checked()))
    expect(JSON.stringify(plan)).not.toContain('hunter2')
    expect(plan.encoder.options).toEqual({ level: 7, login: { user: 'ada' } })
    await (await open({ encoders: [tunedAt(1)] })).renderSegment(plan, 0)
    expect(seen).toEqual([{ level: 7, token: 'hunter2hunter2', login }])
  })
})

test('a variable may have any name', async () => {
  const resolver = taps('resolver', (hooks) => {
    hooks.resolve.tap('resolver', (variables) => ({ ...variables, hook: 'encode' }))
  })
  const plan = await (await open({ plugins: [resolver] })).plan(checked({ variables: { signal: 5 } }))
  expect(plan.variables).toEqual({ signal: 5, hook: 'encode' })
})

test('plugins on the plan hook change the plan one after another', async () => {
  const wider = (name: string) =>
    taps(name, (hooks) => {
      hooks.plan.tap({ name, stage: 1 }, (plan) => ({ ...plan, width: plan.width * 2 }))
    })
  expect(await (await open({ plugins: [wider('one'), wider('other')] })).plan(checked())).toMatchObject({
    width: 8,
  })
})

test('the capture plugin prepares beside the plan, and only what opens the page reports a failure', async () => {
  const order: string[] = []
  const prepare = async () => {
    order.push('prepare')
    throw new Error('no browser')
  }
  const settings = async () => {
    order.push('settings')
    return {}
  }
  const run = await open({ capture: capture({ prepare, settings }) })
  expect((await run.plan(checked())).frames).toBeGreaterThan(0)
  expect(order).toEqual(['prepare', 'settings'])
  expect(run.warnings).toEqual([])
})

test('a render that ends before its plan waits for what the capture plugin prepares', async () => {
  let left = 0
  const prepare = async (_: unknown, { signal }: { readonly signal: AbortSignal }) => {
    left += 1
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    left -= 1
  }
  const run = await createKernel(setupOf({ capture: capture({ prepare }) })).open(request)
  await expect(run.plan(checked({ format: 'gif' }))).rejects.toMatchObject({ code: 'VID_FORMAT_UNKNOWN' })
  await run.close()
  expect(left).toBe(0)
})

test('the load of a plan is steady once that of its slowest encoder is', async () => {
  const encoders = [encoder(), encoder({ name: 'other', formats: ['this'], lookahead: () => 60 })]
  const run = await open({ encoders })
  expect(run.lookaheadOf(await run.plan(checked()))).toBe(40)
  const both = checked({ outputs: [{ format: 'this', output: 'out.this' }] })
  expect(run.lookaheadOf(await run.plan(both))).toBe(60)
})

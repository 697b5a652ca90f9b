import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineErrors, type RenderEvent, Type } from '@vid/protocol'
import { expect, test } from 'vitest'
import { capture, encoder, request, setupOf } from '../fixtures/plugins.ts'
import {
  createKernel,
  defineDelivery,
  defineTarget,
  type KernelSetup,
  type PluginOf,
  type RemoteResult,
  type RequestContext,
  type RequestTargetDefinition,
  render,
} from '../index.ts'

type Render = (
  request: Parameters<RequestTargetDefinition<object>['render']>[0],
  context: RequestContext<object>,
) => Promise<RemoteResult>

const target = (render: Render, more: Partial<RequestTargetDefinition<object>> = {}): PluginOf<'target'> =>
  defineTarget({ name: 'farm', ...more, render } as RequestTargetDefinition<object> & { name: string })()

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')

/** Brings one file. */
const bring: Render = async (_, { paths: [path] }) => {
  await writeFile(path, 'the video')
  return { artifact: { path }, frames: 6, durationMs: 200 }
}

/** Renders with it; what is opened or encoded here is an error. */
const renderBy = async (
  remote: PluginOf<'target'>,
  {
    setup = {},
    input = {},
    signal,
  }: {
    readonly setup?: Partial<KernelSetup>
    readonly input?: object
    readonly signal?: AbortSignal
  } = {},
) => {
  const events: RenderEvent[] = []
  const delivered: string[] = []
  const delivery = defineDelivery({
    name: 'reader',
    async deliver({ path }) {
      delivered.push(await readFile(path, 'utf8').catch(() => 'a folder'))
    },
  })()
  const local = () => Promise.reject(new Error('nothing is made here'))
  const kernel = createKernel(
    setupOf({
      capture: capture({ build: local, open: local }),
      encoders: [encoder({ build: local, encode: local })],
      target: remote,
      deliveries: [delivery],
      ...setup,
    }),
  )
  const outcome = await render(
    kernel,
    { ...request, ...input },
    { ...(signal && { signal }), onEvent: (event) => events.push(event) },
  ).then(
    (result) => ({ result, error: undefined }),
    (error) => ({ result: undefined, error }),
  )
  return { ...outcome, events, delivered, types: events.map(({ type }) => type) }
}

test('a target that takes the request whole renders it without a plan, a page or an encoder here', async () => {
  const remote = target(async (request, context) => {
    expect(request.segmentFrames).toBe(2)
    context.accepted('remote-1')
    context.queued(3)
    context.queued(3)
    context.queued(0)
    context.progress({ stage: 'plan', framesRendered: 0, totalFrames: 0 })
    context.progress({ stage: 'render', framesRendered: 3, totalFrames: 6 })
    context.segment({ index: 0, frames: 6, reused: 'the same inputs' })
    context.log?.({ level: 'log', text: 'hello', count: 1 })
    context.warn({ code: 'VID_FAR', message: 'said during it' })
    return {
      ...(await bring(request, context)),
      warnings: [{ code: 'VID_FAR_END', message: 'said at the end', plugin: 'remote-encoder' }],
      timings: [{ plugin: 'remote-capture', hook: 'capture', calls: 1, ms: 5 }],
      cost: { usd: 0.02 },
    }
  })
  const { result, error, types, events, delivered } = await renderBy(remote)
  expect(error).toBeUndefined()
  expect(delivered).toEqual(['the video'])
  expect(types).toEqual([
    'render-start',
    'render-progress',
    'render-accepted',
    'render-queued',
    'render-queued',
    'render-progress',
    'render-progress',
    'segment-complete',
    'warning',
    'warning',
    'render-progress',
    'console',
    'render-complete',
  ])
  expect(events.filter(({ type }) => type === 'render-queued')).toMatchObject([{ position: 3 }, { position: 0 }])
  expect(events[2]).toMatchObject({ type: 'render-accepted', farId: 'remote-1' })
  expect(result).toMatchObject({
    outputPath: 'out.list',
    fileSize: 9,
    frames: 6,
    durationMs: 200,
    cost: { usd: 0.02 },
  })
  expect(result?.warnings.map(({ code, plugin }) => [code, plugin])).toEqual([
    ['VID_FAR', 'farm'],
    ['VID_FAR_END', 'remote-encoder'],
  ])
  expect(result?.timings?.map(({ plugin }) => plugin)).toEqual(expect.arrayContaining(['farm', 'remote-capture']))
})

test('what comes before the first report of a target is part of planning: its check, and its start', async () => {
  const stages: string[] = []
  const events: RenderEvent[] = []
  const note = (name: string) => {
    const begun = events.flatMap((event) => (event.type === 'render-progress' ? [event.stage] : []))
    stages.push(`${name} after ${begun.join()}`)
  }
  const remote = target(
    async (...args) => {
      note('render')
      return bring(...args)
    },
    { check: async () => void note('check') },
  )
  const kernel = createKernel(setupOf({ target: remote }))
  await render(kernel, request, { onEvent: (event) => events.push(event) })
  expect(stages).toEqual(['check after plan', 'render after plan'])
})

test('several outputs come in the order of the request, and one that is missing is a wrong result', async () => {
  const outputs = [{ format: 'other', output: 'out.other' }]
  const setup = { encoders: [encoder(), encoder({ name: 'other', formats: ['other'], extension: '.oth' })] }
  const remote = target(async (_, { paths }) => {
    expect(paths.map((path) => path.split('/').at(-1))).toEqual(['video.list', 'video1.oth'])
    for (const path of paths) await writeFile(path, path)
    const [path, ...more] = paths
    return { artifact: { path, more: more.map((each) => ({ path: each })) }, frames: 1, durationMs: 1 }
  })
  const { result, delivered } = await renderBy(remote, { setup, input: { outputs } })
  expect(result?.outputs?.map(({ outputPath }) => outputPath)).toEqual(['out.other'])
  expect(delivered.map((path) => path.split('/').at(-1))).toEqual(['video.list', 'video1.oth'])
  const { error } = await renderBy(target(bring), { setup, input: { outputs } })
  expect(error).toMatchObject({ code: 'VID_TARGET_RESULT', plugin: 'farm', fault: 'render' })
})

test('reports that are no event, or come too late, are left out', async () => {
  let late = () => {}
  const remote = target(async (request, context) => {
    context.queued(-1)
    context.queued(Number.NaN)
    context.accepted('')
    context.progress({ stage: 'render', framesRendered: 9, totalFrames: 6 })
    context.progress({ stage: 'deliver' as never, framesRendered: 6, totalFrames: 6 })
    late = () => context.queued(4)
    return bring(request, context)
  })
  const setup = { deliveries: [defineDelivery({ name: 'late', deliver: async () => late() })()] }
  const { events, types } = await renderBy(remote, { setup })
  expect(types).toEqual(['render-start', 'render-progress', 'render-progress', 'render-progress', 'render-complete'])
  expect(events[2]).toMatchObject({ stage: 'render', framesRendered: 6, totalFrames: 6 })
})

const digested = (digest: string, text = 'the video') =>
  target(async (_, { paths: [path] }) => {
    await writeFile(path, text)
    return { artifact: { path, digest }, frames: 6, durationMs: 200 }
  })

test('an artifact that has not the digest that was reported is not delivered', async () => {
  expect((await renderBy(digested(sha256('the video')))).delivered).toEqual(['the video'])
  const { error, delivered, types } = await renderBy(digested(sha256('the video'), 'the vidEo'))
  expect(error).toMatchObject({ code: 'VID_ARTIFACT_DAMAGED', plugin: 'farm', fault: 'machine' })
  expect([delivered, types.at(-1)]).toEqual([[], 'render-error'])
})

test('the digest of a folder is that of its list of sums', async () => {
  const folder = (damage: string) =>
    target(async (_, { paths: [path] }) => {
      await mkdir(path)
      await writeFile(join(path, 'frame_000001.png'), `two${damage}`)
      await writeFile(join(path, 'frame_000000.png'), 'one')
      const listed = `${sha256('one')}  frame_000000.png\n${sha256('two')}  frame_000001.png\n`
      return { artifact: { path, digest: sha256(listed) }, frames: 2, durationMs: 66 }
    })
  expect((await renderBy(folder(''))).delivered).toEqual(['a folder'])
  expect((await renderBy(folder('!'))).error).toMatchObject({ code: 'VID_ARTIFACT_DAMAGED' })
})

const foreign: Record<string, readonly [string, Render]> = {
  'a link': [
    'VID_TARGET_RESULT',
    async (_, { paths: [path] }) => {
      await symlink('/etc/hostname', path)
      return { artifact: { path }, frames: 1, durationMs: 1 }
    },
  ],
  'a folder with a link': [
    'VID_TARGET_RESULT',
    async (_, { paths: [path] }) => {
      await mkdir(path)
      await symlink('/etc/hostname', join(path, 'frame_000000.png'))
      return { artifact: { path }, frames: 1, durationMs: 1 }
    },
  ],
  nothing: ['VID_ARTIFACT_MISSING', async (_, { paths: [path] }) => ({ artifact: { path }, frames: 1, durationMs: 1 })],
  'an empty file': [
    'VID_ARTIFACT_MISSING',
    async (_, { paths: [path] }) => {
      await writeFile(path, '')
      return { artifact: { path }, frames: 1, durationMs: 1 }
    },
  ],
  'a wrong length': ['VID_TARGET_RESULT', async (...args) => ({ ...(await bring(...args)), durationMs: Number.NaN })],
  'no result': ['VID_TARGET_RESULT', async () => 'done' as never],
}
test.each(Object.entries(foreign))('%s is refused in the name of the target', async (_, [code, brings]) => {
  const { error, delivered } = await renderBy(target(brings))
  expect(error).toMatchObject({ code, plugin: 'farm', hook: 'request' })
  expect(delivered).toEqual([])
})

test('what a target refuses beforehand is one error of the caller, and nothing is sent', async () => {
  let sent = 0
  const remote = target(
    async (...args) => {
      sent += 1
      return bring(...args)
    },
    { refuses: ({ hdr, format }) => [...(hdr ? ['hdr is not supported'] : []), `${format} is not`] },
  )
  const { error, types } = await renderBy(remote, { input: { hdr: true } })
  expect(error).toMatchObject({ code: 'VID_TARGET_REFUSES', plugin: 'farm', fault: 'caller' })
  expect(error.message).toBe('farm cannot render this request: hdr is not supported; list is not.')
  expect([sent, types]).toEqual([0, ['render-start', 'render-progress', 'render-error']])
})

test('a setting that a target does not take is refused by its name, unless it has its default', async () => {
  const takes = { format: ['list'], raster: ['auto', 'portable'], variables: true } as const
  const remote = target(bring, { takes })
  const accepted = await renderBy(remote, { input: { segmentFrames: undefined, raster: 'portable', workers: 2 } })
  expect(accepted.error).toBeUndefined()
  const outputs = [{ format: 'list', output: 'b.list' }]
  const { error } = await renderBy(remote, { input: { outputs, raster: 'native', hdr: true, crf: 20 } })
  for (const problem of ['several outputs are', 'crf is', 'hdr is', 'raster native is', 'segmentFrames is'])
    expect(error?.message).toContain(`${problem} not supported`)
})

test('frames that are rendered again elsewhere do not take the progress back', async () => {
  const remote = target(async (request, context) => {
    for (const framesRendered of [1, 4, 2, 5]) context.progress({ stage: 'render', framesRendered, totalFrames: 6 })
    context.progress({ stage: 'plan', framesRendered: 0, totalFrames: 0 })
    return bring(request, context)
  })
  const { events } = await renderBy(remote)
  const frames = events.flatMap((event) =>
    event.type === 'render-progress' && event.stage !== 'deliver' ? [event.framesRendered] : [],
  )
  expect(frames).toEqual([0, 1, 4, 5])
})

test('an error of the other side keeps its code and fault, and any other is charged to the target', async () => {
  const fail = defineErrors({
    VID_FAR_FULL: (_: object) => ({ message: 'full', hint: 'later', fault: 'machine' }),
  })
  const coded = await renderBy(target(() => Promise.reject(fail('VID_FAR_FULL', {}))))
  expect(coded.error).toMatchObject({
    code: 'VID_FAR_FULL',
    fault: 'machine',
    plugin: 'farm',
    hook: 'request',
  })
  const bare = await renderBy(target(() => Promise.reject(new Error('cut'))))
  expect(bare.error).toMatchObject({ code: 'VID_PLUGIN_FAILED', plugin: 'farm' })
})

test('an abort reaches the target, and the scratch folder is removed', async () => {
  const stop = new AbortController()
  let folder = ''
  const remote = target(
    (_, { signal, workDir }) =>
      new Promise((_resolve, reject) => {
        folder = workDir
        signal.addEventListener('abort', () => reject(signal.reason))
        stop.abort()
      }),
  )
  const { error } = await renderBy(remote, { signal: stop.signal })
  expect(error).toMatchObject({ code: 'VID_CANCELLED' })
  expect(() => readFileSync(folder)).toThrow(/ENOENT/)
})

test('a target is one of the two shapes', () => {
  const create = (definition: object) =>
    createKernel(setupOf({ target: defineTarget({ name: 'odd', ...definition } as never)() as never }))
  const refused = (problem: string) =>
    expect.objectContaining({ code: 'VID_PLUGIN_INVALID', message: expect.stringContaining(problem) })
  expect(() => create({})).toThrow(refused('it has no run() and no render()'))
  expect(() => create({ run: async () => {}, render: async () => {} })).toThrow(refused('it has run() and render()'))
})

test('both shapes have types, and a definition with neither or both is a type error', () => {
  const options = Type.Object({ url: Type.String() })
  const remote = defineTarget({
    name: 'typed',
    options,
    refuses: ({ hdr }, { url }) => (hdr ? [`${url.length}`] : []),
    render: async ({ format }, { options: { url }, paths: [path] }) => ({
      artifact: { path: path.concat(url, format) },
      frames: 1,
      durationMs: 1,
    }),
  })
  expect(remote({ url: 'x' })).toMatchObject({ role: 'target', options: { url: 'x' } })
  // @ts-expect-error neither
  defineTarget({ name: 'neither' })
  // @ts-expect-error both
  defineTarget({ name: 'both', run: async () => ({ path: '' }), render: bring })
})

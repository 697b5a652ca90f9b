import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHooks, noSources, type PlanContext, type Probe } from '@vid/kernel'
import type { RenderPlan, Warning } from '@vid/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compositionReader } from './index.ts'

const declarations = JSON.stringify([
  { id: 'title', type: 'string', label: 'Title', default: 'Hello' },
  { id: 'size', type: 'number', label: 'Size', default: 12 },
])
const page = (root: string, inner = '') =>
  `<html data-composition-variables='${declarations}'><div data-composition-id="main" data-width="64" data-height="32" ${root}>${inner}</div></html>`

const html = {
  'fixed.html': page('data-duration="2.02"'),
  'open.html': page(''),
  'nested.html': page(
    'data-duration="1"',
    `<div id="h" data-composition-src="part.html" data-start="0" data-variable-values='{"extra":1}'></div>`,
  ),
  'part.html': '<template><p>part</p></template>',
  'lost.html': page('data-duration="1"', '<div data-composition-src="none.html" data-start="0"></div>'),
  'circle.html': page(
    'data-duration="1"',
    '<p id="a" data-start="b" data-duration="1"></p><p id="b" data-start="a" data-duration="1"></p>',
  ),
}
const draft: RenderPlan = {
  version: 1,
  composition: { entry: '', id: '', digest: '', stateful: true },
  width: 1,
  height: 1,
  fps: 30,
  frames: 1,
  duration: 1 / 30,
  variables: {},
  format: 'mp4',
  alpha: false,
  segments: [{ index: 0, start: 0, frames: 1 }],
  capture: { name: 'capture', options: {}, settings: {}, code: '', build: '' },
  encoder: { name: 'encoder', options: {}, settings: {}, code: '', build: '' },
  audio: [],
  media: [],
  taps: [],
  videoFrameFormat: 'auto',
}

let projectDir: string
beforeAll(async () => {
  projectDir = await mkdtemp(join(tmpdir(), 'vid-core-'))
  for (const [name, text] of Object.entries(html)) await writeFile(join(projectDir, name), text)
})
afterAll(() => rm(projectDir, { recursive: true }))

const start = (
  entry: string,
  probe: Probe = { duration: null, stateful: false, media: [] },
  strictVariables = false,
) => {
  const hooks = createHooks()
  const reader = compositionReader()
  reader.setup(hooks, { options: reader.options })
  const warnings: Warning[] = []
  const probed: RenderPlan[] = []
  const context: PlanContext = {
    request: {
      projectDir,
      entry,
      output: join(projectDir, 'out.mp4'),
      format: 'mp4',
      fps: 30,
      quality: 'standard',
      workers: 'auto',
      outputs: [],
      segmentFrames: 120,
      variables: {},
      strictVariables,
      network: 'public',
      videoFrameFormat: 'auto',
      strict: false,
      force: false,
      hdr: false,
      sdr: false,
      gpu: false,
      browserGpu: 'auto',
      raster: 'auto',
    },
    signal: new AbortController().signal,
    workDir: '/unused',
    sources: noSources,
    warn: (warning) => warnings.push(warning),
    probe: async (plan) => {
      probed.push(plan)
      return probe
    },
  }
  return {
    warnings,
    probed,
    resolve: (variables: Record<string, unknown>) => hooks.resolve.promise(variables, context),
    plan: () => hooks.plan.promise(draft, context),
  }
}

describe('resolving', () => {
  it('fills in defaults and warns of every value that does not fit', async () => {
    const { resolve, warnings } = start('fixed.html')
    expect(await resolve({ size: 'big', extra: 1 })).toEqual({ title: 'Hello', size: 'big', extra: 1 })
    expect(warnings.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'VID_VARIABLE_TYPE_MISMATCH Variable "size" expected a finite number, got string.',
      'VID_VARIABLE_UNDECLARED Variable "extra" is not declared in data-composition-variables.',
    ])
  })

  it('reports all of them in one error with strict checking', async () => {
    const { resolve } = start('fixed.html', undefined, true)
    expect(await resolve({ size: 5 })).toEqual({ title: 'Hello', size: 5 })
    await expect(resolve({ size: 'big', extra: 1 })).rejects.toMatchObject({
      code: 'VID_VARIABLES_STRICT',
      fault: 'render',
      message: expect.stringMatching(/^2 variables .*"size".*"extra"/),
    })
  })
})

describe('planning', () => {
  it('takes size and duration from the source, and asks the page only whether it is stateful', async () => {
    const { plan, probed } = start('fixed.html', { duration: 99, stateful: true, media: [] })
    const digest = createHash('sha256').update(html['fixed.html']).digest('hex')
    expect(await plan()).toEqual({
      ...draft,
      composition: { entry: 'fixed.html', id: 'main', digest, stateful: true },
      width: 64,
      height: 32,
      duration: 2.02,
      frames: 61,
    })
    expect(probed).toMatchObject([{ width: 64, height: 32, frames: 61, composition: { digest } }])
  })

  it('asks the page for a duration that the source does not state', async () => {
    const planned = await start('open.html', { duration: 1.5, stateful: false, media: [] }).plan()
    expect(planned).toMatchObject({ duration: 1.5, frames: 45, composition: { stateful: false } })
  })

  it('rejects a page whose root cannot be seen, and names the root and what hides it', async () => {
    const probe: Probe = { duration: 1, stateful: false, media: [], unseen: 'its box has 0 x 0 pixels' }
    await expect(start('open.html', probe).plan()).rejects.toMatchObject({
      code: 'VID_COMPOSITION_ROOT_UNSEEN',
      facts: { element: '<div data-composition-id="main">', reason: probe.unseen },
    })
  })

  it('notes in the plan that the page draws with WebGL, and nothing when it does not', async () => {
    const probe: Probe = { duration: 1, stateful: false, media: [] }
    const [webgl, other] = await Promise.all(
      [{ ...probe, drawsWebgl: true }, probe].map((page) => start('open.html', page).plan()),
    )
    expect(webgl?.composition.drawsWebgl).toBe(true)
    expect(other?.composition).not.toHaveProperty('drawsWebgl')
  })

  it.each([
    [0, '0 seconds by its page'],
    [Infinity, 'Infinity seconds by its page'],
    [null, 'an unknown time'],
  ])('rejects a duration of %s', async (duration, shown) => {
    await expect(start('open.html', { duration, stateful: false, media: [] }).plan()).rejects.toMatchObject({
      code: 'VID_COMPOSITION_BAD_DURATION',
      message: expect.stringContaining(shown),
    })
  })

  it('includes embedded files in its digest, and warns of the values of hosts', async () => {
    const { plan, warnings } = start('nested.html')
    const before = await plan()
    expect(warnings).toMatchObject([
      {
        code: 'VID_VARIABLE_UNDECLARED',
        message: expect.stringContaining('in <div id="h"> (nested.html:1)'),
      },
    ])
    await writeFile(join(projectDir, 'part.html'), '<template><p>changed</p></template>')
    expect((await start('nested.html').plan()).composition.digest).not.toBe(before.composition.digest)
    await expect(start('nested.html', undefined, true).plan()).rejects.toMatchObject({
      code: 'VID_VARIABLES_STRICT',
    })
  })

  it('reports a missing embedded file before a page is opened', async () => {
    const { plan, probed } = start('lost.html')
    await expect(plan()).rejects.toMatchObject({ code: 'VID_NESTED_MISSING' })
    expect(probed).toEqual([])
  })

  it('reports starts that cannot be resolved before a page is opened', async () => {
    const { plan, probed } = start('circle.html')
    await expect(plan()).rejects.toMatchObject({ code: 'VID_COMPOSITION_BAD_START' })
    expect(probed).toEqual([])
  })
})

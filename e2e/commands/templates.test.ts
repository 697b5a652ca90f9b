import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRenderer, type Renderer } from '@vid/render'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isWhole, partOf } from '../../scripts/dev/part-of.ts'
import { greyFrames } from '../support/pixels.ts'
import { here, scratch, vidInProcess as vid } from '../support/vid.ts'

interface TemplateFacts {
  readonly name: string
  readonly format?: string
  readonly batch?: string
}

const listed = execFileSync(process.execPath, [here('../packages/engine/cli/bin/vid.js'), 'init', '--list', '--json'])
const { templates } = JSON.parse(listed.toString()) as { readonly templates: readonly TemplateFacts[] }

let renderer: Renderer
let folder: string
beforeAll(async () => {
  renderer = await createRenderer({ isolated: true })
  folder = await mkdtemp(join(tmpdir(), 'vid-e2e-templates-'))
})
afterAll(async () => {
  await renderer.close()
  await rm(folder, { recursive: true, force: true })
})

/** Projects by template, each created once. */
const projects = new Map<string, Promise<string>>()
const createProject = async (name: string): Promise<string> => {
  const project = join(folder, name)
  expect(await vid(['init', project, '--template', name])).toMatchObject({ code: 0 })
  return project
}
const projectOf = (name: string): Promise<string> => {
  const project = projects.get(name) ?? createProject(name)
  projects.set(name, project)
  return project
}

const single = templates.filter(({ batch }) => batch === undefined)
test.each(partOf(single, 6))(
  'a project of the template $name has no finding and renders',
  async ({ name, format = 'mp4' }) => {
    const projectDir = await projectOf(name)
    const output = join(await scratch(), `film.${format}`)
    const findings: unknown[] = []
    const { files, warnings } = await renderer.render(
      { projectDir, output, from: '50%', to: '52%', fps: 6, scale: 0.5, cache: false },
      { onFindings: (more) => findings.push(...more) },
    )
    expect(files.map(({ path }) => path)).toEqual([output])
    expect([...findings, ...warnings]).toEqual([])
  },
)

const series = templates.filter(({ batch }) => batch !== undefined)
test.each(partOf(series, 1))(
  'a project of the template $name has no finding, and its rows render',
  async ({ name, batch = '' }) => {
    const project = await projectOf(name)
    expect(await vid(['lint', project, '--strict'])).toMatchObject({ code: 0, stdout: '' })
    const output = join(await scratch(), '{index}.mp4')
    const part = ['--from', '50%', '--to', '52%', '--fps', '6', '--scale', '0.5', '--no-cache', '--json']
    const { code, stdout, stderr } = await vid([
      'render',
      project,
      '--batch',
      join(project, batch),
      '-o',
      output,
      ...part,
    ])
    expect(code, stdout + stderr).toBe(0)
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly type: string; readonly warnings?: readonly unknown[] })
    expect(events.at(-1)?.type).toBe('batch-complete')
    expect(events.flatMap(({ warnings = [] }) => warnings)).toEqual([])
  },
)

interface Declaration {
  readonly id: string
  readonly type: string
  readonly default: unknown
  readonly min?: number
  readonly max?: number
  readonly maxLength?: number
  readonly options?: readonly { readonly value: string }[]
}

/** Texts as long as a declaration allows, as one word and as words, and as short as a text can be. */
const TEXTS = {
  'one word': (length: number) => 'Wanderwegmarkierungsmann'.repeat(length / 24 + 1).slice(0, length),
  'many words': (length: number) =>
    'Wonderful mornings among many warm meadows and humming women '.repeat(length / 60 + 1).slice(0, length),
  'one letter': () => 'i',
}

const extremeOf = (declaration: Declaration, text: (length: number) => string, isShort: boolean): unknown => {
  const { type, min, max, maxLength, options } = declaration
  if (type === 'number') return (isShort ? min : max) ?? declaration.default
  if (type === 'enum') return options?.at(isShort ? 0 : -1)?.value
  // A text without a limit holds data, such as a list as JSON.
  return type === 'string' && maxLength !== undefined ? text(maxLength).trim() : declaration.default
}

/**
 * The template that is tried with every kind of text; the others with the one that is hardest to fit, and with every kind,
 * in 5 frames a second instead of 2, with `npm run lab -- template-extremes`.
 */
const IN_ALL_KINDS = 'lower-third'
/** Templates that take long: drawn by WebGL, half a minute long, and with footage. */
const SLOW: ReadonlySet<string> = new Set(['three-d', 'captions', 'product-teaser'])

const cases = templates.flatMap(({ name }) =>
  Object.entries(TEXTS)
    .filter(([kind]) => isWhole || name === IN_ALL_KINDS || (kind === 'one word' && !SLOW.has(name)))
    .map(([kind, text]) => ({ name, kind, text })),
)

const audit = await readFile(here('support/text-layout.js'), 'utf8')

test.each(partOf(cases, 4))(
  'no text of the template $name is lost or covered with $kind',
  async ({ name, kind, text }) => {
    const projectDir = await projectOf(name)
    const html = await readFile(join(projectDir, 'index.html'), 'utf8')
    await writeFile(
      join(projectDir, 'audit.html'),
      html.replace('</body>', () => `<script>${audit}</script></body>`),
    )
    const declared = JSON.parse(/data-composition-variables='([^']*)'/.exec(html)?.[1] ?? '[]') as Declaration[]
    const isShort = kind === 'one letter'
    const variables = Object.fromEntries(declared.map((variable) => [variable.id, extremeOf(variable, text, isShort)]))
    const problems: string[] = []
    await renderer.render(
      {
        projectDir,
        entry: 'audit.html',
        output: join(await scratch(), 'frames'),
        format: 'png-sequence',
        fps: isWhole ? 5 : 2,
        scale: 0.2,
        variables,
        cache: false,
      },
      {
        onEvent: (event) => {
          if (event.type === 'console' && event.text.startsWith('layout:')) problems.push(event.text)
        },
      },
    )
    expect(problems).toEqual([])
  },
)

const FRAMES_A_SECOND = 4

/** The share of pixels that differ from another frame, or from their neighbour in the same one. */
const shareOf = (isDifferent: (index: number) => boolean, length: number): number => {
  let count = 0
  for (let index = 1; index < length; index += 1) if (isDifferent(index)) count += 1
  return count / length
}
/** How much is drawn in a frame: the share of pixels at an edge. */
const drawnIn = (frame: Uint8Array): number =>
  shareOf((index) => Math.abs((frame[index] ?? 0) - (frame[index - 1] ?? 0)) > 24, frame.length)
const movedBetween = (before: Uint8Array, after: Uint8Array): number =>
  shareOf((index) => Math.abs((after[index] ?? 0) - (before[index] ?? 0)) > 8, after.length)
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

test.each(
  partOf(
    templates.filter(({ name }) => isWhole || !SLOW.has(name)),
    4,
  ),
)('no frame of the template $name is empty, and no half of it stands still', async ({ name }) => {
  const output = join(await scratch(), 'video.mp4')
  const projectDir = await projectOf(name)
  await renderer.render({ projectDir, output, fps: FRAMES_A_SECOND, scale: 0.2, cache: false })
  const frames = await greyFrames(output)
  const drawn = frames.map(drawnIn)
  const usual = drawn.toSorted((one, other) => one - other)[drawn.length >> 1] ?? 0
  // A video may build up and leave; between that, each frame shows a part of what the others do.
  const first = drawn.findIndex((share) => share >= 0.3 * usual)
  const inside = drawn.slice(first, -FRAMES_A_SECOND / 2).map((share) => share / usual)
  expect(Math.min(...inside), `least drawn in frame ${first + inside.indexOf(Math.min(...inside))}`).toBeGreaterThan(
    0.25,
  )
  const moved = frames.slice(FRAMES_A_SECOND).map((frame, index) => movedBetween(frames[index] ?? frame, frame))
  const middle = moved.length >> 1
  for (const half of [moved.slice(0, middle), moved.slice(middle)]) expect(mean(half)).toBeGreaterThan(0.01)
})

/** A word of letters that join. */
const ARABIC = 'مرحبا'
/** The words around the name are English there, and the layout with them. */
const IN_ENGLISH: ReadonlySet<string> = new Set(['year-in-numbers'])
test.each(
  partOf(
    templates.filter(({ name }) => !IN_ENGLISH.has(name)),
    3,
  ),
)('texts of the template $name that are read from the right are laid out so, with joined letters', async ({ name }) => {
  const projectDir = await projectOf(name)
  const html = await readFile(join(projectDir, 'index.html'), 'utf8')
  const script = `addEventListener('vid-seek', () => {
    for (const element of document.querySelectorAll('[data-composition-id] *')) {
      const written = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join('')
      if (element.closest('.medal, vid-captions, .face')) continue
      if (!/[\\p{Script=Arabic}]/u.test(written)) continue
      const { direction, letterSpacing } = getComputedStyle(element)
      console.log('rtl:' + JSON.stringify({ text: written.trim(), direction, letterSpacing }))
    }
  })`
  await writeFile(
    join(projectDir, 'rtl.html'),
    html.replace('</body>', () => `<script>${script}</script></body>`),
  )
  const declared = JSON.parse(/data-composition-variables='([^']*)'/.exec(html)?.[1] ?? '[]') as Declaration[]
  const texts = declared.filter(({ type, maxLength }) => type === 'string' && maxLength !== undefined)
  const variables = Object.fromEntries(
    texts.filter(({ id }) => !['code', 'unit', 'file'].includes(id)).map(({ id }) => [id, ARABIC]),
  )
  const seen: { readonly text: string; readonly direction: string; readonly letterSpacing: string }[] = []
  await renderer.render(
    {
      projectDir,
      entry: 'rtl.html',
      output: join(await scratch(), 'frames'),
      format: 'png-sequence',
      from: '50%',
      to: '55%',
      fps: 4,
      scale: 0.2,
      variables,
      cache: false,
    },
    {
      onEvent: (event) => {
        if (event.type === 'console' && event.text.startsWith('rtl:')) seen.push(JSON.parse(event.text.slice(4)))
      },
    },
  )
  expect(seen.length).toBeGreaterThan(0)
  for (const { text } of seen) expect(text).toContain(ARABIC)
  for (const { text, direction, letterSpacing } of seen) {
    expect({ text, direction, letterSpacing }).toEqual({
      text,
      direction: 'rtl',
      letterSpacing: expect.stringMatching(/^(normal|0px)$/),
    })
  }
})

import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRenderer, type Renderer } from '@vid/render'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
test.each(single)('a project of the template $name has no finding and renders', async ({ name, format = 'mp4' }) => {
  const projectDir = await projectOf(name)
  const output = join(await scratch(), `film.${format}`)
  const findings: unknown[] = []
  const { files, warnings } = await renderer.render(
    { projectDir, output, from: '50%', to: '52%', fps: 6, scale: 0.5, cache: false },
    { onFindings: (more) => findings.push(...more) },
  )
  expect(files.map(({ path }) => path)).toEqual([output])
  expect([...findings, ...warnings]).toEqual([])
})

const series = templates.filter(({ batch }) => batch !== undefined)
test.each(series)(
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

/** Every kind of text in every template, in 5 frames a second instead of 2, with `npm run lab -- template-extremes`. */
const isAll = process.env.VID_TEMPLATE_EXTREMES === 'all'
/** The template that is tried with every kind of text; the others with the one that is hardest to fit. */
const IN_ALL_KINDS = 'lower-third'
/** Templates that take long: drawn by WebGL, half a minute long, and with footage. */
const SLOW: ReadonlySet<string> = new Set(['three-d', 'captions', 'product-teaser'])

const cases = templates.flatMap(({ name }) =>
  Object.entries(TEXTS)
    .filter(([kind]) => isAll || name === IN_ALL_KINDS || (kind === 'one word' && !SLOW.has(name)))
    .map(([kind, text]) => ({ name, kind, text })),
)

const audit = await readFile(here('support/text-layout.js'), 'utf8')

test.each(cases)('no text of the template $name is lost or covered with $kind', async ({ name, kind, text }) => {
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
      fps: isAll ? 5 : 2,
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
})

import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createRenderer, type Renderer } from '@vid/render'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { here, scratch, vid } from './support/vid.ts'

interface Declaration {
  readonly id: string
  readonly type: string
  readonly default: unknown
  readonly min?: number
  readonly max?: number
  readonly maxLength?: number
  readonly options?: readonly { readonly value: string }[]
}

const cli = here('../packages/cli/bin/vid.js')
const listed = execFileSync(process.execPath, [cli, 'init', '--list', '--json']).toString()
const { templates } = JSON.parse(listed) as { readonly templates: readonly { readonly name: string }[] }

/** Texts as long as a declaration allows, as words and as one word, and as short as a text can be. */
const TEXTS = {
  'many words': (length: number) =>
    'Wonderful mornings among many warm meadows and humming women '.repeat(length / 60 + 1).slice(0, length),
  'one word': (length: number) => 'Wanderwegmarkierungsmann'.repeat(length / 24 + 1).slice(0, length),
  'one letter': () => 'i',
}

const extremeOf = (declaration: Declaration, text: (length: number) => string, isShort: boolean): unknown => {
  const { type, min, max, maxLength, options } = declaration
  if (type === 'number') return (isShort ? min : max) ?? declaration.default
  if (type === 'enum') return options?.at(isShort ? 0 : -1)?.value
  // A text without a limit holds data, such as a list as JSON.
  return type === 'string' && maxLength !== undefined ? text(maxLength).trim() : declaration.default
}

const cases = templates.flatMap(({ name }) => Object.entries(TEXTS).map(([kind, text]) => ({ name, kind, text })))

const audit = await readFile(here('support/text-layout.js'), 'utf8')
let renderer: Renderer
beforeAll(async () => {
  renderer = await createRenderer({ isolated: true })
})
afterAll(() => renderer.close())

test.each(cases)('no text of the template $name is lost or covered with $kind', async ({ name, kind, text }) => {
  const folder = await scratch()
  const project = join(folder, 'film')
  expect(await vid(['init', project, '--template', name])).toMatchObject({ code: 0 })
  const page = join(project, 'index.html')
  const html = await readFile(page, 'utf8')
  await writeFile(
    page,
    html.replace('</body>', () => `<script>${audit}</script></body>`),
  )
  const declared = JSON.parse(/data-composition-variables='([^']*)'/.exec(html)?.[1] ?? '[]') as Declaration[]
  const isShort = kind === 'one letter'
  const variables = Object.fromEntries(declared.map((variable) => [variable.id, extremeOf(variable, text, isShort)]))
  const problems: string[] = []
  await renderer.render(
    {
      projectDir: project,
      output: join(folder, 'frames'),
      format: 'png-sequence',
      fps: 5,
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

import { readdirSync, readFileSync } from 'node:fs'
import { schemaProblems, type TSchema, Value } from '@vid/protocol'
import { expect, test } from 'vitest'
import { path, workspaces } from './workspaces.mjs'

type Node = Readonly<Record<string, unknown>>

/** Sources that export schemas: whatever comes from outside is checked by one of them. */
const folders = workspaces().map(({ folder }) => folder)
const sources = folders
  .filter((folder) => folder.startsWith('packages/'))
  .flatMap((folder) =>
    readdirSync(path(`${folder}/src`), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|fixtures\/|page\//.test(file))
      .map((file) => path(`${folder}/src/${file}`))
      .filter((file) => /^export const \w+Schema\b/m.test(readFileSync(file, 'utf8'))),
  )

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

const exported = new Map<TSchema, string>()
for (const source of sources)
  for (const [name, value] of Object.entries(await import(source)))
    if (name.endsWith('Schema') && isNode(value)) exported.set(value as TSchema, name)

const schemas = [...exported].map(([schema, name]) => ({ name, schema }))
const isStrict = (schema: unknown): boolean => isNode(schema) && schema.additionalProperties === false
const propertiesOf = (schema: unknown): readonly (readonly [string, TSchema])[] =>
  isNode(schema) && isNode(schema.properties) ? Object.entries(schema.properties as Record<string, TSchema>) : []

/** Paths of the objects in a schema that take declared keys only. */
const strictPaths = (schema: unknown, path: readonly string[] = []): string[][] => [
  ...(isStrict(schema) ? [[...path]] : []),
  ...propertiesOf(schema).flatMap(([key, inner]) => strictPaths(inner, [...path, key])),
]

const unknownKeys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`unknown${index}`, index]))
const wrapped = (value: Node, [key, ...rest]: readonly string[]): Node =>
  key === undefined ? value : { [key]: wrapped(value, rest) }

/** A value that a schema refuses; undefined where it takes everything. */
const wrongFor = (schema: TSchema): unknown =>
  [{ wrong: true }, -1e15, 'x\0', null].find((value) => !Value.Check(schema, value))

const objects = schemas.filter(({ schema }) => propertiesOf(schema).length > 0)
const strict = schemas.filter(({ schema }) => strictPaths(schema).length > 0)
const COUNTS = [1, 7, 8, 9, 10, 64, 100]

test(`${schemas.length} schemas are tested, those of requests, events, plans, orders and files among them`, () => {
  const names = schemas.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining([
      'ProducerRenderSchema',
      'ProducerSnapshotSchema',
      'ProducerLintSchema',
      'ProducerOptionsSchema',
      'CloudRenderSchema',
      'CloudRenderInputSchema',
      'CloudUploadInputSchema',
      'CloudPublishSchema',
      'CloudSettingsSchema',
      'JsonConfigSchema',
      'RenderRequestSchema',
      'RenderPlanSchema',
      'ExecutionInputSchema',
      'SegmentEventSchema',
      'RenderConfigSchema',
      'OrderSchema',
      'RenderBodySchema',
      'CheckBodySchema',
      'FrameBodySchema',
    ]),
  )
  expect(schemas.length).toBeGreaterThan(100)
  expect(strict.length).toBeGreaterThan(25)
})

test.each(strict)('$name refuses any number of unknown keys, wherever they stand', ({ schema }) => {
  for (const path of strictPaths(schema))
    for (const count of COUNTS) {
      const problems = schemaProblems(schema, wrapped(unknownKeys(count), path))
      const text = `${path.join('.') || 'it'} must not have additional properties: unknown0`
      expect(problems.filter((problem) => problem.startsWith(text))).toHaveLength(1)
    }
})

test.each(objects)('$name finds each wrong value, also beside unknown keys', ({ schema }) => {
  for (const [key, inner] of propertiesOf(schema)) {
    const wrong = wrongFor(inner)
    if (wrong === undefined) continue
    for (const count of [0, ...COUNTS]) {
      const problems = schemaProblems(schema, { ...unknownKeys(count), [key]: wrong })
      expect(problems.some((problem) => problem.startsWith(`${key} `) || problem.startsWith(`${key}.`))).toBe(true)
    }
  }
})

test.each(schemas)('$name has a problem with a value exactly when it does not fit', ({ schema }) => {
  const values = [null, [], {}, 'x', -1, true, unknownKeys(9), unknownKeys(100), [unknownKeys(100)]]
  for (const value of values) expect(schemaProblems(schema, value).length === 0).toBe(Value.Check(schema, value))
})

test.each(readdirSync(path('plugins')))('%s refuses any number of unknown options', async (name) => {
  const { default: make } = await import(path(`plugins/${name}/src/index.ts`))
  for (const count of COUNTS) expect(() => make(unknownKeys(count))).toThrow(/unknown option "unknown0"/)
})
